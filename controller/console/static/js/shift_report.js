// What a shift came to. The address says from when until when, so that a report can be shared.

import { app } from "./app.js";
import { isNamed, speaksEnglish, t, titled } from "./catalogue.js";
import { button, byId, day, h } from "./dom.js";
import { get } from "./http.js";
import { bars, split } from "./report_bars.js";
import { failed } from "./saying.js";
import { money, personName, wagerName } from "./sentences.js";
import { clause, start } from "./shell.js";
import { caseTitle } from "./titles.js";

/** @import { Child, ShiftReport, Tallied, TimesCounted } from "./types.d.ts" */

const HOUR = 3600;
const SHIFT = 8 * HOUR;
const DAY = 24 * HOUR;
/** Whoever opened the betting of a round and has no name here. */
const NOBODY = "nobody";

start("report", "public", () => {}).then(begin);

async function begin() {
  if (!app.me) return;
  byId("search").replaceChildren(choices());
  addEventListener("popstate", show);
  await show();
}

// --- which stretch of time ------------------------------------------------------------------------

const now = () => Date.now() / 1000 - app.skew;

/** @returns {[number, number]} */
function asked() {
  const query = new URLSearchParams(location.search);
  const [since, until] = ["since", "until"].map((name) => Number(query.get(name) ?? NaN));
  if (since !== undefined && until !== undefined && since < until) return [since, until];
  const end = Math.ceil(now() / HOUR) * HOUR;
  return [end - SHIFT, end];
}

/** @param {number} since @param {number} until */
function go(since, until) {
  history.pushState(null, "", `/report?${new URLSearchParams({ since: String(since), until: String(until) })}`);
  return show();
}

function choices() {
  const today = Math.floor(now() / DAY) * DAY;
  const hour = Math.ceil(now() / HOUR) * HOUR;
  return h("form", { onsubmit: (event) => { event.preventDefault(); submitted(event.target); } },
    h("div", { class: "fields" },
      h("label", {}, h("span", {}, t("From (UTC)")),
        h("input", { name: "since", type: "datetime-local", required: true })),
      h("label", {}, h("span", {}, t("To (UTC)")),
        h("input", { name: "until", type: "datetime-local", required: true })),
      h("button", { class: "primary", "data-key": "show" }, t("Show"))),
    h("div", { class: "fields" },
      button(t("Last 8 hours"), () => go(hour - SHIFT, hour), { "data-key": "shift" }),
      button(t("Today"), () => go(today, today + DAY), { "data-key": "today" }),
      button(t("Yesterday"), () => go(today - DAY, today), { "data-key": "yesterday" }),
      button(t("Print"), () => print(), { "data-key": "print" })));
}

/** @param {HTMLFormElement} form */
function submitted(form) {
  const given = new FormData(form);
  const [since, until] = ["since", "until"].map((name) => Date.parse(`${given.get(name)}Z`) / 1000);
  if (since !== undefined && until !== undefined && since < until) go(since, until);
}

// What the address says is what is shown.
async function show() {
  const [since, until] = asked();
  const form = byId("search");
  for (const [name, at] of /** @type {[string, number][]} */ ([["since", since], ["until", until]])) {
    const field = form.querySelector(`[name=${name}]`);
    if (field instanceof HTMLInputElement) field.value = new Date(at * 1000).toISOString().slice(0, 16);
  }
  try {
    const period = new URLSearchParams({ since: String(since), until: String(until) });
    const found = /** @type {ShiftReport} */ (await get(`/api/report?${period}`));
    byId("report").replaceChildren(...parts(found));
  } catch (problem) {
    failed(problem);
  }
}

// --- what it came to ------------------------------------------------------------------------------

/** @param {ShiftReport} found */
function parts(found) {
  return [
    h("header", {}, h("h2", {}, app.me?.table ?? "", " ",
      h("span", {}, `${moment(found.since)} – ${moment(found.until)} UTC`)), tiles(found)),
    section(t("Results"), results(found)),
    section(t("By hour"),
      tallies(found, found.hours.map((each) => [`${day(each.at).slice(5)} ${clockOf(each.at)}`, each]),
        t("Hour (UTC)"))),
    section(t("By dealer"),
      tallies(found, found.dealers.map((each) => [each.name === NOBODY ? t("nobody") : personName(each.name), each]),
        t("Dealer"))),
    found.tracked ? section(t("By wager"), wagers(found)) : null,
    section(t("Voids"), counted(found.voids)),
    section(t("Table stops"), counted(found.halts)),
    section(t("By deck set"), tallies(found,
      found.deck_sets.map((each) => [each.name === NOBODY ? "–" : t(each.name), each]), t("Deck set"))),
    section(t("Devices"), devices(found)),
  ].filter((each) => each !== null);
}

/** @param {number} at */
const clockOf = (at) => new Date(at * 1000).toISOString().slice(11, 16);
/** @param {number} at */
const moment = (at) => `${day(at)} ${clockOf(at)}`;
/** @param {number} part @param {number} whole */
const percent = (part, whole) => (whole ? `${(100 * part / whole).toFixed(1)}\u00a0%` : "–");

/** @param {string} title @param {Child} body */
const section = (title, body) => h("section", {}, h("h2", {}, title), body);

/** @param {ShiftReport} found */
function tiles({ total, shoes, corrections, halts, refused, tracked }) {
  const stopped = halts.reduce((sum, each) => sum + each.times, 0);
  /** @param {[string, string][]} figures @param {string} kind */
  const shown = (figures, kind) => h("dl", { class: `figures ${kind}` },
    figures.map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value))));
  return [
    shown([
      [t("Rounds"), String(total.rounds)], [t("Shoes"), String(shoes)], [t("Voids"), String(total.voids)],
      [t("Corrections"), String(corrections)], [t("Stops"), String(stopped)], [t("Refused"), String(refused)],
    ], "counts"),
    tracked ? shown([[t("Turnover"), money(total.drop)], [t("House win"), money(total.hold)],
      [t("Win %"), percent(total.hold, total.drop)]], "amounts") : null,
  ];
}

/** @type {[string, string][]} */
const SIDES = [["P", "player"], ["B", "banker"], ["T", "tie"]];

/** @param {ShiftReport} found */
function results({ results: made }) {
  const all = SIDES.map(([letter, side]) => ({ side, name: titled("hand", side), n: made[letter] ?? 0 }));
  const sum = all.reduce((so, each) => so + each.n, 0);
  return [split(all.map((each) => ({ side: each.side, n: each.n }))),
    h("ul", { class: "legend" },
      all.map((each) => h("li", { class: each.side }, h("b", {}, each.name), ` ${each.n} · ${percent(each.n, sum)}`)))];
}

/** @param {ShiftReport} found @param {[string, Tallied][]} rows @param {string} first */
function tallies({ tracked }, rows, first) {
  if (!rows.length) return none();
  const bar = bars(rows.map(([, each]) => each.rounds));
  const columns = [t("Rounds"), t("Voids"), ...(tracked ? [t("Turnover"), t("House win"), t("Win %")] : [])];
  return table([first, "", ...columns],
    rows.map(([name, each], n) => [name, bar(n), String(each.rounds), String(each.voids),
    ...(tracked ? [money(each.drop), money(each.hold), percent(each.hold, each.drop)] : [])]));
}

/** @param {ShiftReport} found */
function wagers({ wagers: kinds }) {
  if (!kinds.length) return none();
  const bar = bars(kinds.map((each) => each.staked));
  return table([t("Wager"), "", t("Wagers"), t("Staked"), t("Paid"), t("Returned"), t("House win"), t("Win %")],
    kinds.map((each, n) => [
    wagerName(each.wager), bar(n), String(each.wagers), money(each.staked), money(each.won), money(each.returned),
    money(each.hold), percent(each.hold, each.staked)]));
}

/** @param {TimesCounted[]} counts */
function counted(counts) {
  if (!counts.length) return none();
  const bar = bars(counts.map((each) => each.times));
  return table([t("What"), "", t("Times")], counts.map((each, n) => [named(each.what), bar(n), String(each.times)]));
}

/** A clause with what it says, or an irregularity, or what held the table. @param {string} what @returns {Child} */
function named(what) {
  if (isNamed("irregularity", what)) return caseTitle(what);
  if (isNamed("hold", what)) return titled("hold", what);
  if (what === "void") return t("no clause");
  return [clause(what), speaksEnglish() ? h("span", { class: "says" }, app.clauses[what] ?? "") : null];
}

/** @param {ShiftReport} found */
function devices({ devices: all }) {
  if (!all.length) return none();
  return table([t("Device"), "", t("Cards"), t("Misread"), t("Disconnections"), t("Errors")], all.map((each) => [
    personName(each.device), "", String(each.cards), String(each.misreads), String(each.link_losses),
    String(each.errors)]));
}

const none = () => h("p", { class: "soft" }, t("none"));

// On a phone it is wider than the screen: who has only keys comes to the rest of it by them.
/** @param {string[]} columns @param {Child[][]} rows */
const table = (columns, rows) => h("div", { class: "wide-table", tabindex: 0 }, h("table", {},
  h("thead", {},
    h("tr", {},
      columns.map((each, n) => (n === 1 ? h("td", {}) : h("th", { scope: "col", class: n > 1 ? "n" : "" }, each))))),
  h("tbody", {},
    rows.map((row) =>
      h("tr", {},
        row.map((cell, n) =>
          (n === 0 ? h("th", { scope: "row" }, cell) : h("td", { class: n > 1 ? "n" : "bar" }, cell))))))));
