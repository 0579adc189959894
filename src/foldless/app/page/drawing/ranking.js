// The comparison: a table of candidates, the best first, with notes.

import { sections, showsAllCandidates } from "../state.js";
import { bdi, byId, fillList, make } from "./elements.js";
import { counted, duration, number } from "./words.js";

const FIRST = 8; // candidates before all are asked for

export function drawRanking() {
  const { result } = sections;
  if (!result) return;
  const { ranking, better } = result;
  byId("comparison").hidden = false;
  const columns = columnsOf(ranking, better);
  const titles = columns.map(({ title, kind }) => make("th", { class: kind }, title));
  byId("ranking-head").replaceChildren(make("tr", {}, ...titles));
  const shown = showsAllCandidates ? ranking : ranking.slice(0, FIRST);
  byId("ranking").replaceChildren(...shown.flatMap((entry, at) => rowsOf(entry, at, columns)));
  byId("all").hidden = showsAllCandidates || ranking.length <= FIRST;
  byId("all").textContent = `show all ${ranking.length} candidates`;
  drawNotes(result);
}

// Columns that no candidate fills are left out; "optional" ones are hidden where the page is narrow.
function columnsOf(ranking, better) {
  const isKnown = (key) => ranking.some((entry) => entry[key] !== null && entry[key] !== undefined);
  const columns = [
    { title: "", kind: "num", cell: (entry) => [bdi(entry.rank === null ? "–" : entry.rank)] },
    { title: "candidate", kind: "", cellKind: "name", cell: nameCell },
    { title: `ranking score ${better === "higher" ? "↑" : "↓"}`, kind: "num", cell: (entry) => [bdi(number(entry.score))] },
  ];
  if (isKnown("behind")) columns.push({ title: "minus the chosen's", kind: "num", cell: minusChosenCell });
  if (isKnown("test_accuracy")) {
    columns.push({ title: "on test rows", kind: "num", cell: (entry) => [bdi(number(entry.test_accuracy))] });
  }
  columns.push({ title: "fits", kind: "num optional", cell: (entry) => [bdi(entry.fits)] });
  columns.push({ title: "time", kind: "num optional", cell: (entry) => [bdi(duration(entry.seconds))] });
  return columns;
}

function nameCell({ model, params }) {
  return [bdi(model), make("span", {}, bdi(params))];
}

// The accuracy of a candidate minus that of the chosen one, with its sign.
function minusChosenCell({ behind, tied }) {
  const isKnown = behind !== null && behind !== undefined;
  const sign = behind > 0 ? "−" : behind < 0 ? "+" : "";
  return [bdi(isKnown ? `${sign}${number(Math.abs(behind))}${tied ? " ≈" : ""}` : "")];
}

function rowsOf(entry, at, columns) {
  const cells = columns.map(({ kind, cellKind, cell }) => make("td", { class: cellKind || kind }, ...cell(entry)));
  const row = make("tr", { class: at === 0 ? "chosen" : entry.rank === null ? "lost" : "" }, ...cells);
  if (!entry.notes) return [row];
  const note = make("td", { class: "note", colSpan: columns.length - 1 }, bdi(entry.notes));
  return [row, make("tr", { class: "below" }, make("td", {}), note)];
}

function drawNotes({ ranking, criterion, better, more, stopped, notes }) {
  const isTied = ranking.some((entry, at) => at && entry.tied);
  const tied = isTied ? " ≈ statistically tied with the chosen one." : "";
  const hidden = more ? ` ${counted(more, "candidate")} not shown.` : "";
  byId("ranking-note").textContent = `By ${criterion}, ${better} is better.${tied}${hidden}`;
  fillList(byId("notes"), [...(stopped ? [`Stopped early: ${stopped}.`] : []), ...notes]);
}
