// The buttons of the classes, their filter, and the line on keys.
//
// Up to nine classes have a digit each. With more, nine have one: those that were given last, each of which keeps its
// digit until a class without one takes the digit that was not used for longest. Likely classes come first only where
// a user wants that: who sees a prediction before the decision tends to follow it.

import { currentEntry, isNaming, latestLabels, noteHint, sections, tickedNames } from "../state.js";
import { bdi, byId, fold, make } from "./elements.js";
import { preference } from "./preferences.js";

export const MAX_CLASSES = 60; // shown at once
const DIGITS = 9; // classes with a digit each
const LIKELY = 5; // likely classes with a digit; recent ones have the others
const GROUPS = { likely: "likely, by the leading model", recent: "recent", first: "with a key", all: "all classes", one: "" };
// Where rows have several classes, a class is ticked or not, and another button saves those that are ticked.

let compared = { names: null, classes: [] }; // the classes with their names as they are compared
let slots = []; // the codes of the classes that have a digit, in the order of the digits
const usedAt = new Map(); // code -> when it was given last
let clock = 0;
let active = -1; // the place of the class that arrows have reached; -1 for the first where something is typed

export function hasManyClasses() {
  return sections.problem.classes.length > DIGITS;
}

export function drawClasses() {
  if (!sections.problem || !sections.labels) return;
  const { classes, open } = sections.problem, filter = byId("filter");
  filter.hidden = !hasManyClasses() && !isNaming;
  filter.placeholder = isNaming ? "the name of a new class, then Enter" : "type to filter the classes";
  byId("new").hidden = !open;
  if (!open) delete byId("new").dataset.key; // the letter is free for the filter
  noteRecentClasses();
  const showsLikely = likelyCodes().length > 0 && hasManyClasses();
  if (showsLikely) noteHint(currentEntry().row, "likely");
  byId("hint-remark").hidden = !showsLikely;
  byId("hint-remark").textContent = "Likely classes come first: decide before you look at them.";
  const matching = matchingClasses(), typed = filter.value.trim();
  active = Math.min(active, Math.min(matching.length, MAX_CLASSES) - 1);
  const content = [...tickedBlock(), ...groupsOf(matching.slice(0, MAX_CLASSES))];
  if (matching.length > MAX_CLASSES) content.push(remark(`and ${matching.length - MAX_CLASSES} more: type to filter`));
  if (!matching.length && !(open && typed)) content.push(remark("no class has these letters"));
  const isNew = open && typed && !classes.includes(typed);
  if (isNew && currentEntry() && (isNaming || !matching.length)) content.push(newClassButton(typed));
  const focused = byId("classes").contains(document.activeElement) ? document.activeElement.id : "";
  byId("classes").replaceChildren(...content);
  setRoles();
  drawGive();
  if (focused && byId(focused)) byId(focused).focus(); // who walks by Tab stays where they are
}

// A listbox of the filter where there is one, and plain buttons otherwise.
function setRoles() {
  const place = byId("classes"), filter = byId("filter"), many = hasManyClasses();
  place.setAttribute("role", many ? "listbox" : "group");
  if (many && sections.problem.several) place.setAttribute("aria-multiselectable", "true");
  for (const button of place.querySelectorAll("button[value]")) {
    if (many && button.name !== "new") button.setAttribute("role", "option");
  }
  const chosen = place.querySelector(".active");
  if (chosen) filter.setAttribute("aria-activedescendant", chosen.id);
  else filter.removeAttribute("aria-activedescendant");
}

function foldedClasses() {
  const names = sections.problem.classes;
  if (compared.names !== names) {
    compared = { names, classes: names.map((name, code) => ({ name, code, folded: fold(name) })) };
  }
  return compared.classes;
}

// Those that begin with what is typed, then those with a word that does, then those that contain it, each with its
// name and code. Where nothing is typed, those with a digit come first.
export function matchingClasses(typed = byId("filter").value) {
  const wanted = fold(typed.trim());
  if (!wanted) return hasManyClasses() ? digitsFirst() : foldedClasses().map((each) => ({ ...each, group: "one" }));
  const ranks = [[], [], []];
  for (const each of foldedClasses()) {
    const at = each.folded.indexOf(wanted);
    if (at === 0) ranks[0].push(each);
    else if (at > 0) ranks[beginsWord(each.folded, wanted) ? 1 : 2].push(each);
  }
  return ranks.flat().map((each) => ({ ...each, group: "one" }));
}

function beginsWord(name, wanted) {
  return name.split(/[^\p{L}\p{N}]+/u).some((word) => word.startsWith(wanted));
}

function digitsFirst() {
  const all = foldedClasses(), likely = likelyCodes();
  const recent = slots.filter((code) => !likely.includes(code)).slice(0, DIGITS - likely.length);
  const first = new Set([...likely, ...recent]);
  return [
    ...likely.map((code) => ({ ...all[code], group: "likely" })),
    ...recent.map((code) => ({ ...all[code], group: usedAt.size ? "recent" : "first" })),
    ...all.filter(({ code }) => !first.has(code)).map((each) => ({ ...each, group: "all" })),
  ];
}

function likelyCodes() {
  const entry = currentEntry(), hints = sections.hints;
  if (!entry || !hints || !preference("likely", false)) return [];
  const codes = (hints.likely[entry.row] || []).map((name) => sections.problem.classes.indexOf(name));
  return codes.filter((code) => code >= 0).slice(0, LIKELY);
}

// Each class that was given last keeps its digit, or takes the one that was not used for longest.
function noteRecentClasses() {
  if (!hasManyClasses()) return;
  if (!slots.length) slots = foldedClasses().slice(0, DIGITS).map(({ code }) => code);
  for (const code of latestLabels().flatMap(([, given]) => given)) {
    usedAt.set(code, ++clock);
    if (slots.includes(code)) continue;
    const oldest = slots.reduce((best, each, at) => (lastUse(each) < lastUse(slots[best]) ? at : best), 0);
    slots[oldest] = code;
  }
}

function lastUse(code) {
  return usedAt.get(code) ?? 0;
}

// The class of a digit; undefined where the digit is part of what is typed, as some name goes on with it.
export function classOfDigit(digit, inFilter) {
  if (inFilter && isPartOfName(digit)) return undefined;
  return matchingClasses()[digit - 1];
}

function isPartOfName(digit) {
  const typed = byId("filter").value;
  return typed.trim() !== "" && hasManyClasses() && matchingClasses(`${typed.trimStart()}${digit}`).length > 0;
}

// ---- arrows

export function moveActive(step) {
  const last = Math.min(matchingClasses().length, MAX_CLASSES) - 1;
  active = Math.max(-1, Math.min(last, active + step));
  drawClasses();
  const chosen = byId("classes").querySelector(".active");
  if (chosen) chosen.scrollIntoView({ block: "nearest" });
}

export function resetActive() {
  active = -1;
}

// What Enter takes: where the arrows are, or the first one where something is typed.
export function activeClass() {
  const at = active < 0 && byId("filter").value.trim() ? 0 : active;
  return at < 0 ? undefined : matchingClasses()[at];
}

// ---- buttons

function groupsOf(matching) {
  const taken = activeClass(), inFilter = document.activeElement === byId("filter") && !isNaming;
  const drawn = [];
  matching.forEach((each, at) => {
    const title = GROUPS[each.group];
    if (!drawn.length || drawn[drawn.length - 1].kind !== each.group) {
      const head = title ? [make("p", { class: "small", "aria-hidden": "true" }, title)] : [];
      const block = make("div", { class: `group ${each.group}` }, ...head);
      if (title) {
        block.setAttribute("role", "group");
        block.setAttribute("aria-label", title);
      }
      drawn.push({ kind: each.group, block });
    }
    const hasDigit = at < DIGITS && !(inFilter && isPartOfName(String(at + 1)));
    drawn[drawn.length - 1].block.append(classButton(each, hasDigit ? at + 1 : null, taken && taken.code === each.code));
  });
  return drawn.map(({ block }) => block);
}

function classButton({ name, code }, digit, isActive) {
  const key = digit ? make("kbd", { "aria-hidden": "true" }, String(digit)) : null;
  const given = sections.labels.counts[code];
  const count = make("span", { class: "count" }, given ? `+${given}` : "");
  const button = { type: "button", id: `class-${code}`, value: code, disabled: !currentEntry() };
  const { several } = sections.problem, isTicked = several && tickedNames().includes(name);
  const state = `${isActive ? "active" : ""}${isTicked ? " ticked" : ""}`;
  const drawn = make("button", { ...button, class: state }, key, bdi(name), count);
  if (digit) drawn.setAttribute("aria-keyshortcuts", String(digit));
  if (hasManyClasses()) drawn.setAttribute("aria-selected", String(Boolean(several ? isTicked : isActive)));
  else if (several) {
    drawn.setAttribute("role", "checkbox");
    drawn.setAttribute("aria-checked", String(isTicked));
  }
  return drawn;
}

// Ticked classes that may not be among those shown: of many, and new ones. A click takes the tick away.
function tickedBlock() {
  const { classes } = sections.problem;
  const names = tickedNames().filter((name) => hasManyClasses() || !classes.includes(name));
  if (!names.length) return [];
  const title = make("p", { class: "small", "aria-hidden": "true" }, "ticked");
  const buttons = names.map((name) => {
    const code = classes.indexOf(name), what = code < 0 ? { name: "new", value: name } : { value: code };
    const drawn = make("button", { type: "button", class: "ticked", ...what }, bdi(name), " ×");
    drawn.setAttribute("aria-label", `take away ${name}`);
    return drawn;
  });
  const block = make("div", { class: "group ticks" }, title, ...buttons);
  block.setAttribute("role", "group");
  block.setAttribute("aria-label", "ticked");
  return [block];
}

function drawGive() {
  const ticked = tickedNames();
  byId("give").hidden = !sections.problem.several;
  byId("give").disabled = !ticked.length;
  byId("give-what").replaceChildren(...(ticked.length ? [": ", bdi(ticked.join(", "))] : []));
}

function newClassButton(typed) {
  const key = isNaming ? make("kbd", {}, "Enter") : null;
  return make("button", { type: "button", name: "new", value: typed }, key, "new class ", bdi(typed));
}

function remark(text) {
  return make("span", { class: "small" }, text);
}

export function drawKeys() {
  const { classes, open, several } = sections.problem;
  byId("keys").textContent = hasManyClasses()
    ? "Type letters to filter the classes, / first for those that begin with the key of a button; arrows and Enter, " +
      `or a digit, ${several ? "tick one, and Enter where nothing is typed saves" : "label"}. ? shows all keys.`
    : `1–${classes.length} ${several ? "ticks, Enter saves" : "labels"}, u undoes, s skips, ${open ? "n names a new class, " : ""}g continues, ? shows all keys.`;
}
