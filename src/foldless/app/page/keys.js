// What keys do: digits label, letters filter many classes, and u, r, s, q, x, f, l, g and n are actions.

import {
  beUnsure, fitNone, giveClass, giveNewClass, leaveFilter, nameClass, redo, skip, startFlag, startRace, toggleReview,
  undo,
} from "./actions.js";
import { hasManyClasses, matchingClasses } from "./drawing/classes.js";
import { byId } from "./drawing/elements.js";
import { isNaming, isPicked, sections, unpickRow } from "./state.js";

export function onKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || !sections.problem) return;
  const inFilter = event.target === byId("filter");
  if (!inFilter && event.target instanceof Element && event.target.closest("input, select, textarea, summary")) return;
  if (/^[1-9]$/.test(event.key) && !(inFilter && isNaming)) {
    event.preventDefault();
    const chosen = matchingClasses()[Number(event.key) - 1];
    if (chosen) giveClass(chosen.code);
  } else if (inFilter) {
    onKeyInFilter(event.key, byId("filter").value);
  } else {
    onKeyOutside(event);
  }
}

function onKeyInFilter(key, typed) {
  if (key === "Enter" && isNaming) giveNewClass(typed);
  else if (key === "Enter" && typed.trim()) giveClass((matchingClasses()[0] || {}).code);
  else if (key === "Escape") leaveFilter();
}

function onKeyOutside(event) {
  if (event.key === "u") undo();
  else if (event.key === "r") redo();
  else if (event.key === "s") skip();
  else if (event.key === "q") beUnsure();
  else if (event.key === "x") fitNone();
  else if (event.key === "l") openList(event);
  else if (event.key === "f") {
    event.preventDefault(); // the letter is not part of the note
    startFlag();
  } else if (event.key === "Escape" && isPicked()) unpickRow();
  else if (event.key === "g") startRace();
  else if (event.key === "n" && sections.problem.open) {
    event.preventDefault(); // the letter is not part of the name
    nameClass();
  } else if (hasManyClasses() && (event.key === "/" || /^\p{L}$/u.test(event.key))) {
    byId("filter").focus(); // which takes the letter, but not the slash
    if (event.key === "/") event.preventDefault();
  }
}

function openList(event) {
  event.preventDefault(); // the letter is not looked for
  toggleReview();
}
