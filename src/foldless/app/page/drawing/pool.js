// Labels against pool: whether they differ, and the shares of the classes in each.

import { sections } from "../state.js";
import { MAX_CLASSES } from "./classes.js";
import { bdi, byId, make } from "./elements.js";
import { percent } from "./words.js";

export function drawPool() {
  if (!sections.result) return;
  const { shares, shift } = sections.result;
  byId("pool").hidden = !shares.length && !shift;
  byId("shift").textContent = shift ? shiftSentence(shift) : "";
  const largest = Math.max(0.001, ...shares.flatMap((share) => [share.labels, share.pool || 0]));
  const largestFirst = [...shares].sort((a, b) => (b.pool || b.labels) - (a.pool || a.labels));
  byId("shares").replaceChildren(...largestFirst.slice(0, MAX_CLASSES).map((share) => shareLine(share, largest)));
}

function shiftSentence({ alarm, note, p_value: p }) {
  return alarm ? note : `No difference between labels and pool detected (p ${p.toPrecision(2)}).`;
}

function shareLine({ class: name, labels, pool }, largest) {
  const bars = [bar("of-labels", (100 * labels) / largest), bar("of-pool", (100 * (pool || 0)) / largest)];
  const figures = [make("span", {}, percent(labels)), make("span", {}, pool === null ? "" : percent(pool))];
  return make(
    "div",
    { class: "share" },
    bdi(name),
    make("span", { class: "bars" }, ...bars),
    make("span", { class: "num" }, ...figures),
  );
}

function bar(kind, width) {
  const element = make("i", { class: kind });
  element.style.width = `${width}%`;
  return element;
}
