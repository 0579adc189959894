// The race: who leads, how each candidate stands, and the buttons that start and stop it.

import { countAll, isRacing, sections } from "../state.js";
import { bdi, byId, make } from "./elements.js";
import { candidateName, counted, duration, percent } from "./words.js";

const STANDING = { asked: "in the race", left: "eliminated", failed: "failed" };

export function drawRace() {
  const { race, result } = sections;
  byId("progress").hidden = !isRacing();
  if (race) {
    byId("progress").max = Math.max(1, race.asked);
    byId("progress").value = race.done;
    byId("race-time").textContent =
      `${race.done.toLocaleString("en")} of ${counted(race.asked, "fit")}, ${duration(race.seconds)}`;
    drawCandidates(race);
  } else {
    byId("race-time").textContent = "";
    byId("race").replaceChildren();
  }
  if (isRacing()) byId("lead").replaceChildren(...(race ? leader(race) : ["Preparing…"]));
  else if (result) {
    const labels = counted(result.labels, "label");
    const model = result.members > 1 ? `an average of ${result.members} models` : candidateName(result.best);
    byId("lead").replaceChildren(bdi(model), ` is chosen, with ${labels}`);
  } else if (!race) {
    byId("lead").textContent = "Models race on the labels: after three resamples the better third goes on.";
  }
}

function leader({ candidates }) {
  const still = counted(candidates.filter((each) => each.state === "asked").length, "candidate");
  const [first] = candidates;
  if (!first || first.right === null) return [`${still} in the race`];
  return [bdi(candidateName(first)), ` leads; ${still} still in the race`];
}

function drawCandidates({ candidates, more }) {
  const { result } = sections;
  const isChosen = (each) => !isRacing() && result && candidateName(each) === candidateName(result.best);
  const chosenFirst = [...candidates].sort((a, b) => isChosen(b) - isChosen(a)); // a blend with the pool decides
  const others = more ? [make("p", { class: "small" }, `and ${counted(more, "other")}`)] : [];
  byId("race").replaceChildren(...chosenFirst.map(runner), ...others);
}

function runner(candidate, at) {
  const { state, right, fits, seconds } = candidate;
  const bar = make("span", { class: "bar" });
  bar.style.width = `${100 * (right || 0)}%`;
  const cost = fits ? `${counted(fits, "fit")}, ${duration(seconds)}` : STANDING[state];
  return make(
    "div",
    { class: `runner ${state}${at === 0 && right !== null ? " first" : ""}`, title: STANDING[state] },
    bar,
    bdi(candidateName(candidate)),
    make("span", { class: "num" }, right === null ? "" : percent(right)),
    make("span", { class: "num cost" }, cost),
  );
}

export function drawGo() {
  if (!sections.problem) return;
  const { result } = sections, fresh = countAll() - (result ? result.given : 0);
  const go = byId("go");
  go.disabled = isRacing();
  go.hidden = isRacing();
  if (!result) go.textContent = "Start the race";
  else go.textContent = fresh > 0 ? `Continue with ${counted(fresh, "new label")}` : "Run the race again";
  byId("stop").hidden = !isRacing();
}
