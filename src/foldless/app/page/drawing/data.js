// The data: what was read, columns as recognized, and notes.

import { sections } from "../state.js";
import { bdi, byId, fillList, make } from "./elements.js";

export function drawData() {
  if (!sections.problem) return;
  const { about, columns, notes } = sections.problem;
  byId("about").replaceChildren(...about.map((sentence) => make("p", {}, bdi(sentence))));
  byId("columns").replaceChildren(
    ...columns.map(({ name, kind }) => make("tr", {}, make("td", {}, bdi(name)), make("td", {}, kind))),
  );
  fillList(byId("data-notes"), [...notes, ...(sections.checked || [])]);
}
