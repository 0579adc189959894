// Saving: the button, and the files that were written.

import { countAll, isRacing, isSaving, sections } from "../state.js";
import { bdi, byId, make } from "./elements.js";
import { counted } from "./words.js";

const CONTENT = {
  labels: "the training file with the new labels, and who gave them when", parquet: "the same", jsonl: "the same",
  model: "for foldless predict", predictions: "of the pool",
};

export function drawSaving() {
  const { result, saved } = sections;
  byId("save").disabled = isSaving;
  byId("end").hidden = !sections.problem.can_end;
  byId("save").textContent = buttonText();
  const behind = result ? countAll() - result.given : 0;
  const late =
    behind > 0 ? ` The model is from before the last ${counted(behind, "label")}: continue first to include them.` : "";
  byId("saved").textContent = result
    ? `Model, report and all labels go into one folder.${late}`
    : "Labels go into one folder; a model and a report too, after a race.";
  byId("files").replaceChildren(...Object.entries(saved ? saved.files : {}).map(fileLine));
}

function buttonText() {
  if (isSaving) return isRacing() ? "saving after the race…" : "saving…";
  return sections.result ? "save model, labels and report" : "save labels";
}

function fileLine([what, path]) {
  const link = { href: "/report", target: "_blank", rel: "noopener" };
  const content = what === "report" ? make("a", link, "open the report") : CONTENT[what];
  const download = make("a", { href: `/download/${what}`, download: "" }, "download");
  return make("li", {}, make("code", {}, bdi(path)), " ", content, ", ", download);
}

// The command that trains the final model, and what it has written.
export function drawFinal() {
  const { problem, work, final } = sections;
  if (!problem) return;
  const isRunning = Boolean(work && work.doing === "final");
  byId("final").hidden = !problem.command; // Python has started the page
  byId("command").textContent = problem.command || "";
  byId("train-final").disabled = isRunning || isRacing();
  byId("train-final").textContent = isRunning ? "training the final model…" : "run it here";
  byId("final-said").textContent = final && !isRunning ? final.said.join("\n") : "";
  byId("final-files").replaceChildren(...Object.entries(final && !isRunning ? final.files : {}).map(fileLine));
}
