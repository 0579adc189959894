// What keys do: digits label, letters filter many classes, and each button with a data-key is pressed by its key.

import { giveClass, giveNewClass, giveTicked, leaveFilter } from "./actions.js";
import { activeClass, classOfDigit, hasManyClasses, moveActive } from "./drawing/classes.js";
import { byId } from "./drawing/elements.js";
import { closeDrawer } from "./drawing/panels.js";
import { isNaming, isPicked, sections, unpickRow } from "./state.js";

const ARROWS = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 };

export function onKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || !sections.problem) return;
  const inFilter = event.target === byId("filter");
  if (document.querySelector("dialog[open]")) {
    onKeyInDialog(event);
    return;
  }
  if (event.key === "Escape" && event.target instanceof Element && event.target.closest("#guide")) closeDrawer();
  if (!inFilter && event.target instanceof Element && event.target.closest("input, select, textarea, summary")) return;
  if (/^[1-9]$/.test(event.key) && !(inFilter && isNaming)) onDigit(event, inFilter);
  else if (inFilter) onKeyInFilter(event);
  else onKeyOutside(event);
}

// The key that opened a dialog closes it.
function onKeyInDialog(event) {
  const dialog = document.querySelector("dialog[open]");
  if (event.target instanceof Element && event.target.closest("input:not([type=checkbox])")) return;
  if (event.key === dialog.dataset.openedBy) {
    event.preventDefault();
    dialog.close();
  }
}

function onDigit(event, inFilter) {
  const chosen = classOfDigit(Number(event.key), inFilter);
  if (!chosen) return; // it is part of what is typed
  event.preventDefault();
  giveClass(chosen.code);
}

function onKeyInFilter(event) {
  const { key } = event, typed = byId("filter").value;
  if (key === "Enter" && isNaming) giveNewClass(typed);
  else if (key === "Enter" && sections.problem.several && !activeClass() && !typed.trim()) giveTicked();
  else if (key === "Enter") giveClass((activeClass() || {}).code);
  else if (key === "Escape") leaveFilter();
  else if (key === "ArrowDown" || key === "ArrowUp" || (ARROWS[key] && !typed)) {
    event.preventDefault(); // the place in what is typed stays
    moveActive(ARROWS[key]);
  }
}

function onKeyOutside(event) {
  const buttons = [...document.querySelectorAll("[data-key]")].filter((each) => each.dataset.key === event.key);
  const button = buttons.find((each) => !each.disabled && !each.closest("[hidden]"));
  if (event.key === "Escape") {
    closeDrawer();
    if (isPicked()) unpickRow();
  } else if (event.key === "Enter" && sections.problem.several && !isOfAnother(event.target)) {
    event.preventDefault(); // on a class, too: the space bar ticks it
    giveTicked();
  } else if (buttons.length) {
    event.preventDefault(); // the letter is not part of a name, also where the button can not be pressed now
    if (button) button.click();
  } else if (hasManyClasses() && (event.key === "/" || /^\p{L}$/u.test(event.key))) {
    byId("filter").focus(); // which takes the letter, but not the slash
    if (event.key === "/") event.preventDefault();
  }
}

// Whether Enter presses what has the focus, and does not save the ticked classes.
function isOfAnother(target) {
  return target instanceof Element && Boolean(target.closest("button, a, summary")) && !target.closest("#classes");
}
