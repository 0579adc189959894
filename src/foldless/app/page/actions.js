// What a user can do. Orders go to the server one after the other; the page shows what they claim at once.

import { drawClasses, resetActive } from "./drawing/classes.js";
import { byId } from "./drawing/elements.js";
import { say } from "./drawing/spoken.js";
import { look } from "./polling.js";
import { agreementNow, order, reviewPage, searchPage } from "./server.js";
import * as state from "./state.js";

const tab = Array.from(crypto.getRandomValues(new Uint32Array(4)), (number) => number.toString(16)).join("");
const TYPING = 200; // milliseconds without a key before what is typed is searched for
let lastOrder = Promise.resolve();

// The values of an order, or a function that knows them when the orders before it are answered.
function send(name, values, claim = null) {
  state.orderSent();
  lastOrder = lastOrder.then(async () => {
    try {
      const answer = await order(name, typeof values === "function" ? values() : values);
      state.orderAccepted(claim, answer.version, answer.entry);
      if (answer.otherwise && claim && claim === state.nextUndo()) {
        state.setRemark(`The model says otherwise about row ${claim.row + 1}: ${answer.otherwise}.`);
      }
    } catch (error) {
      state.orderRefused(claim, `${claim && !claim.undone ? "Not saved. " : ""}${error.message}`);
    }
    state.orderAnswered();
    look();
    if (state.isReviewOpen && claim) fetchReview();
    if (state.isSearchOpen && claim) fetchFound(state.found ? state.found.offset : 0);
  });
}

// ---- labels

// Says of a row what a claim holds: its class, a new class, or why it has none.
function sendClaim(claim) {
  const { row, code, name, names, note, hints, picked, repeat } = claim;
  const how = { row, tab, ...(picked ? { picked } : {}), ...(hints.length ? { hints } : {}) };
  const again = repeat ? { repeat } : {};
  if (code === "new") send("new", { ...how, name }, claim);
  else if (Array.isArray(code)) send("label", { ...how, ...again, code, ...(names.length ? { names } : {}) }, claim);
  else if (typeof code === "number") send("label", { ...how, ...again, code }, claim);
  else send("skip", { ...how, ...again, state: code, ...(note ? { note } : {}) }, claim);
}

export function giveClass(code) {
  const entry = state.currentEntry();
  if (!entry || code === undefined) return;
  if (problem().several) {
    tick(problem().classes[code]);
    return;
  }
  leaveFilter();
  sendClaim(state.claimAnswer(entry, code));
}

function problem() {
  return state.sections.problem;
}

// Where rows have several classes, they are ticked first; the filter is emptied for the next name.
function tick(name) {
  state.toggleTick(name);
  byId("filter").value = "";
  resetActive();
  if (state.isNaming) leaveFilter();
  drawClasses();
  const ticked = state.tickedNames();
  say(`${name} ${ticked.includes(name) ? "ticked" : "not ticked"}. ${ticked.length ? `Ticked: ${ticked.join(", ")}` : "No class is ticked"}.`);
}

export function giveTicked() {
  const entry = state.currentEntry(), ticked = state.tickedNames();
  if (!entry || !ticked.length) return;
  const { classes } = problem(), isKnown = (name) => classes.includes(name);
  leaveFilter();
  const code = ticked.filter(isKnown).map((name) => classes.indexOf(name)).sort((a, b) => a - b);
  sendClaim(state.claimAnswer(entry, code, { names: ticked.filter((name) => !isKnown(name)) }));
}

export function giveNewClass(typed) {
  const entry = state.currentEntry(), name = typed.trim();
  if (!entry || !name) return;
  const known = state.sections.problem.classes.indexOf(name);
  if (known >= 0 || entry.repeat) {
    if (known >= 0) giveClass(known);
    return;
  }
  if (problem().several) {
    tick(name);
    return;
  }
  leaveFilter();
  sendClaim(state.claimAnswer(entry, "new", { name }));
}

// The row gets no class: it is skipped, somebody is unsure, no class fits, or it is flagged, perhaps with a note.
export function giveState(code, note = "") {
  const entry = state.currentEntry();
  if (entry) sendClaim(state.claimAnswer(entry, code, { note: note.trim() }));
}

export function skip() {
  giveState("skip");
}

export function beUnsure() {
  giveState("unsure");
}

export function fitNone() {
  giveState("none");
}

// ---- a flag with a note

export function startFlag() {
  if (!state.currentEntry()) return;
  state.setNoting(true);
  byId("note").value = "";
  byId("note").focus();
}

export function endFlag(isSent) {
  const note = byId("note").value;
  byId("note").blur();
  state.setNoting(false);
  if (isSent) giveState("flag", note);
}

export function sendFlag() {
  endFlag(true);
}

// ---- back and forth

export function undo() {
  const claim = state.claimUndo();
  if (!claim) return;
  const kind = claim.repeat ? { repeat: true } : {};
  // a label that was not saved has no entry: then there is nothing to undo, and the server says so
  send("undo", () => ({ row: claim.row, entry: claim.undone.entry ?? -1, tab, ...kind }), claim);
}

export function redo() {
  const claim = state.claimRedo();
  if (claim) sendClaim(claim);
}

export function askForMoreRows() {
  send("more", {});
}

// ---- looking back

let lastReview = 0;

export async function fetchReview(values = null) {
  if (values) state.askReview(values);
  const number = (lastReview += 1);
  try {
    const page = await reviewPage(state.asked);
    if (number === lastReview) state.receiveReview(page); // another one may have been asked for since
    if (state.isReviewOpen) state.receiveAgreement(await agreementNow());
  } catch (error) {
    state.setTrouble(error.message);
  }
}

export function toggleReview() {
  state.openReview(!state.isReviewOpen);
  if (state.isReviewOpen) {
    fetchReview();
    byId("review").scrollIntoView({ block: "start" });
    byId("review-words").focus({ preventScroll: true });
  }
}

export function pickFromList(row) {
  const entry = state.review.rows.find((each) => each.row === row);
  showPicked(entry.card || { row });
}

function showPicked(card) {
  state.pickRow(card);
  byId("labeling").scrollIntoView({ block: "start" });
  byId("row").focus({ preventScroll: true });
}

// ---- searching the pool

let lastSearch = 0;

export async function fetchFound(offset = 0) {
  const words = byId("search-words").value.trim(), number = (lastSearch += 1);
  if (!words) {
    state.receiveFound(null);
    return;
  }
  await new Promise((go) => setTimeout(go, TYPING));
  if (number !== lastSearch) return; // another letter was typed
  try {
    const page = await searchPage(words, offset);
    if (number === lastSearch) state.receiveFound(page);
  } catch (error) {
    state.setTrouble(error.message);
  }
}

export function turnFound(step) {
  fetchFound(Math.max(0, state.found.offset + step));
}

export function toggleSearch() {
  state.openSearch(!state.isSearchOpen);
  if (state.isSearchOpen) {
    fetchFound();
    byId("search").scrollIntoView({ block: "start" });
    byId("search-words").focus({ preventScroll: true });
  }
}

export function pickFromFound(row) {
  showPicked(state.found.rows.find((each) => each.row === row));
}

export function settle(row, choice) {
  const answer = choice.code === null ? { state: choice.state } : { code: choice.code };
  send("settle", { row, ...answer, tab }, state.claimDecision(row));
}

// ---- the filter of the classes

export function nameClass() {
  state.setNaming(true);
  byId("filter").focus();
}

export function leaveFilter() {
  const filter = byId("filter");
  if (filter.value || state.isNaming) {
    filter.value = "";
    state.setNaming(false);
  }
  filter.blur();
}

// ---- race and files

export function startRace() {
  if (state.isRacing()) return;
  const models = [...byId("models").querySelectorAll("input:checked")].map((box) => box.value);
  send("go", { models, criterion: byId("criterion").value, rows: byId("rows").value });
}

export function stopRace() {
  send("stop", {});
}

// Return the labels to the program that waits for them.
export function end() {
  send("end", {});
}

export function sendHints(wanted) {
  send("hints", wanted);
}

export function aim(target) {
  send("aim", target);
}

export function save() {
  state.startSaving();
  send("save", {});
}

export function trainFinal() {
  send("final", {});
}
