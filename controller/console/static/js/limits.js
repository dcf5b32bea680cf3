// Changing the limits: typed or stepped, the old beside the new, and who feels it before it is said.
// What was typed stays until it is carried out or left.

import { app, least } from "./app.js";
import { t } from "./catalogue.js";
import { button, byId, h } from "./dom.js";
import { affected, DIFFERENTIAL } from "./felt_by.js";
import { word } from "./saying.js";
import { coins, money, units, wagerName } from "./sentences.js";
import { icon } from "./signs.js";

/** @import { Child, Limits, StaffView } from "./types.d.ts" */
/** @typedef {"minimum" | "maximum" | "differential" | "per_area"} Name */
/** @typedef {{ kind: string | null, typed: Partial<Record<Name, string>> }} Draft `kind`: of one kind of wager only */

/** @type {Draft | null} */
let draft = null;

/** @type {Record<Name, string>} */
const TITLES = { minimum: "Minimum", maximum: "Maximum", differential: "Differential", per_area: "Max. bets per box" };
/** What limits are stepped through, in whole units of the currency. */
const RUNGS = Array.from({ length: 8 }, (_, tens) => [1, 2, 2.5, 3, 5].map((each) => each * 10 ** tens)).flat()
  .filter(Number.isInteger);

export const isChanging = () => draft !== null;

export function beginLimits() {
  draft = { kind: null, typed: {} };
  app.redraw();
  byId("waits").scrollIntoView({ block: "nearest" }); // a phone shows it above what was pressed
}

export function leaveLimits() {
  draft = null;
  app.redraw();
}

/** @param {Draft} open @param {Limits} now @param {Name} name @returns {number | null} */
function before(open, now, name) {
  if (name === "per_area") return now.per_area;
  if (name === "differential") return now.differential;
  const own = open.kind === null ? now : (now.wagers[open.kind] ?? now);
  return name === "minimum" ? own.min : own.max;
}

/**
 * What was typed as an amount: 0 takes the limit away, null cannot be read.
 * @param {Name} name
 * @param {string} typed
 */
function read(name, typed) {
  const plain = typed.replaceAll(/[\s,]/g, "");
  if (plain === "") return 0;
  const amount = name === "per_area" ? Number(plain) : Math.round(Number(plain) * units(1));
  return Number.isFinite(amount) && amount >= 0 ? amount : null;
}

/** @param {Name} name @param {number | null} amount */
function shown(name, amount) {
  if (!amount) return "";
  return name === "per_area" ? String(amount) : coins(amount);
}
/** @param {Name} name @param {number | null} amount */
function said(name, amount) {
  if (!amount) return t("none");
  return name === "per_area" ? String(amount) : money(amount);
}
/** @param {number | null} amount @param {number} old */
function remark(amount, old) {
  if (amount === null) return t("no amount");
  if (amount === old) return t("stays");
  return amount === 0 ? t("none") : "";
}

/** What differs from what holds now. @param {Draft} open @param {Limits} now @returns {[Name, number][]} */
function changes(open, now) {
  return /** @type {[Name, string][]} */ (Object.entries(open.typed)).flatMap(([name, typed]) => {
    const amount = read(name, typed);
    return amount === null || amount === (before(open, now, name) ?? 0)
      ? [] : [/** @type {[Name, number]} */ ([name, amount])];
  });
}

/** @param {Name} name @param {number} amount @param {1 | -1} by */
function stepped(name, amount, by) {
  if (name === "per_area") return Math.max(1, amount + by);
  const at = amount / units(1);
  if (by > 0) return units(RUNGS.find((each) => each > at && each >= 5) ?? at);
  return units(RUNGS.findLast((each) => each < at) ?? 0);
}

/** @param {StaffView} view @returns {Child} */
export function limitsPanel(view) {
  const open = draft;
  const now = view.limits;
  if (!open || !now) return null;
  /** @type {Name[]} */
  const names = open.kind === null ? ["minimum", "maximum", "differential"] : ["minimum", "maximum"];
  if (open.kind === null && now.per_area !== null) names.push("per_area");
  const changed = changes(open, now);
  return [
    h("header", { class: "task" }, h("h2", {}, t("Change the limits")),
      h("p", { class: "from" }, t("in force from"), h("b", {}, t("Round {n}", { n: view.round + 1 })))),
    scope(open),
    h("div", { class: "limits" }, names.map((name) => row(open, now, name))),
    h("div", { class: "feels", "aria-live": "polite" }, whoFeels(view, open, changed)),
    h("div", { class: "two" }, foot(view, open, changed)),
  ];
}

// Of the whole table, or of one kind of wager.
/** @param {Draft} open */
function scope(open) {
  const choose = (/** @type {Event & { target: HTMLSelectElement }} */ { target }) => {
    draft = { kind: target.value || null, typed: {} };
    app.redraw();
  };
  return h("label", { class: "scope" }, h("span", {}, t("Limits for")),
    h("select", { "aria-label": t("Limits for"), "data-key": "limits-of", onchange: choose },
      h("option", { value: "", selected: open.kind === null }, t("The whole table")),
      (app.about?.wagers ?? []).map((id) => h("option", { value: id, selected: open.kind === id }, wagerName(id)))));
}

/** @param {Draft} open @param {Limits} now @param {Name} name */
function row(open, now, name) {
  const old = before(open, now, name);
  const label = t(TITLES[name]);
  const text = open.typed[name] ?? shown(name, old);
  const amount = read(name, text);
  const same = amount === (old ?? 0);
  const write = (/** @type {string} */ typed) => {
    open.typed[name] = typed;
    app.redraw();
  };
  /** @param {1 | -1} by */
  const step = (by) => () => write(shown(name, stepped(name, amount ?? 0, by)));
  return h("div", { class: "limit-row", "data-of": `${open.kind} ${name}` },
    h("div", {}, h("h3", {}, label), h("p", {},
      h("span", { class: "was" }, same ? null : [h("s", {}, said(name, old)), icon("arrow")]),
      h("input", { type: "text", inputmode: "decimal", value: text, "aria-label": label, placeholder: t("none"),
        "data-key": name, class: same ? null : "changed", oninput: (event) => write(event.target.value) }),
      h("span", { class: "stays" }, remark(amount, old ?? 0)))),
    button("−", step(-1), { class: "step", "aria-label": t("{what}: less", { what: label }),
      "data-key": `less-${name}` }),
    button("+", step(1), { class: "step", "aria-label": t("{what}: more", { what: label }),
      "data-key": `more-${name}` }));
}

/** @param {StaffView} view @param {Draft} open @param {[Name, number][]} changed @returns {HTMLElement[]} */
function whoFeels(view, open, changed) {
  const found = affected(view, open.kind, Object.fromEntries(changed));
  const then = view.over || !view.wagers.length
    ? t("The display and the record change with round {n}.", { n: view.round + 1 })
    : t("This round is unaffected; new limits from round {n}.", { n: view.round + 1 });
  return [
    h("h3", {}, t("Who is affected")),
    found.length
      ? h("ul", {}, found.map((each) => h("li", { class: each.code === DIFFERENTIAL ? "hands" : "" }, each.text)))
      : h("p", {}, t("No wager on the layout is outside these limits.")),
    h("p", { class: "soft" }, then),
  ];
}

/** @param {number} n */
function counted(n) {
  if (n === 0) return t("Change the limits");
  return n === 1 ? t("Change 1 limit") : t("Change {n} limits", { n });
}

/** @param {StaffView} view @param {Draft} open @param {[Name, number][]} changed @returns {HTMLElement[]} */
function foot(view, open, changed) {
  const now = view.can.includes("limits");
  const label = counted(changed.length);
  const note = now ? changed.map(([name, amount]) => `${t(TITLES[name])} ${said(name, amount)}`).join(", ")
    : t("after this round");
  return [
    button(t("Cancel"), leaveLimits, { class: "big", "data-key": "leave-limits" }),
    button([label, h("small", {}, note)], () => say(open, changed),
      { class: "big primary answer", disabled: !now || !changed.length, "data-key": "confirm" }),
  ];
}

/** @param {Draft} open @param {[Name, number][]} changed */
async function say(open, changed) {
  const fewer = changed.some(([name]) => name === "per_area");
  const what = open.kind === null ? t("Change the limits")
    : t("Change the limits of {wager}", { wager: wagerName(open.kind) });
  const given = { ...Object.fromEntries(changed), ...(open.kind === null ? {} : { wager: open.kind }) };
  const done = await word("limits", given, { role: least(fewer ? "allow_fewer_on_an_area" : "change_limits"), what,
    label: what });
  if (done) leaveLimits();
}
