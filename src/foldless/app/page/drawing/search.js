// Rows of the pool that contain what is typed: one is picked to be labeled.

import { found, isSearchOpen } from "../state.js";
import { byId, make } from "./elements.js";
import { counted } from "./words.js";

const SNIPPET = 240; // characters of a row in the list

export function drawSearch() {
  byId("search").hidden = !isSearchOpen;
  byId("find").setAttribute("aria-expanded", String(isSearchOpen));
  if (!isSearchOpen) return;
  const { rows, total, offset, words } = found || { rows: [], total: 0, offset: 0, words: "" };
  byId("search-count").textContent = words ? counted(total, "row") : "";
  const nothing = words ? [make("li", { class: "small" }, "No row without an answer matches.")] : [];
  byId("search-rows").replaceChildren(...(rows.length ? rows.map(line) : nothing));
  byId("search-pages").hidden = total <= rows.length;
  byId("search-page").textContent = `${offset + 1} to ${offset + rows.length}`;
  byId("search-back").disabled = offset === 0;
  byId("search-on").disabled = offset + rows.length >= total;
}

function line({ row, texts, cells }) {
  const content = texts.length ? texts.map(([, text]) => text) : cells.map(([name, value]) => `${name} ${value}`);
  const all = content.join("\n"), letters = [...all.slice(0, 2 * SNIPPET)].slice(0, SNIPPET).join("");
  const text = letters.length < all.length ? `${letters}…` : all;
  const button = { type: "button", class: "pick", name: "pick", value: row, dir: "auto" };
  return make("li", {}, make("button", button, text), make("p", { class: "small" }, `row ${row + 1}`));
}
