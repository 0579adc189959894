// The buttons of the classes, their filter, and the line on keys.

import { currentEntry, isNaming, sections } from "../state.js";
import { bdi, byId, make } from "./elements.js";

export const MAX_CLASSES = 60; // shown at once
const DIGITS = 9; // classes with a digit each

export function hasManyClasses() {
  return sections.problem.classes.length > DIGITS;
}

export function drawClasses() {
  if (!sections.problem || !sections.labels) return;
  const { classes, open } = sections.problem;
  byId("filter").hidden = !hasManyClasses() && !isNaming;
  byId("filter").placeholder = isNaming ? "the name of a new class, then Enter" : "type to filter the classes";
  byId("new").hidden = !open;
  const matching = matchingClasses(), typed = byId("filter").value.trim();
  const content = matching.slice(0, MAX_CLASSES).map(classButton);
  if (matching.length > MAX_CLASSES) content.push(remark(`and ${matching.length - MAX_CLASSES} more: type to filter`));
  if (!matching.length && !(open && typed)) content.push(remark("no class has these letters"));
  const isNew = open && typed && !classes.includes(typed);
  if (isNew && currentEntry() && (isNaming || !matching.length)) content.push(newClassButton(typed));
  byId("classes").replaceChildren(...content);
}

// Those that begin with what is typed, then those that contain it, each with its name and code.
export function matchingClasses() {
  const all = sections.problem.classes.map((name, code) => ({ name, code }));
  const typed = byId("filter").value.trim().toLowerCase();
  if (!typed) return all;
  const begin = all.filter(({ name }) => name.toLowerCase().startsWith(typed));
  return [...begin, ...all.filter((each) => each.name.toLowerCase().includes(typed) && !begin.includes(each))];
}

function classButton({ name, code }, at) {
  const key = at < DIGITS ? make("kbd", {}, String(at + 1)) : null;
  const given = sections.labels.counts[code];
  const count = make("span", { class: "count" }, given ? `+${given}` : "");
  return make("button", { type: "button", value: code, disabled: !currentEntry() }, key, bdi(name), count);
}

function newClassButton(typed) {
  const key = isNaming ? make("kbd", {}, "Enter") : null;
  return make("button", { type: "button", name: "new", value: typed }, key, "new class ", bdi(typed));
}

function remark(text) {
  return make("span", { class: "small" }, text);
}

export function drawKeys() {
  const { classes, open } = sections.problem;
  byId("keys").textContent = hasManyClasses()
    ? "Type letters to filter the classes, / first for those that begin with u, s, g or n; 1–9 or Enter labels, " +
      "u undoes, s skips, g continues."
    : `1–${classes.length} labels, u undoes, s skips, ${open ? "n names a new class, " : ""}g continues.`;
}
