// Wires the page: which parts are drawn after which changes, and what buttons and keys do.

import * as actions from "./actions.js";
import { drawClasses, drawKeys } from "./drawing/classes.js";
import { drawData } from "./drawing/data.js";
import { byId } from "./drawing/elements.js";
import { drawEstimate, drawIntervals } from "./drawing/estimate.js";
import { drawExamples, drawGuide } from "./drawing/guide.js";
import { drawStatus, drawTitle, drawTrouble } from "./drawing/header.js";
import { drawAgreement, drawBackAndForth, drawMe, drawNoting, drawRests } from "./drawing/people.js";
import { drawPool } from "./drawing/pool.js";
import { drawGo, drawRace } from "./drawing/race.js";
import { drawRanking } from "./drawing/ranking.js";
import { drawReview } from "./drawing/review.js";
import { drawRow } from "./drawing/row.js";
import { drawSearch } from "./drawing/search.js";
import { drawFinal, drawSaving } from "./drawing/saving.js";
import { drawIdeas, drawSettings } from "./drawing/settings.js";
import { drawTarget } from "./drawing/target.js";
import { drawSpoken } from "./drawing/spoken.js";
import { onKey } from "./keys.js";
import { checkHints, wireLooks } from "./looks.js";
import { look } from "./polling.js";
import { asked, sections, showAllCandidates, whenChanged } from "./state.js";

const DRAWN_AFTER = [
  [drawTitle, ["problem"]],
  [drawData, ["problem", "checked"]],
  [drawSettings, ["problem"]],
  [drawKeys, ["problem"]],
  [drawRanking, ["result", "ranking"]],
  [drawEstimate, ["result"]],
  [drawIntervals, ["result", "rounds", "target"]], // as wide as its section, which drawEstimate shows
  [drawTarget, ["target", "labels", "problem", "result"]],
  [drawPool, ["result"]],
  [drawRace, ["race", "work", "result"]],
  [drawGo, ["problem", "labels", "work", "result"]],
  [drawTrouble, ["trouble", "work"]],
  [drawRow, ["problem", "labels", "batch", "work", "row", "hints"]],
  [drawClasses, ["problem", "labels", "batch", "work", "row", "ticks", "filter", "hints"]],
  [drawGuide, ["problem", "guide"]],
  [drawExamples, ["examples"]],
  [drawSpoken, ["labels", "batch", "row", "orders"]],
  [checkHints, ["hints"]],
  [drawSaving, ["saved", "labels", "work", "result", "saving"]],
  [drawStatus, ["labels", "orders"]],
  [drawMe, ["me"]],
  [drawBackAndForth, ["problem", "labels", "row"]],
  [drawNoting, ["filter", "row"]],
  [drawRests, ["problem", "labels"]],
  [drawReview, ["review", "problem"]],
  [drawSearch, ["search"]],
  [drawAgreement, ["agreement"]],
  [drawFinal, ["problem", "work", "final"]],
];

whenChanged((changed) => {
  for (const [draw, names] of DRAWN_AFTER) if (names.some((name) => changed.has(name))) draw();
});

const CLICKS = {
  give: actions.giveTicked,
  skip: actions.skip,
  undo: actions.undo,
  new: actions.nameClass,
  more: actions.askForMoreRows,
  go: actions.startRace,
  stop: actions.stopRace,
  save: actions.save,
  end: actions.end,
  all: showAllCandidates,
  unsure: actions.beUnsure,
  none: actions.fitNone,
  flag: actions.startFlag,
  redo: actions.redo,
  "note-send": actions.sendFlag,
  "look-back": actions.toggleReview,
  find: actions.toggleSearch,
  "search-back": () => actions.turnFound(-20),
  "search-on": () => actions.turnFound(20),
  "train-final": actions.trainFinal,
  "review-back": () => actions.fetchReview({ offset: Math.max(0, asked.offset - 20) }),
  "review-on": () => actions.fetchReview({ offset: asked.offset + 20 }),
};
for (const [id, act] of Object.entries(CLICKS)) byId(id).addEventListener("click", () => act());

byId("classes").addEventListener("click", (event) => {
  const button = event.target.closest("button");
  if (!button) return;
  if (button.name === "new") actions.giveNewClass(button.value);
  else actions.giveClass(Number(button.value));
});
// A button that was clicked keeps the focus, and Enter would press it again where it should save what is ticked.
document.addEventListener("click", (event) => {
  const isPointer = event.detail > 0 && sections.problem && sections.problem.several;
  if (isPointer && event.target.closest("#labeling button") && document.activeElement.closest("#labeling button")) {
    document.activeElement.blur();
  }
});
const FILTERS = { "review-words": "words", "review-class": "label", "review-state": "state", "review-by": "by",
  "review-day": "day", "review-order": "order" };
for (const [id, what] of Object.entries(FILTERS)) {
  byId(id).addEventListener("input", () => actions.fetchReview({ [what]: byId(id).value }));
}
byId("review-rows").addEventListener("click", (event) => {
  const button = event.target.closest("button");
  if (!button) return;
  if (button.name === "pick") actions.pickFromList(Number(button.value));
  else {
    const { row, code, state } = JSON.parse(button.value);
    actions.settle(row, { code, state });
  }
});
byId("search-words").addEventListener("input", () => actions.fetchFound());
byId("search-rows").addEventListener("click", (event) => {
  const button = event.target.closest("button");
  if (button) actions.pickFromFound(Number(button.value));
});
byId("note").addEventListener("keydown", (event) => {
  if (event.key === "Enter" || event.key === "Escape") actions.endFlag(event.key === "Enter");
});
byId("filter").addEventListener("input", drawClasses);
byId("criterion").addEventListener("change", drawIdeas);
byId("rows").addEventListener("change", drawIdeas);
document.addEventListener("keydown", onKey);
window.addEventListener("resize", drawIntervals);
wireLooks();
document.addEventListener("visibilitychange", () => document.hidden || look());
look();
