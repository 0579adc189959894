// The choice of models, criterion and rows to label next.

import { sections } from "../state.js";
import { byId, make } from "./elements.js";

const ROWS_IDEAS = {
  leaders:
    "Models learn from them, but they are not a random sample of the pool: the estimate leaves them out, and the " +
    "choice is less certain.",
  valid:
    "Each row is drawn with a known probability, by which the estimate weights its label. Skip only rows that nobody " +
    "could label.",
  random: "The estimate uses all of them; the models learn less from each.",
};

// Once: what a user has chosen stays.
export function drawSettings() {
  if (byId("models").childElementCount) return;
  const { models, criteria, chosen } = sections.problem;
  byId("models").replaceChildren(
    ...models.map(({ name, varies }) => {
      const box = make("input", { type: "checkbox", value: name, checked: chosen.models.includes(name) });
      return make("label", {}, box, make("span", {}, name, make("small", {}, varies)));
    }),
  );
  const known = criteria.map(({ name }) => name);
  const names = known.includes(chosen.criterion) ? known : [chosen.criterion, ...known];
  byId("criterion").replaceChildren(
    ...names.map((name) => make("option", { value: name, selected: name === chosen.criterion }, name)),
  );
  byId("rows").value = chosen.rows;
  drawIdeas();
}

export function drawIdeas() {
  const criterion = sections.problem.criteria.find(({ name }) => name === byId("criterion").value);
  byId("idea").textContent = criterion ? criterion.idea : "";
  byId("rows-idea").textContent = ROWS_IDEAS[byId("rows").value];
}
