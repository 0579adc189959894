// What a user can do. Orders go to the server one after the other; the page shows what they claim at once.

import { byId } from "./drawing/elements.js";
import { look } from "./polling.js";
import { order } from "./server.js";
import * as state from "./state.js";

const tab = Array.from(crypto.getRandomValues(new Uint32Array(4)), (number) => number.toString(16)).join("");
let lastOrder = Promise.resolve();

// The values of an order, or a function that knows them when the orders before it are answered.
function send(name, values, claim = null) {
  state.orderSent();
  lastOrder = lastOrder.then(async () => {
    try {
      const answer = await order(name, typeof values === "function" ? values() : values);
      state.orderAccepted(claim, answer.version, answer.entry);
    } catch (error) {
      state.orderRefused(claim, `${name === "label" ? "Not saved. " : ""}${error.message}`);
    }
    state.orderAnswered();
    look();
  });
}

// ---- labels

export function giveClass(code) {
  const entry = state.currentEntry();
  if (!entry || code === undefined) return;
  leaveFilter();
  send("label", { row: entry.row, code, tab }, state.claimLabel(entry.row, code));
}

export function giveNewClass(typed) {
  const entry = state.currentEntry(), name = typed.trim();
  if (!entry || !name) return;
  const known = state.sections.problem.classes.indexOf(name);
  if (known >= 0) {
    giveClass(known);
    return;
  }
  leaveFilter();
  send("new", { row: entry.row, name, tab }, state.claimLabel(entry.row, "new"));
}

export function skip() {
  const entry = state.currentEntry();
  if (entry) send("skip", { row: entry.row, tab }, state.claimLabel(entry.row, "skip"));
}

export function undo() {
  const claim = state.claimUndo();
  if (!claim) return;
  // a label that was not saved has no entry: then there is nothing to undo, and the server says so
  send("undo", () => ({ row: claim.row, entry: claim.undone.entry ?? -1, tab }), claim);
}

export function askForMoreRows() {
  send("more", {});
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
