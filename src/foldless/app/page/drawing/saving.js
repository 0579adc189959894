// Saving: the button, and the files that were written.

import { countLabels, isRacing, isSaving, sections } from "../state.js";
import { bdi, byId, make } from "./elements.js";
import { counted } from "./words.js";

const CONTENT = { labels: "the training file with the new labels", model: "for foldless predict" };

export function drawSaving() {
  const { result, saved } = sections;
  byId("save").disabled = isSaving;
  byId("end").hidden = !sections.problem.can_end;
  byId("save").textContent = buttonText();
  const behind = result ? countLabels() - result.given : 0;
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
  return make("li", {}, make("code", {}, bdi(path)), " ", content);
}
