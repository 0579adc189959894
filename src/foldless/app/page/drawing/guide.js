// The drawer: guidelines, and examples of each class from the labeled rows.

import { sections } from "../state.js";
import { bdi, byId, fold, make } from "./elements.js";
import { linesOn, markdownElements } from "./markdown.js";

const SHOWN = 60; // classes at once

let lines = { of: null, classes: null, byName: new Map() };

function linesOfClasses() {
  const text = sections.guide ? sections.guide.text : "", { classes } = sections.problem;
  if (lines.of !== text || lines.classes !== classes) lines = { of: text, classes, byName: linesOn(classes, text) };
  return lines.byName;
}

export function drawGuide() {
  if (!sections.problem) return;
  const { guide } = sections;
  byId("guide-text").replaceChildren(
    ...(guide
      ? markdownElements(guide.text)
      : [make("p", { class: "small" }, "There are no guidelines. Start the app with --guide guide.md to show yours here.")]),
  );
  byId("guide-find").hidden = sections.problem.classes.length <= 9;
  drawExamples();
}

export function drawExamples() {
  if (!sections.problem) return;
  const wanted = fold(byId("guide-find").value.trim()), examples = sections.examples || {};
  const about = linesOfClasses();
  const matching = sections.problem.classes
    .map((name) => ({ name, line: about.get(name), rows: examples[name] || [] }))
    .filter(({ name, line, rows }) => fold(name).includes(wanted) && (line || rows.length));
  const drawn = matching.slice(0, SHOWN).map(classBlock);
  if (matching.length > SHOWN) drawn.push(make("p", { class: "small" }, `and ${matching.length - SHOWN} more classes`));
  byId("guide-classes").replaceChildren(...drawn);
}

function classBlock({ name, line, rows }) {
  return make(
    "div",
    { class: "guide-class" },
    make("h4", {}, bdi(name)),
    line ? make("p", {}, bdi(line)) : null,
    rows.length ? make("ul", {}, ...rows.map((row) => make("li", { dir: "auto" }, row))) : null,
  );
}
