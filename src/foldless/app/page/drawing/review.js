// Looking back: everything that was said of rows, with a search, filters, and pages.

import { asked, isReviewOpen, nameOf, review, sections, STATES } from "../state.js";
import { bdi, byId, make } from "./elements.js";
import { counted, percent } from "./words.js";

const KINDS = { labeled: "with a class", otherwise: "the model says otherwise", ...STATES };
const PAGE = 20; // rows, as the server sends them

export function drawReview() {
  byId("review").hidden = !isReviewOpen;
  byId("look-back").setAttribute("aria-expanded", String(isReviewOpen));
  if (!isReviewOpen || !review || !sections.problem) return;
  drawFilters();
  const { rows, total, all, offset } = review;
  byId("review-count").textContent = total === all ? counted(total, "row") : `${total} of ${counted(all, "row")}`;
  byId("review-rows").replaceChildren(...(rows.length ? rows.map(line) : [make("li", { class: "small" }, "No row matches.")]));
  byId("review-pages").hidden = total <= PAGE;
  byId("review-page").textContent = `${offset + 1} to ${offset + rows.length}`;
  byId("review-back").disabled = offset === 0;
  byId("review-on").disabled = offset + rows.length >= total;
}

function drawFilters() {
  const { classes } = sections.problem, { counts, people, days } = review;
  fillSelect("review-class", [["", "any class"], ...classes.map((name, code) => [String(code), name])], asked.label);
  const kinds = Object.entries(KINDS).filter(([kind]) => counts[kind]);
  fillSelect("review-state", [["", "any state"], ...kinds.map(([kind, name]) => [kind, `${name} (${counts[kind]})`])], asked.state);
  const named = people.filter((name) => name);
  fillSelect("review-by", [["", "anybody"], ...named.map((name) => [name, name])], asked.by);
  fillSelect("review-day", [["", "any day"], ...days.map((day) => [day, day])], asked.day);
  byId("review-by").hidden = named.length < 2;
  byId("review-day").hidden = days.length < 2;
  byId("review-order").value = asked.order;
}

// Options are made anew only where they have changed: a list that is open stays open.
function fillSelect(id, options, chosen) {
  const select = byId(id);
  const same = select.options.length === options.length
    && options.every(([value, text], at) => select.options[at].value === value && select.options[at].text === text);
  if (!same) select.replaceChildren(...options.map(([value, text]) => make("option", { value }, text)));
  select.value = chosen;
}

function line(entry) {
  const { row, beginning, note, otherwise, likely, drawn, state } = entry;
  const { classes } = sections.problem;
  const about = [`row ${row + 1}`, drawn ? "drawn" : "picked", ...(entry.at ? [entry.at.slice(0, 16).replace("T", " ")] : [])];
  const text = make("button", { type: "button", class: "pick", name: "pick", value: row, dir: "auto" },
    beginning || "the content is loaded after the race");
  const said = make("p", { class: "said" }, make("b", {}, bdi(labelText(entry))), ...who(entry));
  const parts = [text, said, make("p", { class: "small" }, about.join(", "))];
  if (note) parts.push(make("p", { class: "small" }, "note: ", bdi(note)));
  if (otherwise !== null) {
    const chance = likely === null ? "" : `; it finds ${sections.problem.several ? "one of these" : "this label"} ${percent(likely)} likely`;
    parts.push(make("p", { class: "otherwise" }, "The model says otherwise: ", bdi(classes[otherwise]), chance));
  }
  if (state === "disputed") parts.push(decisions(entry));
  return make("li", {}, ...parts);
}

function labelText({ code, state }) {
  return code === null ? STATES[state] : nameOf({ code });
}

function who({ opinions, settled }) {
  const said = opinions.filter(({ by }) => by).map((each) => `${each.by}: ${labelText(each)}`);
  if (settled) said.push(settled.by ? `decided by ${settled.by}` : "decided");
  return said.length ? [" ", make("span", { class: "small" }, bdi(said.join(", ")))] : [];
}

// What people say of a row, to choose from.
function decisions({ row, opinions }) {
  const choices = new Map(opinions.map((each) => [labelText(each), each]));
  const buttons = [...choices].map(([text, { code, state }]) => {
    const value = JSON.stringify({ row, code, state });
    return make("button", { type: "button", name: "settle", value }, "decide: ", bdi(text));
  });
  return make("div", { class: "actions" }, ...buttons);
}
