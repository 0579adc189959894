// Wires how the page looks and sounds: help, guide, view, and what is folded.

import { aim, sendHints } from "./actions.js";
import { drawClasses, resetActive } from "./drawing/classes.js";
import { arrange, drawColumns } from "./drawing/columns.js";
import { byId } from "./drawing/elements.js";
import { drawExamples } from "./drawing/guide.js";
import { drawHelp, nameShortcuts } from "./drawing/help.js";
import { closeDrawer, openDialog, toggleDrawer, wireDialogs } from "./drawing/panels.js";
import { prefer, preference } from "./drawing/preferences.js";
import { drawRow, toggleWhole } from "./drawing/row.js";
import { say } from "./drawing/spoken.js";
import { sections } from "./state.js";

const HINTS = {
  likely: "likely classes first",
  words: "words that support the leading class",
};

export function wireLooks() {
  wireDialogs();
  wireTarget();
  nameShortcuts();
  byId("help-open").addEventListener("click", () => {
    drawHelp();
    openDialog("help", "?");
  });
  byId("view-open").addEventListener("click", () => {
    drawColumns();
    drawHintBoxes();
    openDialog("view", "V");
  });
  byId("guide-open").addEventListener("click", toggleDrawer);
  byId("guide-close").addEventListener("click", closeDrawer);
  byId("guide-find").addEventListener("input", drawExamples);
  byId("unfold").addEventListener("click", toggleWhole);
  byId("column-list").addEventListener("change", (event) => {
    arrange(event.target.dataset.column, event.target.value);
    drawRow();
  });
  for (const name of Object.keys(HINTS)) {
    byId(name).addEventListener("change", () => wantHint(name));
  }
  byId("filter").addEventListener("input", resetActive, { capture: true }); // before the classes are drawn
  for (const change of ["focus", "blur"]) byId("filter").addEventListener(change, drawClasses);
}

function wireTarget() {
  byId("target-form").addEventListener("submit", (event) => {
    event.preventDefault();
    const [accuracy, confidence, rows] = ["accuracy", "confidence", "rows"].map((name) => Number(byId(`target-${name}`).value));
    const target = { accuracy, confidence: confidence / 100, per_class: rows };
    aim(target);
  });
}

function wantHint(name) {
  prefer(name, byId(name).checked);
  say(`${HINTS[name]}: ${byId(name).checked ? "on" : "off"}`);
  checkHints();
  drawRow();
  drawClasses();
}

function drawHintBoxes() {
  for (const name of Object.keys(HINTS)) byId(name).checked = preference(name, false);
  byId("hints-note").hidden = Boolean(sections.result);
}

// The server computes hints only while this browser wants them, and forgets that when it is started again.
export function checkHints() {
  const { hints, problem } = sections;
  if (!problem || !hints) return;
  drawHintBoxes();
  const wanted = { likely: preference("likely", false), words: preference("words", false) };
  if (Object.keys(wanted).some((name) => wanted[name] && !hints.on[name])) sendHints(wanted);
}
