// When to stop: a target, whether it is reached, and how many more labels it takes.

import { sections } from "../state.js";
import { bdi, byId, make } from "./elements.js";
import { counted } from "./words.js";

const NAMED = 6; // classes with too few rows

export function drawTarget() {
  const { target, problem, labels } = sections;
  byId("enough").hidden = !target || !sections.result;
  if (!target || !problem || !labels) return;
  for (const [id, value] of Object.entries(fields(target))) {
    if (document.activeElement !== byId(id)) byId(id).value = value;
  }
  const few = classesWithFewRows(), differs = doesPoolDiffer();
  const isEnough = target.accurate && !few.length && !differs;
  byId("verdict").textContent = isEnough ? "Enough" : "Not yet";
  byId("verdict").className = isEnough ? "reached" : "";
  const why = differs ? " This holds for rows like the labeled ones, not for the pool, which differs from them." : "";
  const { hinted } = sections.result || {};
  const seen = hinted ? ` It counts ${counted(hinted, "label")} given with the model's opinion in view.` : "";
  const { ceiling } = sections.result || {};
  const never = ceiling < target.accuracy ? ` No model can reach it: a row counts once for each of its classes, so the accuracy is at most ${ceiling.toFixed(3)}.` : "";
  byId("verdict-why").textContent = accuracySentence(target) + never + seen + why;
  byId("few-rows").replaceChildren(...fewSentence(few, target.per_class));
  byId("forecast").textContent = target.accurate ? "" : forecastSentence(target.forecast);
}

export function fields({ accuracy, confidence, per_class: perClass }) {
  return {
    "target-accuracy": accuracy,
    "target-confidence": Math.round(1000 * confidence) / 10,
    "target-rows": perClass,
  };
}

function doesPoolDiffer() {
  const { result } = sections;
  return Boolean(result && result.estimate && result.estimate.population !== "new rows");
}

// Rows of the training file and those labeled here.
function classesWithFewRows() {
  const { target, problem, labels } = sections;
  return problem.classes
    .map((name, code) => ({ name, rows: (problem.labeled[code] || 0) + (labels.counts[code] || 0) }))
    .filter(({ rows }) => rows < target.per_class)
    .sort((a, b) => a.rows - b.rows);
}

function accuracySentence({ accurate, accuracy, confidence, lower, n_labels: n }) {
  const wanted = `at least ${accuracy} with ${Math.round(1000 * confidence) / 10} %`;
  if (accurate) return `The accuracy is ${wanted}: the test with ${counted(n, "label")} found at least ${lower.toFixed(3)}.`;
  if (lower === null) return `There are too few labels to test whether the accuracy is ${wanted}.`;
  return `The accuracy is not known to be ${wanted}: the test with ${counted(n, "label")} found at least ${lower.toFixed(3)}.`;
}

function fewSentence(few, wanted) {
  if (!few.length) return [];
  const named = few.slice(0, NAMED).flatMap(({ name, rows }, at) => [at ? ", " : " ", bdi(name), ` ${rows}`]);
  const rest = few.length > NAMED ? `, and ${few.length - NAMED} more` : "";
  return [make("span", {}, `${few.length === 1 ? "1 class" : `${few.length} classes`} with fewer than ${wanted} rows:`), ...named, `${rest}.`];
}

function forecastSentence({ lower, upper, reason }) {
  if (lower === null) return `How many more labels it takes is not known: ${reason}.`;
  if (upper === null) return `Forecast for the accuracy: at least ${counted(lower, "more label")}.`;
  const range = lower < upper ? `${lower.toLocaleString("en")} to ${counted(upper, "more label")}` : counted(upper, "more label");
  return `Forecast for the accuracy: ${range} (right in about 8 of 10 runs).`;
}
