// Which columns of a row are shown first, and which not at all; kept in this browser.

import { currentEntry } from "../state.js";
import { bdi, byId, make } from "./elements.js";
import { prefer, preference } from "./preferences.js";

const STATES = [["pinned", "first"], ["shown", "shown"], ["hidden", "hidden"]];

// All columns of a row; a row that was picked from a list may come without them.
function columnsOf({ texts = [], cells = [] }) {
  return [...texts, ...cells];
}

function stateOf(name) {
  return preference("columns", {})[name] || "shown";
}

// The texts and cells of a row as this person wants them.
export function arranged(entry) {
  const chosen = preference("columns", {});
  const isShown = ([name]) => (chosen[name] || "shown") === "shown";
  return {
    pinned: columnsOf(entry).filter(([name]) => chosen[name] === "pinned"),
    texts: (entry.texts || []).filter(isShown),
    cells: (entry.cells || []).filter(isShown),
  };
}

export function hiddenCount(entry) {
  const chosen = preference("columns", {});
  return columnsOf(entry).filter(([name]) => chosen[name] === "hidden").length;
}

export function arrange(name, state) {
  const chosen = { ...preference("columns", {}) };
  if (state === "shown") delete chosen[name];
  else chosen[name] = state;
  prefer("columns", chosen);
}

// One line for each column of the row that is shown.
export function drawColumns() {
  const entry = currentEntry(), place = byId("column-list");
  const names = entry ? columnsOf(entry).map(([name]) => name) : [];
  byId("columns-part").hidden = names.length < 2;
  place.replaceChildren(...names.map(columnLine));
}

function columnLine(name, at) {
  const choices = STATES.map(([state, word]) => {
    const radio = make("input", { type: "radio", name: `column-${at}`, value: state, checked: stateOf(name) === state });
    radio.dataset.column = name;
    return make("label", {}, radio, word);
  });
  const legend = make("legend", {}, bdi(name));
  return make("fieldset", { class: "column-line" }, legend, make("span", { class: "choices" }, ...choices));
}
