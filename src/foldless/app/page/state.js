// What the page knows: the sections that the server sent, and what this page adds to them.
//
// Only the functions below "changes" change it: other modules cannot assign what they import. Each change is announced
// by name to those who called whenChanged: by the name of a section, or as "row" (which row is shown, or what was said
// of rows), "filter", "orders", "trouble", "saving" or "ranking".

export let sections = Object.freeze({}); // of the server: problem, labels, batch, work, race, result, rounds, saved
export let version = 0; // of the sections
export let trouble = ""; // what went wrong between page and server
export let unanswered = 0; // orders
export let lastSaved = null; // when an order about a row was last accepted
export let isNaming = false; // whether the filter takes the name of a new class
export let isSaving = false;
export let showsAllCandidates = false;

const claims = new Map(); // row -> what this page has said of it and the sections do not show yet
const shownRows = new Map(); // row -> its entry in a batch
const handled = []; // the claims of rows that this page labeled or skipped, in their order
const listeners = [];
let skippedRows = new Set();
let pickedRow = null; // shown before those of the batch, as it was undone or not saved

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
  return (sections.batch || []).filter((entry) => labelOf(entry.row) === null);
}

export function currentEntry() {
  if (!sections.labels) return null;
  if (pickedRow !== null && shownRows.has(pickedRow) && labelOf(pickedRow) === null) return shownRows.get(pickedRow);
  return openEntries()[0] || null;
}

export function canUndo() {
  return handled.length > 0;
}

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

export function claimLabel(row, code) {
  pickedRow = null;
  const claim = addClaim(row, code);
  handled.push(claim);
  return claim;
}

// Takes back what this page said last, and no other page's labels; null where it said nothing.
export function claimUndo() {
  const undone = handled.pop();
  if (undone === undefined) return null;
  pickedRow = undone.row;
  return addClaim(undone.row, null, undone);
}

function addClaim(row, code, undone = null) {
  const claim = { row, code, undone };
  claims.set(row, claim);
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

export function orderRefused(claim, text) {
  if (claim !== null) {
    if (claims.get(claim.row) === claim) claims.delete(claim.row);
    if (handled[handled.length - 1] === claim) handled.pop();
    pickedRow = claim.row;
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
