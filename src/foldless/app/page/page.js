"use strict";
// All that comes from files is put in as text, never as HTML.

const FEW = 9; // classes with a digit each
const SHOWN = 60; // classes at once
const FIRST = 8; // candidates before all are asked for
const FAST = 350, SLOW = 1000, HIDDEN = 4000; // milliseconds between two looks at the server

const $ = (id) => document.getElementById(id);
const state = {}; // the sections of the server
const local = new Map(); // row -> what this page has said of it and the server does not show yet
const seen = new Map(); // row -> the row as it is shown
const mine = []; // rows in the order in which this page labeled or skipped them
let version = 0, picked = null, chain = Promise.resolve(), timer = 0, waiting = 0, lastSaved = null, away = false, all = false, naming = false, looking = false, again = false, saving = false;

function make(tag, properties, ...children) {
  const element = document.createElement(tag);
  for (const [key, value] of Object.entries(properties || {})) {
    if (key === "class") element.className = value;
    else if (key in element) element[key] = value;
    else element.setAttribute(key, value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}
const bdi = (text) => make("bdi", {}, String(text));
const drawing = (tag, properties, text) => {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [key, value] of Object.entries(properties)) element.setAttribute(key, value);
  if (text !== undefined) element.textContent = text;
  return element;
};
const percent = (share) => `${(100 * share).toFixed(share > 0 && share < 0.1 ? 1 : 0)} %`;
const number = (value) => (value === null || value === undefined ? "" : value.toFixed(Math.abs(value) >= 1000 ? 0 : 3).replace("-", "−"));
const counted = (n, one) => `${n.toLocaleString("en")} ${one}${n === 1 ? "" : "s"}`;
const seconds = (s) => (s < 1 ? `${(1000 * s).toFixed(0)} ms` : s < 100 ? `${s.toFixed(1)} s` : `${(s / 60).toFixed(1)} min`);

// ---- the server

async function ask(address, body) {
  const options = body === undefined ? {} : { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
  let answer;
  try {
    answer = await fetch(address, { ...options, credentials: "same-origin", cache: "no-store" });
  } catch {
    throw new Error("The server does not answer: start it again. Labels that were shown as saved are saved.");
  }
  if (answer.status === 401) throw new Error("The server was started again: open the address that the terminal shows.");
  const found = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new Error(found.problem || `The server answers with ${answer.status}.`);
  return found;
}

async function look() {
  if (looking) {
    again = true; // one at a time: an answer that was overtaken would show what is past
    return;
  }
  looking = true;
  again = false;
  clearTimeout(timer);
  try {
    const found = await ask(`/state?since=${version}`);
    version = found.version;
    if (Object.keys(found.sections).length) {
      Object.assign(state, found.sections);
      for (const [row, said] of local) if (said.version !== undefined && said.version <= version) local.delete(row);
      show(found.sections);
    }
    if (away) trouble("");
    away = false;
  } catch (error) {
    away = true;
    trouble(error.message);
  }
  looking = false;
  const pace = again ? 0 : document.hidden ? HIDDEN : state.work && state.work.doing ? FAST : SLOW;
  timer = setTimeout(look, pace);
}

function send(what, body, row, said) {
  if (row !== undefined) local.set(row, said);
  waiting += 1;
  status();
  chain = chain.then(async () => {
    try {
      const found = await ask(`/do/${what}`, body);
      if (row !== undefined && local.get(row) === said) said.version = found.version;
      if (row !== undefined) lastSaved = new Date();
      trouble("");
    } catch (error) {
      if (row !== undefined && local.get(row) === said) local.delete(row);
      if (row !== undefined && mine[mine.length - 1] === row) mine.pop();
      if (row !== undefined) picked = row;
      trouble(`${what === "label" ? "Not saved. " : ""}${error.message}`);
      label();
    }
    waiting -= 1;
    status();
    look();
  });
  return chain;
}

function trouble(text) {
  const own = $("trouble"), problem = text || (state.work && state.work.problem) || "";
  own.hidden = !problem;
  own.textContent = problem;
}

// ---- labeling

function said(row) {
  if (local.has(row)) return local.get(row).code;
  const code = state.labels.given[row];
  return code !== undefined ? code : skippedRows().has(row) ? "skip" : null;
}
function skippedRows() {
  if (state.labels.set === undefined) state.labels.set = new Set(state.labels.skipped);
  return state.labels.set;
}
function open_() {
  return (state.batch || []).filter((entry) => said(entry.row) === null);
}
function current() {
  if (!state.labels) return null;
  if (picked !== null && seen.has(picked) && said(picked) === null) return seen.get(picked);
  return open_()[0] || null;
}

function give(code) {
  const entry = current();
  if (!entry || code === undefined) return;
  picked = null;
  mine.push(entry.row);
  leaveFilter();
  send("label", { row: entry.row, code }, entry.row, { code });
  label();
}
function nameClass() {
  naming = true;
  $("filter").placeholder = "the name of a new class, then Enter";
  buttons();
  $("filter").focus();
}
function giveNew(name) {
  const entry = current(), known = state.problem.classes.indexOf(name.trim());
  if (!entry || !name.trim()) return;
  if (known >= 0) {
    give(known);
    return;
  }
  picked = null;
  mine.push(entry.row);
  leaveFilter();
  send("new", { row: entry.row, name: name.trim() }, entry.row, { code: "new" });
  label();
}
function skip() {
  const entry = current();
  if (!entry) return;
  picked = null;
  mine.push(entry.row);
  send("skip", { row: entry.row }, entry.row, { code: "skip" });
  label();
}
function undo() {
  const latest = (state.labels ? state.labels.latest : []).map(([row]) => row).filter((row) => said(row) !== null);
  const row = mine.length ? mine.pop() : latest[latest.length - 1];
  if (row === undefined) return;
  picked = row;
  send("undo", { row }, row, { code: null });
  label();
}

function visibleClasses() {
  const names = state.problem.classes.map((name, code) => ({ name, code }));
  const typed = $("filter").value.trim().toLowerCase();
  if (!typed) return names;
  const begins = names.filter(({ name }) => name.toLowerCase().startsWith(typed));
  return [...begins, ...names.filter((each) => each.name.toLowerCase().includes(typed) && !begins.includes(each))];
}

function leaveFilter() {
  if ($("filter").value || naming) {
    $("filter").value = "";
    $("filter").placeholder = "type to filter the classes";
    naming = false;
    buttons();
  }
  $("filter").blur();
}

function buttons() {
  const many = state.problem.classes.length > FEW, counts = (state.labels && state.labels.counts) || [];
  $("filter").hidden = !many && !naming;
  $("new").hidden = !state.problem.open;
  const found = visibleClasses(), entry = current(), typed = $("filter").value.trim();
  $("classes").replaceChildren(
    ...found.slice(0, SHOWN).map(({ name, code }, at) => {
      const key = at < FEW ? make("kbd", {}, String(at + 1)) : null;
      const button = make("button", { type: "button", disabled: !entry }, key, bdi(name), make("span", { class: "count" }, counts[code] ? `+${counts[code]}` : ""));
      button.addEventListener("click", () => give(code));
      return button;
    }),
    ...(found.length > SHOWN ? [make("span", { class: "small" }, `and ${found.length - SHOWN} more: type to filter`)] : []),
    ...(found.length || (state.problem.open && typed) ? [] : [make("span", { class: "small" }, "no class has these letters")]),
    ...(state.problem.open && entry && typed && !state.problem.classes.includes(typed) && (naming || !found.length) ? [newButton(typed)] : []),
  );
}

function newButton(typed) {
  const button = make("button", { type: "button" }, naming ? make("kbd", {}, "Enter") : null, "new class ", bdi(typed));
  button.addEventListener("click", () => giveNew(typed));
  return button;
}

function label() {
  if (!state.problem || !state.labels) return;
  const entry = current(), left = open_().length;
  $("batch-left").textContent = left ? `${counted(left, "row")} left of this batch` : "";
  $("why").replaceChildren(...(entry && entry.why ? [bdi(entry.why)] : []));
  $("row").replaceChildren(...(entry ? shownRow(entry) : [make("p", { class: "empty" }, emptyText())]));
  $("row").scrollTop = 0;
  $("skip").disabled = !entry;
  $("more").hidden = Boolean(left) || working();
  $("undo").disabled = !mine.length && !state.labels.latest.length;
  const latest = [...state.labels.latest].filter(([row]) => said(row) !== null).slice(-4).reverse();
  $("latest").replaceChildren(...latest.map(([row, code]) => make("li", {}, `row ${row + 1}: `, bdi(state.problem.classes[code]))));
  buttons();
  go();
}

function emptyText() {
  if (state.batch === undefined) return "Loading rows.";
  const given = Object.keys(state.labels.given).length + state.labels.skipped.length;
  if (given >= state.problem.rows.pool) return "Every row of the pool is labeled or skipped.";
  return working() ? "All rows of this batch are labeled. The next batch comes after the race." : "All rows of this batch are labeled. Continue: the next race selects the rows to label next.";
}

function shownRow(entry) {
  const texts = entry.texts.flatMap(([name, text]) => [
    ...(entry.texts.length > 1 ? [make("p", { class: "name" }, bdi(name))] : []),
    make("p", { class: "text", dir: "auto" }, text),
  ]);
  const cells = entry.cells.map(([name, value]) => make("div", {}, make("dt", {}, bdi(name)), make("dd", {}, bdi(value === "" ? "–" : value))));
  if (entry.more) cells.push(make("div", {}, make("dt", {}, "and"), make("dd", {}, `${entry.more} more columns`)));
  return [...texts, ...(cells.length ? [make("dl", {}, ...cells)] : [])];
}

function status() {
  const own = $("status");
  own.className = waiting ? "waiting" : "";
  const n = state.labels ? Object.keys(state.labels.given).length : 0;
  const when = lastSaved ? `, last at ${lastSaved.toLocaleTimeString("en-GB")}` : "";
  own.textContent = waiting ? "saving…" : state.labels ? `${counted(n, "label")} saved${when}` : "";
}

// ---- the race

const working = () => Boolean(state.work && state.work.doing === "choose");

function go() {
  if (!state.problem) return;
  const n = state.labels ? Object.keys(state.labels.given).length : 0;
  const before = state.result ? state.result.given : 0;
  const fresh = n - before;
  $("go").disabled = working();
  $("go").textContent = !state.result ? "Start the race" : fresh > 0 ? `Continue with ${counted(fresh, "new label")}` : "Run the race again";
  $("go").hidden = working();
  $("stop").hidden = !working();
}

function start() {
  const models = [...$("models").querySelectorAll("input:checked")].map((box) => box.value);
  if (working()) return;
  send("go", { models, criterion: $("criterion").value, rows: $("rows").value });
}

function race() {
  const now = state.race, own = $("race"), lead = $("lead");
  go();
  $("progress").hidden = !working();
  if (!now) {
    lead.textContent = working() ? "Preparing…" : state.result ? "" : "Models race on the labels: candidates that are significantly behind are eliminated.";
    $("race-time").textContent = "";
    own.replaceChildren();
  } else {
    $("progress").max = Math.max(1, now.asked);
    $("progress").value = now.done;
    $("race-time").textContent = `${now.done.toLocaleString("en")} of ${counted(now.asked, "fit")}, ${seconds(now.seconds)}`;
    const still = now.candidates.filter((each) => each.state === "asked").length;
    const chosen = (each) => !working() && state.result && named(each) === named(state.result.best);
    const candidates = [...now.candidates].sort((a, b) => chosen(b) - chosen(a)); // a blend with the pool decides at the end
    const first = candidates[0];
    if (working()) lead.replaceChildren(...(first && first.right !== null ? [bdi(named(first)), ` leads; ${counted(still, "candidate")} still in the race`] : [`${counted(still, "candidate")} in the race`]));
    own.replaceChildren(...candidates.map(runner), ...(now.more ? [make("p", { class: "small" }, `and ${counted(now.more, "other")}`)] : []));
  }
  if (!working() && state.result) lead.replaceChildren(bdi(named(state.result.best)), ` is chosen, with ${counted(state.result.labels, "label")}`);
}

const named = (each) => `${each.model}${each.params ? ` ${each.params}` : ""}`;

function runner(each, at) {
  const bar = make("span", { class: "bar" });
  bar.style.width = `${100 * (each.right || 0)}%`;
  const state_ = { asked: "in the race", left: "eliminated", failed: "failed" }[each.state];
  const own = make("div", { class: `runner ${each.state}${at === 0 && each.right !== null ? " first" : ""}`, title: state_ }, bar, bdi(named(each)));
  own.append(make("span", { class: "num" }, each.right === null ? "" : percent(each.right)));
  own.append(make("span", { class: "num cost" }, each.fits ? `${counted(each.fits, "fit")}, ${seconds(each.seconds)}` : state_));
  return own;
}

// ---- results

function result() {
  const found = state.result;
  if (!found) return;
  $("comparison").hidden = false;
  const tested = found.ranking.some((entry) => entry.test_accuracy !== null && entry.test_accuracy !== undefined);
  const compared = found.ranking.some((entry) => entry.behind !== null && entry.behind !== undefined);
  const titles = [["", "num"], ["candidate", ""], [`score ${found.better === "higher" ? "↑" : "↓"}`, "num"]];
  if (compared) titles.push(["behind", "num"]);
  if (tested) titles.push(["on test rows", "num"]);
  titles.push(["fits", "num optional"], ["time", "num optional"]);
  $("ranking-head").replaceChildren(make("tr", {}, ...titles.map(([title, kind]) => make("th", { class: kind }, title))));
  $("all").hidden = all || found.ranking.length <= FIRST;
  $("all").textContent = `show all ${found.ranking.length} candidates`;
  $("ranking").replaceChildren(...found.ranking.slice(0, all ? undefined : FIRST).flatMap((entry, at) => ranked(entry, at, compared, tested)));
  const more = found.more ? ` ${counted(found.more, "candidate")} not shown.` : "";
  const tied = found.ranking.some((entry, at) => at && entry.tied) ? " ≈ statistically tied with the chosen one." : "";
  $("ranking-note").textContent = `By ${found.criterion}, ${found.better} is better.${tied}${more}`;
  list($("notes"), [...(found.stopped ? [`Stopped early: ${found.stopped}.`] : []), ...found.notes]);
  estimate(found);
  pool(found);
}

function ranked(entry, at, compared, tested) {
  const cell = (text, kind) => make("td", { class: kind }, bdi(text));
  const cells = [cell(entry.rank === null ? "–" : String(entry.rank), "num"), make("td", { class: "name" }, bdi(entry.model), make("span", {}, bdi(entry.params))), cell(number(entry.score), "num")];
  const known = entry.behind !== null && entry.behind !== undefined;
  if (compared) cells.push(cell(known ? `${number(entry.behind)}${entry.tied ? " ≈" : ""}` : "", "num"));
  if (tested) cells.push(cell(number(entry.test_accuracy), "num"));
  cells.push(cell(String(entry.fits), "num optional"), cell(seconds(entry.seconds), "num optional"));
  const row = make("tr", { class: at === 0 ? "chosen" : entry.rank === null ? "lost" : "" }, ...cells);
  const note = make("td", { class: "note", colSpan: cells.length - 1 }, bdi(entry.notes));
  return entry.notes ? [row, make("tr", { class: "below" }, make("td", {}), note)] : [row];
}

function list(own, sentences) {
  own.hidden = !sentences.length;
  own.replaceChildren(...sentences.map((sentence) => make("li", {}, bdi(sentence))));
}

function estimate(found) {
  const known = found.estimate, tested = found.test_accuracy;
  $("estimates").hidden = false;
  $("value").textContent = known ? known.value.toFixed(3) : "unknown";
  $("interval").textContent = known ? `${known.lower.toFixed(3)} to ${known.upper.toFixed(3)}, with confidence ${known.confidence}` : "";
  const test = tested === null ? "" : `○ ${tested.toFixed(3)} on the test rows. `;
  const certified = found.certificate ? `${found.certificate.quantity} at most ${found.certificate.upper.toFixed(3)} with confidence ${found.certificate.confidence}. ` : "";
  $("estimate-note").textContent = test + certified + (known ? `Assumes: ${known.assumes.join("; ")}.` : "");
  narrowing();
}

function narrowing() {
  const rounds = (state.rounds || []).filter((round) => round.estimate), own = $("narrowing");
  const wide = Math.max(260, Math.round(own.clientWidth) || 460), high = 170, left = 34, right = 14, top = 12, bottom = 30;
  if (!rounds.length || $("estimates").hidden) return own.replaceChildren();
  const low = Math.max(0, Math.floor(10 * Math.min(...rounds.map((r) => r.estimate.lower))) / 10);
  const most = Math.max(...rounds.map((r) => r.labels)), least = Math.min(...rounds.map((r) => r.labels));
  const x = (n) => left + 14 + ((wide - left - right - 28) * (most === least ? 0.5 : (n - least) / (most - least)));
  const y = (share) => top + ((high - top - bottom) * (1 - share)) / (1 - low);
  const svg = drawing("svg", { viewBox: `0 0 ${wide} ${high}`, role: "img", "aria-label": "the estimate with its interval, by the number of labels" });
  for (const tick of [low, (1 + low) / 2, 1]) {
    svg.append(drawing("line", { class: "axis", x1: left, x2: wide - right, y1: y(tick), y2: y(tick) }));
    svg.append(drawing("text", { x: left - 6, y: y(tick) + 4, "text-anchor": "end" }, tick.toFixed(2).replace(/0$/, "")));
  }
  svg.append(drawing("path", { class: "path", d: rounds.map((r, at) => `${at ? "L" : "M"}${x(r.labels)} ${y(r.estimate.value)}`).join("") }));
  let free = -Infinity;
  const room = x(rounds[rounds.length - 1].labels) - 70; // the last one is named in any case
  rounds.forEach((r, at) => {
    const last = at === rounds.length - 1, own_ = x(r.labels);
    svg.append(drawing("line", { class: last ? "last-span" : "span", x1: own_, x2: own_, y1: y(r.estimate.lower), y2: y(r.estimate.upper) }));
    svg.append(drawing("circle", { class: last ? "last" : "dot", cx: own_, cy: y(r.estimate.value), r: last ? 5 : 4 }));
    if (r.test !== null && r.test !== undefined) svg.append(drawing("circle", { class: "test", cx: own_, cy: y(r.test), r: 4 }));
    if (last || (own_ > free && own_ < room)) {
      svg.append(drawing("text", { x: last && at ? wide - right : own_, y: high - 10, "text-anchor": last && at ? "end" : "middle" }, last || !at ? counted(r.labels, "label") : String(r.labels)));
      free = own_ + (at ? 40 : 70);
    }
  });
  return own.replaceChildren(svg);
}

function pool(found) {
  $("pool").hidden = !found.shares.length && !found.shift;
  const shift = found.shift;
  $("shift").textContent = shift ? (shift.alarm ? shift.note : `No difference between labels and pool detected (p ${shift.p_value.toPrecision(2)}).`) : "";
  const top = Math.max(0.001, ...found.shares.flatMap((share) => [share.labels, share.pool || 0]));
  const order = [...found.shares].sort((a, b) => (b.pool || b.labels) - (a.pool || a.labels));
  $("shares").replaceChildren(
    ...order.slice(0, SHOWN).map((share) => {
      const bars = [["of-labels", share.labels], ["of-pool", share.pool || 0]].map(([kind, value]) => {
        const bar = make("i", { class: kind });
        bar.style.width = `${(100 * value) / top}%`;
        return bar;
      });
      const figures = make("span", { class: "num" }, make("span", {}, percent(share.labels)), make("span", {}, share.pool === null ? "" : percent(share.pool)));
      return make("div", { class: "share" }, bdi(share.class), make("span", { class: "bars" }, ...bars), figures);
    }),
  );
}

// ---- files

function saved() {
  const done = state.saved, n = state.labels ? Object.keys(state.labels.given).length : 0;
  const files = done ? done.files : {};
  $("save").disabled = saving;
  $("save").textContent = saving ? (working() ? "saving after the race…" : "saving…") : state.result ? "save model, labels and report" : "save labels";
  const behind = state.result ? n - state.result.given : 0;
  const late = behind > 0 ? ` The model is from before the last ${counted(behind, "label")}: continue first to include them.` : "";
  $("saved").textContent = (state.result ? "Model, report and all labels go into one folder." : "Labels go into one folder; a model and a report too, after a race.") + late;
  const words = { labels: "the training file with the new labels", model: "for foldless predict", report: "the report" };
  $("files").replaceChildren(
    ...Object.entries(files).map(([what, path]) => {
      const words_ = what === "report" ? make("a", { href: "/report", target: "_blank", rel: "noopener" }, "open the report") : words[what];
      return make("li", {}, make("code", {}, bdi(path)), " ", words_);
    }),
  );
}

function problem() {
  const found = state.problem;
  $("train").textContent = found.train;
  document.title = `${found.train} · foldless`;
  $("about").replaceChildren(...found.about.map((sentence) => make("p", {}, bdi(sentence))));
  $("columns").replaceChildren(...found.columns.map(({ name, kind }) => make("tr", {}, make("td", {}, bdi(name)), make("td", {}, kind))));
  list($("data-notes"), found.notes);
  if (!$("models").childElementCount) offers(found);
  const many = found.classes.length > FEW;
  $("keys").textContent = many
    ? "Type letters to filter the classes, / first for those that begin with u, s, g or n; 1–9 or Enter labels, u undoes, s skips, g continues."
    : `1–${found.classes.length} labels, u undoes, s skips, ${found.open ? "n names a new class, " : ""}g continues.`;
}

function offers(found) {
  $("models").replaceChildren(
    ...found.models.map(({ name, varies }) => {
      const box = make("input", { type: "checkbox", value: name, checked: found.chosen.models.includes(name) });
      return make("label", {}, box, make("span", {}, name, make("small", {}, varies)));
    }),
  );
  const names = found.criteria.map(({ name }) => name);
  const own = names.includes(found.chosen.criterion) ? names : [found.chosen.criterion, ...names];
  $("criterion").replaceChildren(...own.map((name) => make("option", { value: name, selected: name === found.chosen.criterion }, name)));
  $("rows").value = found.chosen.rows;
  idea();
}

function idea() {
  const found = state.problem.criteria.find(({ name }) => name === $("criterion").value);
  $("idea").textContent = found ? found.idea : "";
  $("rows-idea").textContent = {
    leaders: "Models learn from them, but they are not a random sample of the pool: the estimate leaves them out, and the choice is less certain.",
    valid: "Each row is drawn with a known probability, by which the estimate weights its label. Skip only rows that nobody could label.",
    random: "The estimate uses all of them; the models learn less from each.",
  }[$("rows").value];
}

function show(changed) {
  if (changed.batch) for (const entry of changed.batch) seen.set(entry.row, entry);
  if (changed.batch) picked = picked !== null && said(picked) === null ? picked : null;
  if (changed.problem) problem();
  if (changed.result) result();
  if (changed.rounds) narrowing();
  if (changed.race !== undefined || changed.work || changed.result) race();
  if (changed.work) trouble("");
  if (changed.labels || changed.batch || changed.work || changed.problem) label();
  if (changed.saved || (changed.work && changed.work.problem)) saving = false;
  saved();
  status();
}

// ---- keys

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || !state.problem) return;
  const inFilter = event.target === $("filter"), many = state.problem.classes.length > FEW;
  if (!inFilter && event.target instanceof Element && event.target.closest("input, select, textarea, summary")) return;
  const digit = /^[1-9]$/.test(event.key) ? Number(event.key) - 1 : null;
  if (digit !== null && !(inFilter && naming)) {
    event.preventDefault();
    const found = visibleClasses()[digit];
    if (found) give(found.code);
  } else if (inFilter) {
    if (event.key === "Enter" && naming) giveNew($("filter").value);
    else if (event.key === "Enter" && $("filter").value.trim()) give((visibleClasses()[0] || {}).code);
    else if (event.key === "Escape") leaveFilter();
  } else if (event.key === "u") undo();
  else if (event.key === "s") skip();
  else if (event.key === "g") start();
  else if (event.key === "n" && state.problem.open) {
    event.preventDefault();
    nameClass();
  }
  else if (many && (event.key === "/" || /^\p{L}$/u.test(event.key))) {
    $("filter").focus();
    if (event.key === "/") event.preventDefault();
  }
});
$("filter").addEventListener("input", buttons);
$("skip").addEventListener("click", skip);
$("undo").addEventListener("click", undo);
$("new").addEventListener("click", nameClass);
$("more").addEventListener("click", () => send("more", {}));
$("go").addEventListener("click", start);
$("stop").addEventListener("click", () => send("stop", {}));
$("save").addEventListener("click", () => {
  saving = true;
  send("save", {});
  saved();
});
$("criterion").addEventListener("change", idea);
$("rows").addEventListener("change", idea);
$("all").addEventListener("click", () => {
  all = true;
  result();
});
window.addEventListener("resize", narrowing);
document.addEventListener("visibilitychange", () => document.hidden || look());
look();
