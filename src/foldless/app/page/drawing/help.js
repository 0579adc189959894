// All keys: those of the classes, and one for each action.

import { sections } from "../state.js";
import { hasManyClasses } from "./classes.js";
import { byId, make } from "./elements.js";

// What is pressed by which key. Capital letters leave small ones to the names of classes.
const ACTIONS = [
  ["#skip", "s", "skip this row"],
  ["#unsure", "q", "unsure"],
  ["#none", "x", "no class fits"],
  ["#flag", "f", "flag this row, with a note"],
  ["#undo", "u", "undo"],
  ["#redo", "r", "redo"],
  ["#new", "n", "name a new class"],
  ["#unfold", ".", "the whole of a long text or wide table, or its beginning"],
  ["#guide-open", "G", "guidelines and examples"],
  ["#look-back", "l", "look back at what is labeled"],
  ["#review-back", "<", "previous rows, when looking back"],
  ["#review-on", ">", "next rows, when looking back"],
  ["#find", "P", "find rows of the pool, to pick one"],
  ["#search-back", "[", "previous rows, of those found"],
  ["#search-on", "]", "next rows, of those found"],
  ["#more", "M", "more rows, once a batch is done"],
  ["#go", "g", "start the race, or continue"],
  ["#stop", "X", "stop the race and choose now"],
  ["#setting > summary", "O", "models, criterion and rows"],
  ["#all", "A", "all candidates"],
  ["#enough summary", "T", "the target"],
  ["#save", "S", "save model, labels and report"],
  ["#end", "E", "done: return the labels"],
  ["#final > summary", "C", "the command of the final model"],
  ["#train-final", "F", "train the final model"],
  ["#data summary", "D", "columns as recognized"],
  ["#view-open", "V", "columns, and what the model may show"],
  ["#likely", "L", "likely classes first, or not"],
  ["#words", "W", "mark words that support the leading class, or not"],
  ["#help-open", "?", "this list of keys"],
];

// Gives each element its key, which screen readers say too.
export function nameShortcuts() {
  for (const [selector, key] of ACTIONS) {
    const element = document.querySelector(selector);
    if (!element) continue;
    element.dataset.key = key;
    element.setAttribute("aria-keyshortcuts", /^\p{Lu}$/u.test(key) ? `Shift+${key}` : key);
  }
}

export function drawHelp() {
  const lines = [...classKeys(), ...actionKeys()];
  byId("help-keys").replaceChildren(
    ...lines.map(([keys, text]) =>
      make("tr", {}, make("td", {}, ...keys.map((key) => make("kbd", {}, key))), make("td", {}, text)),
    ),
  );
}

function classKeys() {
  const n = sections.problem ? sections.problem.classes.length : 0;
  const several = Boolean(sections.problem && sections.problem.several);
  const digit = several ? "tick the class with this digit, or not" : "the class with this digit";
  const saves = several ? [[["Enter"], "save the ticked classes, where nothing is typed"]] : [];
  if (n && !hasManyClasses()) return [[n > 1 ? ["1", `… ${n}`] : ["1"], digit], ...saves];
  return [
    [["1", "… 9"], digit],
    ...saves,
    [["a", "… z"], "filter the classes by their names; digits too, where names have them"],
    [["/"], "filter, for names that begin with the key of a button"],
    [["↓", "↑"], "go through the classes, in the filter"],
    [["Enter"], "the class that is marked"],
    [["Esc"], "leave the filter, or close what is open"],
  ];
}

function actionKeys() {
  return ACTIONS.filter(([selector]) => document.querySelector(selector)?.dataset.key).map(([, key, does]) => [
    /^\p{Lu}$/u.test(key) ? ["Shift", key.toLowerCase()] : [key],
    does,
  ]);
}
