// The accuracy on new rows: the estimate, and a picture of its interval by the number of labels.

import { sections } from "../state.js";
import { byId, makeSvg } from "./elements.js";
import { counted } from "./words.js";

const HIGH = 170, LEFT = 34, RIGHT = 14, TOP = 12, BOTTOM = 30; // of the picture, in pixels

export function drawEstimate() {
  if (!sections.result) return;
  const { estimate, test_accuracy: tested, certificate, hinted, ceiling } = sections.result;
  byId("estimates").hidden = false;
  byId("value").textContent = estimate ? estimate.value.toFixed(3) : "unknown";
  byId("interval").textContent = estimate
    ? `${estimate.lower.toFixed(3)} to ${estimate.upper.toFixed(3)}, with confidence ${estimate.confidence}`
      + (estimate.population === "new rows" ? "" : "; no number for the pool, which differs")
    : "";
  byId("estimate-of").textContent = estimate ? estimate.population : "new rows";
  const sentences = [];
  if (tested !== null) sentences.push(`○ ${tested.toFixed(3)} on the test rows. `);
  if (certificate) {
    const { quantity, upper, confidence } = certificate;
    sentences.push(`${quantity} at most ${upper.toFixed(3)} with confidence ${confidence}. `);
  }
  if (ceiling < 1) sentences.push(`A row counts once for each of its classes, and the model predicts one of them: no model can reach more than ${ceiling.toFixed(3)}. `);
  if (estimate && hinted) sentences.push(`It counts ${counted(hinted, "label")} that ${hinted === 1 ? "was" : "were"} given with the model's opinion in view, and may be too high. `);
  if (estimate) sentences.push(`Assumes: ${estimate.assumes.join("; ")}.`);
  byId("estimate-note").textContent = sentences.join("");
}

export function drawIntervals() {
  const rounds = (sections.rounds || []).filter((round) => round.estimate), place = byId("narrowing");
  if (!rounds.length || byId("estimates").hidden) {
    place.replaceChildren();
    return;
  }
  const wide = Math.max(260, Math.round(place.clientWidth) || 460);
  const scale = scaleOf(rounds, wide);
  const label = "the estimate with its interval, by the number of labels";
  const svg = makeSvg("svg", { viewBox: `0 0 ${wide} ${HIGH}`, role: "img", "aria-label": label });
  svg.append(...axis(scale, wide), ...targetLine(scale, wide, rounds[0].labels), path(rounds, scale), ...marks(rounds, scale), ...names(rounds, scale, wide));
  place.replaceChildren(svg);
}

// Where a number of labels and an accuracy are in the picture.
function scaleOf(rounds, wide) {
  const labels = rounds.map((round) => round.labels);
  const most = Math.max(...labels), least = Math.min(...labels);
  const lowest = Math.max(0, Math.floor(10 * Math.min(...rounds.map((round) => round.estimate.lower))) / 10);
  const along = (n) => (most === least ? 0.5 : (n - least) / (most - least));
  return {
    lowest,
    x: (n) => LEFT + 14 + (wide - LEFT - RIGHT - 28) * along(n),
    y: (accuracy) => TOP + ((HIGH - TOP - BOTTOM) * (1 - accuracy)) / (1 - lowest),
  };
}

function axis({ lowest, y }, wide) {
  return [lowest, (1 + lowest) / 2, 1].flatMap((tick) => [
    makeSvg("line", { class: "axis", x1: LEFT, x2: wide - RIGHT, y1: y(tick), y2: y(tick) }),
    makeSvg("text", { x: LEFT - 6, y: y(tick) + 4, "text-anchor": "end" }, tick.toFixed(2).replace(/0$/, "")),
  ]);
}

function targetLine({ lowest, x, y }, wide, first) {
  const { target } = sections;
  if (!target || target.accuracy < lowest) return [];
  const at = y(target.accuracy);
  return [
    makeSvg("line", { class: "target", x1: LEFT, x2: wide - RIGHT, y1: at, y2: at }),
    makeSvg("text", { class: "target", x: x(first) + 9, y: at - 5 }, `target ${target.accuracy}`),
  ];
}

function path(rounds, { x, y }) {
  const points = rounds.map(({ labels, estimate }) => `${x(labels)} ${y(estimate.value)}`);
  return makeSvg("path", { class: "path", d: `M${points.join("L")}` });
}

function marks(rounds, { x, y }) {
  return rounds.flatMap(({ labels, estimate, test }, at) => {
    const isLast = at === rounds.length - 1, cx = x(labels);
    const ends = { x1: cx, x2: cx, y1: y(estimate.lower), y2: y(estimate.upper) };
    const drawn = [
      makeSvg("line", { class: isLast ? "last-span" : "span", ...ends }),
      makeSvg("circle", { class: isLast ? "last" : "dot", cx, cy: y(estimate.value), r: isLast ? 5 : 4 }),
    ];
    if (test !== null && test !== undefined) drawn.push(makeSvg("circle", { class: "test", cx, cy: y(test), r: 4 }));
    return drawn;
  });
}

// Numbers of labels below the marks: the last in any case, others where there is room.
function names(rounds, { x }, wide) {
  const last = rounds.length - 1, end = x(rounds[last].labels) - 70;
  const drawn = [];
  let start = -Infinity;
  rounds.forEach(({ labels }, at) => {
    const middle = x(labels);
    if (at !== last && (middle <= start || middle >= end)) return;
    const isAtEdge = at === last && at > 0;
    const text = at === last || at === 0 ? counted(labels, "label") : String(labels);
    const place = { x: isAtEdge ? wide - RIGHT : middle, y: HIGH - 10, "text-anchor": isAtEdge ? "end" : "middle" };
    drawn.push(makeSvg("text", place, text));
    start = middle + (at ? 40 : 70);
  });
  return drawn;
}
