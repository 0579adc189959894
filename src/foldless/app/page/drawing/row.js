// The row to label, with the labels before it.

import { canUndo, countLabels, currentEntry, isRacing, latestLabels, openEntries, sections } from "../state.js";
import { bdi, byId, make } from "./elements.js";
import { counted } from "./words.js";

const LATEST = 4; // labels that are listed

export function drawRow() {
  if (!sections.problem || !sections.labels) return;
  const entry = currentEntry(), open = openEntries().length;
  byId("batch-left").textContent = open ? `${counted(open, "row")} left of this batch` : "";
  byId("why").replaceChildren(...(entry && entry.why ? [bdi(entry.why)] : []));
  byId("row").replaceChildren(...(entry ? contentOf(entry) : [make("p", { class: "empty" }, whyNoRow())]));
  byId("row").scrollTop = 0;
  byId("skip").disabled = !entry;
  byId("more").hidden = Boolean(open) || isRacing();
  byId("undo").disabled = !canUndo();
  drawLatestLabels();
}

function drawLatestLabels() {
  const latest = latestLabels().slice(-LATEST).reverse();
  const { classes } = sections.problem;
  byId("latest").replaceChildren(
    ...latest.map(([row, code]) => make("li", {}, `row ${row + 1}: `, bdi(classes[code]))),
  );
}

function contentOf(entry) {
  const texts = entry.texts.flatMap(([name, text]) => [
    ...(entry.texts.length > 1 ? [make("p", { class: "name" }, bdi(name))] : []),
    make("p", { class: "text", dir: "auto" }, text),
  ]);
  const cells = entry.cells.map(([name, value]) => cell(bdi(name), bdi(value === "" ? "–" : value)));
  if (entry.more) cells.push(cell("and", `${entry.more} more columns`));
  return [...texts, ...(cells.length ? [make("dl", {}, ...cells)] : [])];
}

function cell(name, value) {
  return make("div", {}, make("dt", {}, name), make("dd", {}, value));
}

function whyNoRow() {
  if (sections.batch === undefined) return "Loading rows.";
  if (countLabels() + sections.labels.skipped.length >= sections.problem.rows.pool) {
    return "Every row of the pool is labeled or skipped.";
  }
  if (isRacing()) return "All rows of this batch are labeled. The next batch comes after the race.";
  return "All rows of this batch are labeled. Continue: the next race selects the rows to label next.";
}
