// The top of the page: which file, whether labels are saved, and what went wrong.

import { countLabels, lastSaved, sections, trouble, unanswered } from "../state.js";
import { byId } from "./elements.js";
import { counted } from "./words.js";

export function drawTitle() {
  const { train } = sections.problem;
  byId("train").textContent = train;
  document.title = `${train} · foldless`;
}

export function drawStatus() {
  const status = byId("status");
  status.className = unanswered ? "waiting" : "";
  const when = lastSaved ? `, last at ${lastSaved.toLocaleTimeString("en-GB")}` : "";
  if (unanswered) status.textContent = "saving…";
  else status.textContent = sections.labels ? `${counted(countLabels(), "label")} saved${when}` : "";
}

export function drawTrouble() {
  const text = trouble || (sections.work && sections.work.problem) || "";
  byId("trouble").hidden = !text;
  byId("trouble").textContent = text;
}
