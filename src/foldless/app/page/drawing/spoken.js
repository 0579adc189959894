// What a screen reader hears: what was saved, and the next row.

import { countLabels, currentEntry, latestLabels, nameOf, sections, unanswered } from "../state.js";
import { arranged } from "./columns.js";
import { byId } from "./elements.js";

const HEARD = 200; // characters of a row; the row itself can be read whole

let lastRow = null;
let lastCount = 0;

export function drawSpoken() {
  if (!sections.problem || !sections.labels || unanswered) return;
  const entry = currentEntry(), row = entry ? entry.row : -1, count = countLabels();
  if (row === lastRow && count === lastCount) return;
  const latest = latestLabels().at(-1);
  const isNew = lastRow !== null && count > lastCount && latest;
  const saved = isNew ? `Saved as ${nameOf({ code: latest[1] })}. ` : "";
  const taken = lastRow !== null && count < lastCount ? "Undone. " : "";
  byId("spoken").textContent = `${saved}${taken}${entry ? `Next row: ${inWords(entry)}` : "No row is left of this batch."}`;
  lastRow = row;
  lastCount = count;
}

export function say(sentence) {
  byId("spoken").textContent = sentence;
}

function inWords(entry) {
  const { pinned, texts, cells } = arranged(entry);
  const named = (pairs) => pairs.map(([name, value]) => `${name} ${value || "empty"}`).join(", ");
  const words = [named(pinned), ...texts.map(([, text]) => text), named(cells.slice(0, 8))].filter(Boolean).join(". ");
  return words.length > HEARD ? `${words.slice(0, HEARD)} …` : words;
}
