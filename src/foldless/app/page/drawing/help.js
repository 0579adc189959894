// All keys: those of the classes, and one for each button that has one.

import { sections } from "../state.js";
import { hasManyClasses } from "./classes.js";
import { byId, make } from "./elements.js";

export function drawHelp() {
  const lines = [...classKeys(), ...buttonKeys()];
  byId("help-keys").replaceChildren(
    ...lines.map(([keys, text]) =>
      make("tr", {}, make("td", {}, ...keys.map((key) => make("kbd", {}, key))), make("td", {}, text)),
    ),
  );
}

function classKeys() {
  const n = sections.problem ? sections.problem.classes.length : 0;
  if (n && !hasManyClasses()) return [[["1", n > 1 ? `… ${n}` : ""].filter(Boolean), "the class with this digit"]];
  return [
    [["1", "… 9"], "the class with this digit"],
    [["a", "… z"], "filter the classes by their names; digits too, where names have them"],
    [["/"], "filter, for names that begin with the key of a button"],
    [["↓", "↑"], "go through the classes, in the filter"],
    [["Enter"], "the class that is marked"],
    [["Esc"], "leave the filter, or close what is open"],
  ];
}

function buttonKeys() {
  const seen = new Set();
  return [...document.querySelectorAll("[data-key]")].flatMap((button) => {
    const { key } = button.dataset;
    if (seen.has(key)) return [];
    seen.add(key);
    return [[/^\p{Lu}$/u.test(key) ? ["Shift", key.toLowerCase()] : [key], nameOf(button)]];
  });
}

function nameOf(button) {
  if (button.dataset.does) return button.dataset.does;
  return [...button.childNodes].filter((node) => node.nodeName !== "KBD").map((node) => node.textContent).join("").trim();
}

// A button that shows its key has it, and screen readers say the keys too.
export function nameShortcuts() {
  for (const shown of document.querySelectorAll("main button > kbd:first-child")) {
    const button = shown.parentElement;
    button.dataset.key ??= shown.textContent;
  }
  for (const button of document.querySelectorAll("[data-key]")) {
    const { key } = button.dataset;
    button.setAttribute("aria-keyshortcuts", /^\p{Lu}$/u.test(key) ? `Shift+${key}` : key);
  }
}
