// Who labels, how far people agree, which rows a number rests on, and what the model says of the last label.

import { agreement, nextRedo, nextUndo, nameOf, remark, isNoting, sections } from "../state.js";
import { bdi, byId, make } from "./elements.js";
import { counted } from "./words.js";

// What an undo takes back is named before it goes, and what a redo brings back.
export function drawBackAndForth() {
  const last = nextUndo(), next = nextRedo();
  byId("undo-what").replaceChildren(...(last ? [` row ${last.row + 1}: `, bdi(nameOf(last))] : []));
  byId("redo").hidden = !next;
  byId("redo-what").replaceChildren(...(next ? [` row ${next.row + 1}: `, bdi(nameOf(next))] : []));
  byId("remark").textContent = remark;
}

export function drawNoting() {
  byId("noting").hidden = !isNoting;
}

export function drawMe() {
  byId("me").textContent = sections.me ? ` · ${sections.me}` : "";
}

// Which number uses which rows.
export function drawRests() {
  const { labels, problem } = sections;
  if (!labels || !problem) return;
  const { total, picked, hinted, disputed, states } = labels;
  const without = Object.values(states).reduce((sum, n) => sum + n, 0);
  const parts = [`Models learn from ${counted(problem.rows.labeled, "label")} of the file and ${total} of this page`];
  parts.push(picked
    ? `the estimate counts all but ${picked} that ${picked === 1 ? "was" : "were"} picked, and not drawn`
    : "the estimate counts all of them");
  if (hinted) parts.push(`${hinted} of these ${hinted === 1 ? "was" : "were"} given with the model's opinion in view, which may make the estimate too high`);
  if (without) parts.push(`${counted(without, "row")} without a class ${without === 1 ? "counts" : "count"} for neither`);
  if (disputed) parts.push(`${counted(disputed, "row")} on which people differ ${disputed === 1 ? "waits" : "wait"} for a decision`);
  byId("rests").textContent = `${parts.join("; ")}.`;
  byId("look-back-count").textContent = disputed ? ` (${disputed} to decide)` : "";
}

export function drawAgreement() {
  byId("agreement").replaceChildren(...(agreement ? sentences(agreement).map((each) => make("p", {}, each)) : []));
}

function sentences({ people, shared, alpha, repeated, self }) {
  const said = [], names = Object.entries(people);
  if (names.length) said.push(`Rows answered: ${names.map(([name, n]) => `${name} ${n}`).join(", ")}.`);
  const several = `${counted(shared, "row")} with labels of several people`;
  const sets = sections.problem.several ? ", where rows agree only if all their classes are the same" : "";
  if (alpha) said.push(`${several}: Krippendorff's alpha ${interval(alpha)}${sets}.`);
  else if (shared) said.push(`${several}: no alpha yet.`);
  if (self) {
    said.push(`${counted(repeated, "row")} shown again: the same label in ${interval(self)} of them. No model can ` +
      "agree with you more often: this is the ceiling of the estimate.");
  }
  return said;
}

function interval({ value, lower, upper }) {
  return `${value.toFixed(2)} (${lower.toFixed(2)} to ${upper.toFixed(2)})`;
}
