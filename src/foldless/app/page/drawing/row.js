// The row to label, with the labels before it. Long texts and wide tables are folded until they are asked for.

import { canUndo, countLabels, currentEntry, isRacing, latestLabels, nameOf, noteHint, openEntries, sections } from "../state.js";
import { arranged, hiddenCount } from "./columns.js";
import { bdi, byId, make } from "./elements.js";
import { marked } from "./marks.js";
import { preference } from "./preferences.js";
import { counted } from "./words.js";

const LATEST = 4; // labels that are listed
const LONG = 1200; // characters of a text before it is folded: what a screen shows without scrolling
const LONG_CELL = 300;
const WIDE = 24; // columns before a row is folded

let wholeRow = null; // the row that is shown unfolded
let drawn = {}; // what the row was drawn of: drawing it again would lose what is selected, and take time

export function drawRow() {
  if (!sections.problem || !sections.labels) return;
  const entry = currentEntry(), open = openEntries().length;
  byId("batch-left").textContent = open ? `${counted(open, "row")} left of this batch` : "";
  byId("why").replaceChildren(...(entry && entry.why ? [bdi(reasonOf(entry))] : []));
  drawContent(entry);
  byId("skip").disabled = !entry;
  byId("more").hidden = Boolean(open) || isRacing();
  byId("undo").disabled = !canUndo();
  drawLatestLabels();
}

function drawContent(entry) {
  const now = { entry, whole: entry && wholeRow === entry.row, words: wordsOf(entry), empty: entry ? "" : whyNoRow() };
  const columns = JSON.stringify(preference("columns", {}));
  if (Object.keys(now).every((key) => now[key] === drawn[key]) && columns === drawn.columns) return;
  const place = byId("row");
  if (entry && now.words && Object.keys(now.words).length) noteHint(entry.row, "words");
  place.replaceChildren(...(entry ? contentOf(entry, now) : [make("p", { class: "empty" }, now.empty)]));
  place.classList.toggle("whole", Boolean(now.whole));
  if (!drawn.entry || !entry || drawn.entry.row !== entry.row) place.scrollTop = 0;
  drawn = { ...now, columns };
  byId("unfold").hidden = !entry || !(now.whole || isFolded(entry));
  byId("unfold-text").textContent = now.whole ? "less" : "more";
  byId("unfold").setAttribute("aria-expanded", String(Boolean(now.whole)));
}

export function toggleWhole() {
  const entry = currentEntry();
  if (!entry) return;
  wholeRow = wholeRow === entry.row ? null : entry.row;
  drawRow();
}

// Why a row is shown, without the classes that the leaders think of: who labels shall not follow them.
function reasonOf({ why }) {
  return why.split(": ")[0];
}

function drawLatestLabels() {
  const latest = latestLabels().slice(-LATEST).reverse();
  byId("latest").replaceChildren(
    ...latest.map(([row, code]) => make("li", {}, `row ${row + 1}: `, bdi(nameOf({ code })))),
  );
}

function wordsOf(entry) {
  const { hints } = sections;
  return entry && hints && preference("words", false) ? hints.words[entry.row] : undefined;
}

// ---- what a row holds

function contentOf(entry, { whole, words }) {
  const { pinned, texts, cells } = arranged(entry);
  const shown = whole ? cells : cells.slice(0, WIDE), folded = cells.length - shown.length;
  const drawnCells = shown.map(([name, value]) => cell(name, value, whole));
  const left = folded + (entry.more || 0);
  if (left > 0) drawnCells.push(remarkCell(counted(left, "more column")));
  const hidden = hiddenCount(entry);
  if (hidden) drawnCells.push(remarkCell(`${counted(hidden, "column")} hidden`));
  return [
    ...(pinned.length ? [make("dl", { class: "pinned" }, ...pinned.map(([name, value]) => cell(name, value, whole)))] : []),
    ...(entry.pictures || []).map(picture),
    ...texts.flatMap(([name, text]) => [
      ...(texts.length > 1 || pinned.length ? [make("p", { class: "name" }, bdi(name))] : []),
      textBlock(text, whole, (words || {})[name]),
    ]),
    ...(drawnCells.length ? [make("dl", {}, ...drawnCells)] : []),
  ];
}

function textBlock(text, whole, spans) {
  const pretty = prettyJson(text), all = pretty ?? text;
  const shown = whole ? all : beginning(all, LONG);
  const rest = all.length - shown.length;
  const more = rest ? [make("span", { class: "folded" }, ` … ${rest.toLocaleString("en")} more characters`)] : [];
  if (pretty !== null) return make("pre", { class: "json", dir: "auto" }, shown, ...more);
  return make("p", { class: "text", dir: "auto" }, ...marked(shown, spans || []), ...more);
}

function cell(name, value, whole) {
  const pretty = prettyJson(value);
  const content = make("dd", { dir: "auto" });
  if (pretty !== null) content.append(make("pre", { class: "json" }, whole ? pretty : beginning(pretty, LONG_CELL)));
  else content.append(bdi(value === "" ? "–" : whole ? value : shortened(value)));
  return make("div", { class: pretty === null ? "" : "wide" }, make("dt", {}, bdi(name)), content);
}

function remarkCell(text) {
  return make("div", { class: "remark" }, make("dt", {}, "and"), make("dd", {}, text));
}

function picture([name, source]) {
  const address = source.startsWith("data:") ? source : `/picture?path=${encodeURIComponent(source)}`;
  const image = make("img", { src: address, alt: `${name}: ${source.startsWith("data:") ? "a picture" : source}` });
  const caption = make("figcaption", { class: "name" }, bdi(name));
  image.addEventListener("error", () => caption.append(" (this picture cannot be shown)"));
  return make("figure", {}, caption, image);
}

// ---- folding

function isFolded(entry) {
  const { pinned, texts, cells } = arranged(entry);
  return (
    cells.length > WIDE ||
    (entry.pictures || []).length > 0 ||
    texts.some(([, text]) => (prettyJson(text) ?? text).length > LONG) ||
    [...pinned, ...cells].some(([, value]) => (prettyJson(value) ?? value).length > LONG_CELL)
  );
}

function shortened(value) {
  return value.length > LONG_CELL ? `${beginning(value, LONG_CELL)} …` : value;
}

// The beginning of a text, up to a space where there is one, so that no letter is cut in two.
function beginning(text, length) {
  if (text.length <= length) return text;
  const space = text.slice(0, length).search(/\s\S*$/u);
  const end = space > length / 2 ? space : length;
  return text.slice(0, /[\uD800-\uDBFF]$/.test(text.slice(0, end)) ? end - 1 : end);
}

// Objects and arrays on lines of their own; null for what is no JSON.
function prettyJson(text) {
  if (!/^\s*[[{]/.test(text)) return null;
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return null;
  }
}

function whyNoRow() {
  if (sections.batch === undefined) return "Loading rows.";
  if (countLabels() + sections.labels.skipped.length >= sections.problem.rows.pool) {
    return "Every row of the pool is labeled or skipped.";
  }
  if (isRacing()) return "All rows of this batch are labeled. The next batch comes after the race.";
  return "All rows of this batch are labeled. Continue: the next race selects the rows to label next.";
}
