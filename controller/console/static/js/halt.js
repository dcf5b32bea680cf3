// A table that is held: the page says so before anything else. In this order: what happened, since when,
// who can end it, what to do now; then everything that holds it, numbered. Dealer and pit show the same.

import { app, least } from "./app.js";
import { t } from "./catalogue.js";
import { REMEDY_PAUSED } from "./codes.js";
import { ask, foot } from "./dialog.js";
import { button, byId, clock, draw, h, svg } from "./dom.js";
import { reasons } from "./pickers.js";
import { word } from "./saying.js";
import { sentence } from "./sentences.js";
import { clause } from "./shell.js";
import { sound } from "./sound.js";

/** @import { Child, Coded, Done, Hold, StaffView } from "./types.d.ts" */
/** @import { Step } from "./steps.js" */

const TICK_MS = 1000;

/** @param {Coded & { text: string }} says */
const said = ({ code, gaps, text }) => sentence(code, gaps, text);

/** What to do now. Whoever stopped the table is not told to ask themselves. @param {Hold} hold */
const remedy = ({ remedy: does }) => (does.code === REMEDY_PAUSED && does.gaps.by === app.me?.who
  ? t("Resume play when ready") : said(does));

/** Whether the table stands still. A closed one does anyway. @param {StaffView} view */
export const isHalted = (view) => view.held.length > 0 && view.state !== "closed";

// --- the page's state: colours, sign, title, sound ------------------------------------------------------

/** What held the table when this page looked last; null: it has not looked yet. @type {string[] | null} */
let known = null;

/** @param {StaffView} view */
export function haltState(view) {
  const halted = isHalted(view);
  document.documentElement.toggleAttribute("data-halted", halted);
  const title = t(document.querySelector("title")?.dataset.title ?? "");
  document.title = halted ? `${t("Stopped")} · ${title}` : `${title} · Sabot`;
  draw(stopSign(), halted ? signParts(view) : null);
  const now = halted ? view.held.map((each) => `${each.what} ${each.since}`) : [];
  if (known !== null && now.some((each) => !known?.includes(each))) sound("halt");
  else if (known?.length && !halted) sound("end");
  known = now;
  tick();
}

function stopSign() {
  const found = document.getElementById("stopped");
  if (found) return found;
  const made = h("div", { id: "stopped", "aria-live": "polite" });
  byId("bar").prepend(made);
  return made;
}

/** Since when it stands still: the hold that is oldest. @param {StaffView} view */
const firstSince = (view) => Math.min(...view.held.map((each) => each.since ?? Infinity));

/** @param {StaffView} view */
const signParts = (view) => [octagon(), h("b", {}, t("Stopped")), elapsed(firstSince(view))];

// The sign that everybody knows, in shape and word.
const octagon = () => svg("svg", { viewBox: "0 0 100 100", class: "octagon", "aria-hidden": "true" },
  svg("path", { class: "edge", d: "M30 2h40l28 28v40L70 98H30L2 70V30z" }),
  svg("path", { class: "plate", d: "M32 7h36l25 25v36L68 93H32L7 68V32z" }),
  svg("text", { x: 50, y: 60, "text-anchor": "middle" }, t("STOP")));

/** How long it has been, running. @param {number | null} since */
export function elapsed(since) {
  if (since === null || !Number.isFinite(since)) return null;
  const made = h("time", { class: "elapsed", "data-since": since, "aria-hidden": "true" });
  made.textContent = duration(since);
  return made;
}

/** @param {number} since */
function duration(since) {
  const seconds = Math.max(0, Math.floor(Date.now() / 1000 - app.skew - since));
  const minutes = String(Math.floor(seconds / 60) % 60).padStart(2, "0");
  const hours = Math.floor(seconds / 3600);
  return `${hours ? `${hours}:` : ""}${minutes}:${String(seconds % 60).padStart(2, "0")}`;
}

function tick() {
  for (const each of document.querySelectorAll("time[data-since]")) {
    each.textContent = duration(Number(each.getAttribute("data-since")));
  }
}
setInterval(tick, TICK_MS);

// --- the head --------------------------------------------------------------------------------------------

/** What stands above the verb while the table is held. @param {StaffView} view @returns {Child} */
export function haltHead(view) {
  const [first] = view.held;
  if (!isHalted(view) || !first) return null;
  return [h("p", { class: "what" }, said(first)),
    h("p", { class: "since-who" }, when(first), h("span", {}, said(first.ends)), several(view)),
    alone(view) && first.detail ? h("p", { class: "detail" }, said(first.detail)) : null];
}

/** That the first is not the only one. @param {StaffView} view */
const several = ({ held }) => (held.length > 1 ? h("b", {}, t("{n} open issues", { n: held.length })) : null);

/** One hold and nothing asked: the head says all of it, and no panel opens. @param {StaffView} view */
const alone = (view) => view.held.length === 1 && view.asks.length === 0;

/** The verb: what is asked, or what is to be done at the device. @param {StaffView} view */
export function haltVerb(view) {
  const [first] = view.held;
  const asked = view.asks.length > 0 || view.offers.length > 0;
  return !isHalted(view) || !first || asked ? null : remedy(first);
}

/** @param {Hold} hold */
function when(hold) {
  const round = hold.round === null ? null : t("Round {n}", { n: hold.round });
  const since = hold.since === null ? null : t("since {time}", { time: `${clock(hold.since)} UTC` });
  return h("span", {}, [round, since].filter((each) => each !== null).join(" · "));
}

/** The clock beside the head. @param {StaffView} view @returns {Child} */
export const haltClock = (view) => (isHalted(view)
  ? h("p", { class: "figure" }, h("small", {}, t("stopped for")), h("b", {}, elapsed(firstSince(view)))) : null);

// --- the list --------------------------------------------------------------------------------------------

/**
 * Everything that holds the table, numbered in the order in which it has to end.
 * @param {StaffView} view
 * @returns {Child}
 */
export function holdList(view) {
  if (!isHalted(view)) return null;
  const { length } = view.held;
  return h("div", { class: "held-by", role: "group", "aria-label": t("Open issues") },
    h("h2", {}, length === 1 ? t("1 open issue") : t("{n} open issues", { n: length }),
      length > 1 ? h("small", {}, t("in this order")) : null),
    h("ol", { class: "holds" }, view.held.map((each, at) => holdItem(each, at))));
}

/** @param {Hold} hold @param {number} at */
function holdItem(hold, at) {
  return h("li", { class: at === 0 ? "first" : "", "data-hold": hold.what },
    h("span", { class: "order", "aria-hidden": "true" }, String(at + 1)),
    h("div", {},
      h("p", { class: "happened-now" }, h("b", {}, said(hold)), " ", clause(hold.clause)),
      hold.detail ? h("p", { class: "detail" }, said(hold.detail)) : null,
      // The head says the rest of the first one.
      at === 0 ? null : [h("p", { class: "soft" }, when(hold)), h("p", { class: "ends" }, said(hold.ends)),
        h("p", { class: "remedy" }, remedy(hold))]),
    elapsed(hold.since));
}

// --- letting play go on -----------------------------------------------------------------------------------

const LOOKED = ["Checked: no card was touched", "Fixed and tested",
  "Cards on the table match the screen", "Surveillance checked and agrees"];

/** What a person can end: the act asks for the reason. @param {StaffView} view @returns {Step | null} */
export function goOnStep(view) {
  const mine = view.held.filter((each) => each.word === "resume");
  if (!mine.length || mine.length < view.held.length) return null;
  const two = mine.some((each) => each.second);
  const label = two ? t("Request to resume") : t("Resume play");
  return { key: "resume", label, note: two ? t("needs a second approval") : t("with a reason"), solid: true,
    run: () => goOn(mine, label) };
}

/** The same in a panel, where a page has no slots. @param {StaffView} view @returns {Child} */
export function letGoOn(view) {
  const step = goOnStep(view);
  return step && h("div", { class: "question held" },
    button([h("span", {}, step.label), h("small", {}, step.note)], () => step.run(true),
      { class: "big primary", "data-key": step.key }));
}

/** Nobody clears a hold without saying why. @param {Hold[]} mine @param {string} label */
async function goOn(mine, label) {
  /** @type {import("./pickers.js").Reasoned} */
  const state = { reason: null, ready: () => Boolean(state.reason) };
  await ask(label, (/** @type {Done<typeof state>} */ finish, again) => [
    h("ul", { class: "clearing" }, mine.map((each) => h("li", {}, said(each)))),
    h("h3", {}, t("Reason")), reasons(LOOKED, state, again),
    foot(finish, { label, ready: state.ready(), value: () => state }),
  ], "beside", ({ reason }) => word("resume", { reason }, { role: mine[0]?.role ?? least("resume"), what: label }));
}
