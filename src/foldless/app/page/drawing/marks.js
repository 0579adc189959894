// Words that support the leading class, marked in a text.

import { make } from "./elements.js";

// The text with marks: spans are [start, end, strength], in their order and apart from each other.
export function marked(text, spans) {
  const parts = [];
  let at = 0;
  for (const [start, end, strength] of spans) {
    if (end > text.length) break; // folded
    parts.push(text.slice(at, start), make("mark", { class: `speaks-${strength}` }, text.slice(start, end)));
    at = end;
  }
  return [...parts, text.slice(at)];
}
