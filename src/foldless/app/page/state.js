// What the page knows: the sections that the server sent, and what this page adds to them.
//
// Only the functions below "changes" change it: other modules cannot assign what they import. Each change is announced
// by name to those who called whenChanged: by the name of a section, or as "row" (which row is shown, or what was said
// of rows), "ticks", "filter", "orders", "trouble", "saving", "ranking", "review", "search" or "agreement".

export let sections = Object.freeze({}); // of the server: problem, labels, batch, work, race, result, rounds, saved
export let version = 0; // of the sections
export let trouble = ""; // what went wrong between page and server
export let unanswered = 0; // orders
export let lastSaved = null; // when an order about a row was last accepted
export let isNaming = false; // whether the filter takes the name of a new class
export let isSaving = false;
export let showsAllCandidates = false;
export let remark = ""; // what the model says of the row that was labeled last
export let isNoting = false; // whether a note for a flag is typed
export let review = null; // a page of the list of labels, as the server sent it
export let isReviewOpen = false;
export let found = null; // a page of rows of the pool that were searched for
export let isSearchOpen = false;
export let agreement = null; // how far people agree with each other and with themselves
export const asked = { words: "", label: "", state: "", by: "", day: "", order: "unlikely", offset: 0 }; // of the list

const claims = new Map(); // row -> what this page has said of it and the sections do not show yet
const shownRows = new Map(); // row -> its entry in a batch
const handled = []; // the claims of rows that this page labeled or skipped, in their order
const undone = []; // what was undone since, the last one last
const repeatClaims = new Map(); // row -> what this page has said of it when it was shown again
const hintsSeen = new Map(); // row -> what this page has shown of the model's opinion before the row had an answer
const listeners = [];
let skippedRows = new Set();
let pickedRow = null; // shown before those of the batch, as it was undone, not saved, or picked from the list
let changedRow = null; // picked from the list: it is shown though it has a label
let ticks = null; // where rows have several classes: names of those that are ticked, and the entry they are of

// ---- questions

// The code of a row's class, "skip", "new" for a class that the server does not know yet, or null.
export function labelOf(row) {
  if (claims.has(row)) return claims.get(row).code;
  const code = sections.labels.given[row];
  if (code !== undefined) return code;
  return skippedRows.has(row) ? "skip" : null;
}

export function countLabels() {
  return sections.labels ? Object.keys(sections.labels.given).length : 0;
}

export function openEntries() {
  return (sections.batch || []).filter(isOpen);
}

function isOpen(entry) {
  if (!entry.repeat) return labelOf(entry.row) === null;
  if (repeatClaims.has(entry.row)) return repeatClaims.get(entry.row) === null;
  return !sections.labels.repeated.includes(entry.row);
}

// The labels that count for the model; countLabels has those of this person.
export function countAll() {
  return sections.labels ? sections.labels.total : 0;
}

export function currentEntry() {
  if (!sections.labels) return null;
  if (changedRow !== null) return shownRows.get(changedRow);
  if (pickedRow !== null && shownRows.has(pickedRow) && labelOf(pickedRow) === null) return shownRows.get(pickedRow);
  return openEntries()[0] || null;
}

export function canUndo() {
  return handled.length > 0;
}

// What an undo takes back, or a redo brings back: a claim with its row and code; null where there is none.
export function nextUndo() {
  return handled[handled.length - 1] || null;
}

export function nextRedo() {
  return undone[undone.length - 1] || null;
}

// Whether the row that is shown was picked from the list, and not drawn.
export function isPicked() {
  return changedRow !== null;
}

export function nameOf({ code, name, names }) {
  if (name) return name;
  if (Array.isArray(code)) return [...code.map((each) => sections.problem.classes[each]), ...(names || [])].join(", ");
  return typeof code === "number" ? sections.problem.classes[code] : STATES[code] || String(code);
}

// The names of the classes that are ticked for the row that is shown. A row that is changed or was undone begins with
// the classes that it had, but not one that is shown again: who labels shall not see what they said before.
export function tickedNames() {
  const entry = currentEntry();
  if (!entry || !sections.problem.several) return [];
  if (ticks && ticks.row === entry.row && ticks.repeat === Boolean(entry.repeat)) return ticks.names;
  if (entry.repeat) return [];
  const before = undone.find(({ row, repeat }) => row === entry.row && !repeat), now = labelOf(entry.row);
  const { code, names } = Array.isArray(now) ? { code: now } : before || {};
  return Array.isArray(code) ? [...code.map((each) => sections.problem.classes[each]), ...(names || [])] : [];
}

export const STATES = Object.freeze({
  skip: "skipped", unsure: "unsure", none: "no class fits", flag: "flagged", disputed: "people differ",
});

// The last labels, each as its row and the code of its class.
export function latestLabels() {
  return sections.labels ? sections.labels.latest.filter(([row]) => labelOf(row) !== null) : [];
}

export function isRacing() {
  return Boolean(sections.work && sections.work.doing === "choose");
}

// ---- changes

export function whenChanged(listener) {
  listeners.push(listener);
}

function announce(...names) {
  const changed = new Set(names);
  for (const listener of listeners) listener(changed);
}

export function receive(answer) {
  const changed = answer.sections;
  version = answer.version;
  if (!Object.keys(changed).length) return;
  sections = Object.freeze({ ...sections, ...changed });
  for (const [row, claim] of claims) if (claim.version !== undefined && claim.version <= version) claims.delete(row);
  if (changed.labels) skippedRows = new Set(changed.labels.skipped);
  if (changed.batch) {
    for (const entry of changed.batch) shownRows.set(entry.row, entry);
    if (pickedRow !== null && labelOf(pickedRow) !== null) pickedRow = null;
  }
  if (changed.work) trouble = "";
  if (changed.saved || (changed.work && changed.work.problem)) isSaving = false;
  announce(...Object.keys(changed));
}

// A hint was drawn with a row: it was seen, also where it is switched off before the answer.
export function noteHint(row, kind) {
  if (!hintsSeen.has(row)) hintsSeen.set(row, new Set());
  hintsSeen.get(row).add(kind);
}

// The entry is that of the row which is shown; "how" is what else was said: the name of a new class, or a note.
export function claimAnswer(entry, code, how = {}) {
  const hints = [...(hintsSeen.get(entry.row) || [])];
  const claim = { row: entry.row, code, ...how, hints, picked: isPicked(), repeat: Boolean(entry.repeat) };
  pickedRow = null;
  changedRow = null;
  ticks = null;
  handled.push(claim);
  undone.length = 0;
  return addClaim(claim);
}

// Ticks a class of the row that is shown, or takes the tick away.
export function toggleTick(name) {
  const { row, repeat } = currentEntry(), before = tickedNames();
  const names = before.includes(name) ? before.filter((each) => each !== name) : [...before, name];
  ticks = { row, repeat: Boolean(repeat), names };
  announce("ticks");
}

// A decision about a row of which people say different things.
export function claimDecision(row) {
  const claim = { row, code: null, settles: true };
  undone.length = 0;
  return claim;
}

// Brings back what was undone last; null where nothing was.
export function claimRedo() {
  const before = undone.pop();
  if (before === undefined) return null;
  const { row, code, name, names, note, hints, picked, repeat } = before;
  pickedRow = null;
  ticks = null;
  const claim = { row, code, name, names, note, hints, picked, repeat };
  handled.push(claim);
  return addClaim(claim);
}

export function pickRow(card) {
  shownRows.set(card.row, { texts: [], cells: [], more: 0, ...card, why: "picked from a list; the estimate does not " +
    "count a label of a picked row, unless the row was drawn before" });
  changedRow = card.row;
  ticks = null;
  announce("row");
}

export function unpickRow() {
  changedRow = null;
  announce("row");
}

// Takes back what this page said last, and no other page's labels; null where it said nothing.
export function claimUndo() {
  const last = handled.pop();
  if (last === undefined) return null;
  undone.push(last);
  changedRow = null;
  ticks = null;
  if (!last.repeat) pickedRow = last.row;
  return addClaim({ row: last.row, code: null, undone: last, repeat: last.repeat });
}

function addClaim(claim) {
  if (claim.repeat) repeatClaims.set(claim.row, claim.code);
  else claims.set(claim.row, claim);
  remark = "";
  announce("row");
  return claim;
}

export function orderSent() {
  unanswered += 1;
  announce("orders");
}

// The claim is null for an order that is not about a row. The entry is the number by which it can be undone.
export function orderAccepted(claim, atVersion, entry) {
  if (claim !== null) {
    claim.entry = entry;
    if (claims.get(claim.row) === claim) claim.version = atVersion;
    lastSaved = new Date();
  }
  setTrouble("");
}

// What the model says otherwise, after a row has its label.
export function setRemark(text) {
  remark = text;
  announce("row");
}

export function setNoting(value) {
  isNoting = value;
  announce("filter");
}

export function openReview(value) {
  isReviewOpen = value;
  announce("review");
}

export function askReview(values) {
  Object.assign(asked, { offset: 0, ...values });
}

export function receiveReview(page) {
  review = page;
  announce("review");
}

export function openSearch(value) {
  isSearchOpen = value;
  announce("search");
}

export function receiveFound(page) {
  found = page;
  announce("search");
}

export function receiveAgreement(answer) {
  agreement = answer;
  announce("agreement");
}

export function orderRefused(claim, text) {
  if (claim !== null) {
    if (claims.get(claim.row) === claim) claims.delete(claim.row);
    if (claim.repeat) repeatClaims.delete(claim.row);
    if (handled[handled.length - 1] === claim) handled.pop();
    if (!claim.repeat && !claim.settles) pickedRow = claim.row;
  }
  trouble = text;
  announce("trouble", "row");
}

export function orderAnswered() {
  unanswered -= 1;
  announce("orders");
}

export function setTrouble(text) {
  trouble = text;
  announce("trouble");
}

export function setNaming(value) {
  isNaming = value;
  announce("filter");
}

export function startSaving() {
  isSaving = true;
  announce("saving");
}

export function showAllCandidates() {
  showsAllCandidates = true;
  announce("ranking");
}
