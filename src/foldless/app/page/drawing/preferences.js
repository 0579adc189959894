// How this person likes to look at rows: kept in this browser, for the file that is labeled.

import { sections } from "../state.js";

// Used where the browser keeps nothing, as in a private window.
const unkept = new Map();

export function preference(name, otherwise) {
  const place = placeOf(name);
  try {
    const kept = localStorage.getItem(place);
    if (kept !== null) return JSON.parse(kept);
  } catch {
    // what is not there or not ours is as if nothing was chosen
  }
  return unkept.has(place) ? unkept.get(place) : otherwise;
}

export function prefer(name, value) {
  const place = placeOf(name);
  unkept.set(place, value);
  try {
    localStorage.setItem(place, JSON.stringify(value));
  } catch {
    // kept until the page is closed
  }
}

function placeOf(name) {
  return `foldless:${sections.problem ? sections.problem.train : ""}:${name}`;
}
