// A round that is void: a stamp across it, and what is to be done before the next one opens. Wagers go
// back, the shoe ends its own round too, the cards go to the rack. The table itself waits for the shoe;
// the rest is a list to work by.

import { app, least } from "./app.js";
import { t } from "./catalogue.js";
import { ask, foot } from "./dialog.js";
import { button, clock, h } from "./dom.js";
import { reasons } from "./pickers.js";
import { word } from "./saying.js";
import { money, personName, sentence, wagerName } from "./sentences.js";
import { clause } from "./shell.js";
import { icon } from "./signs.js";
import { caseTitle, decidedBy, ruler } from "./titles.js";

/** @import { Child, Done, LeftAtShoe, Ruling, StaffView, Wager } from "./types.d.ts" */
/** @import { Step } from "./steps.js" */

/** @type {import("./types.d.ts").PlayPhase[]} */
const BETWEEN = ["ready", "changing_shoe"];

/** Whether the last round is void and the next one has not begun. @param {StaffView} view */
export const isVoid = (view) => view.void !== null && view.over && view.phase !== null && BETWEEN.includes(view.phase);

/** Whether something of the last round is still to be done. @param {StaffView} view */
export const hasAftermath = (view) => isVoid(view) || view.left_at_shoe !== null;

/** The shoe still plays the round: nothing is opened. @param {StaffView} view */
export const waitsForShoe = (view) => view.left_at_shoe?.to_be_ended === true;

/** What made it void, and who said so. @param {StaffView} view @returns {Ruling | null} */
const ruling = (view) => view.rulings.at(-1) ?? null;

const clauseOf = (/** @type {StaffView} */ view) => (view.void === "void" ? null : view.void);

// --- across the hands -------------------------------------------------------------------------------------

/** @param {StaffView} view @returns {Child} */
export function stamp(view) {
  if (!isVoid(view)) return null;
  const by = ruling(view);
  const when = view.ended_at === null ? null : clock(view.ended_at);
  const under = [t("Round {n}", { n: view.round }), by ? ruler(by, by.approved_by || by.decided_by) : null,
    when].filter((each) => each !== null);
  return h("div", { class: "stamp" }, h("b", {}, t("VOID")), h("small", {}, under.join(" · ")));
}

/** What stands above the verb. @param {StaffView} view @returns {Child} */
export function voidHead(view) {
  const by = ruling(view);
  if (isVoid(view)) {
    return [
      h("p", { class: "what" }, t("Round {n} is void.", { n: view.round }), " ", by ? caseTitle(by.id) : null),
      h("p", { class: "since-who" }, by ? h("span", {}, decidedBy(by)) : null, clause(clauseOf(view))),
    ];
  }
  return waitsForShoe(view) ? h("p", { class: "what" },
    t("Round {n} was corrected: the shoe has not closed it.", { n: view.round })) : null;
}

// --- the list ----------------------------------------------------------------------------------------------

/**
 * What a person has ticked, by round: theirs to keep in mind: this page waits for it, the table does not.
 * @type {{ round: number, done: string[] }}
 */
const ticked = { round: 0, done: [] };

/** What is ticked: a part of what the list shows. */
export const ticks = () => ticked.done;

/**
 * `act` tells somebody to do it, `title` what is true when it is ticked.
 * @typedef {{ key: string, act: string, title: string, note: string }} Tick
 */

/** What a person does about a void round, in order. @param {StaffView} view @returns {Tick[]} */
const ticksOf = (view) => (isVoid(view) ? [...wagersBack(view), ...rack(view)] : []);

/** What is not ticked yet. @param {StaffView} view */
function unticked(view) {
  if (ticked.round !== view.round) Object.assign(ticked, { round: view.round, done: [] });
  return ticksOf(view).filter(({ key }) => !ticked.done.includes(key));
}

/** @param {string} key @param {boolean} done */
function mark(key, done) {
  ticked.done = done ? [...ticked.done, key] : ticked.done.filter((each) => each !== key);
  app.redraw();
}

/**
 * The first of them, as the act to do: the page opens nothing before.
 * @param {StaffView} view
 * @returns {Step | null}
 */
export function tickStep(view) {
  const [first] = waitsForShoe(view) ? [] : unticked(view);
  if (!first) return null;
  return { key: `done-${first.key}`, label: first.act, note: first.note, solid: true,
    run: () => mark(first.key, true) };
}

/** What stands as the verb while it is to be done. @param {StaffView} view */
export const voidVerb = (view) => (view.state === "ready" ? (tickStep(view)?.label ?? null) : null);

/** @param {StaffView} view @returns {Child} */
export function aftermath(view) {
  if (!hasAftermath(view)) return null;
  unticked(view);
  const [wagers, ...others] = ticksOf(view).map(tick);
  const items = [wagers, shoeItem(view), ...others];
  return h("div", { class: "after-void", role: "group", "aria-label": t("Before the next round") },
    h("h2", {}, t("Before the next round")),
    h("ul", { class: "ticks" }, items),
    isVoid(view) ? goesBack(view) : null);
}

/** @param {Tick} tick */
function tick({ key, title, note }) {
  const done = ticked.done.includes(key);
  return h("li", {}, button([box(done), h("span", {}, h("b", {}, title), h("small", {}, note))], () => mark(key, !done),
    { class: "tick", "aria-pressed": String(done), "data-key": `tick-${key}` }));
}

/** @param {boolean} done */
const box = (done) => h("i", { class: `box ${done ? "done" : ""}`, "aria-hidden": "true" }, done ? icon("done") : null);

/** @param {StaffView} view */
const stakes = (view) => view.wagers.filter((each) => each.amount > 0);

/** @param {StaffView} view @returns {Tick[]} */
function wagersBack(view) {
  const lying = stakes(view);
  if (!lying.length) return [];
  const total = lying.reduce((sum, each) => sum + each.amount, 0);
  const seats = new Set(lying.map((each) => each.position)).size;
  return [{ key: "wagers", act: t("Return all wagers"), title: t("All wagers returned"),
    note: seats === 1 ? t("{n} to one seat", { n: money(total) })
      : t("{n} to {m} seats", { n: money(total), m: seats }) }];
}

/** @param {StaffView} view @returns {Tick[]} */
function rack(view) {
  const { length } = view.cards;
  if (!length) return [];
  const [act, title] = length === 1
    ? [t("Put 1 card into the discard rack"), t("1 card into the discard rack")]
    : [t("Put {n} cards into the discard rack", { n: length }), t("{n} cards into the discard rack", { n: length })];
  return [{ key: "rack", act, title, note: t("include face-down cards; do not expose") }];
}

/** @param {StaffView} view @returns {Child} */
function shoeItem(view) {
  const left = view.left_at_shoe;
  if (!left) return null;
  return h("li", { class: left.to_be_ended ? "needed" : "", "data-key": "at-shoe" },
    h("div", { class: "tick" }, box(!left.to_be_ended),
      h("span", {}, h("b", {}, t("FORCED EXIT on the shoe")), h("small", {}, shoeNote(left)))),
    left.to_be_ended ? button(t("Skip (supervisor)"), putAside, { class: "plain", "data-key": "put-aside" }) : null);
}

/** @param {LeftAtShoe} left */
function shoeNote(left) {
  if (left.aside_by !== null) {
    return t("skipped by {who}: {why}",
      { who: personName(left.aside_by), why: t(left.reason) });
  }
  if (left.ended_by === "shoe") return t("the shoe has closed round {n}", { n: left.round });
  if (left.ended_by !== null) return t("{who} has pressed it", { who: personName(left.ended_by) });
  return left.by_hand ? t("press it, then confirm here") : t("ticks itself when the shoe confirms");
}

/** Seat by seat: what goes back to whom. @param {StaffView} view @returns {Child} */
function goesBack(view) {
  /** @type {Map<number, Wager[]>} */
  const seats = new Map();
  for (const each of stakes(view)) seats.set(each.position, [...(seats.get(each.position) ?? []), each]);
  return h("ul", { class: "goes-back" }, [...seats].sort(([a], [b]) => a - b).map(([seat, list]) => h("li", {},
    h("b", {}, t("Seat {n}", { n: seat })), h("span", {},
      list.map((each) => `${wagerName(each.wager)} ${money(each.amount)}`).join(", ")),
    h("output", {}, "↩ ", money(list.reduce((sum, each) => sum + each.amount, 0))))));
}

/** Where the next act will lie, and what it waits for. @param {StaffView} view @returns {Child} */
export function waitingToOpen(view) {
  const until = view.state === "ready" ? opensWhen(view) : null;
  return until && h("div", { class: "trace waiting" }, icon("shoe"),
    h("p", {}, h("b", {}, t("Open betting")), h("small", {}, until)));
}

/** What has to be done before betting opens; null: nothing. @param {StaffView} view */
export function opensWhen(view) {
  if (waitsForShoe(view)) return t("once the shoe has closed round {n}", { n: view.round });
  if (tickStep(view)) return t("once round {n} is cleared", { n: view.round });
  return view.prompt.act?.word === "method" ? t("when a player has the device") : null;
}

// --- what people do about the shoe -------------------------------------------------------------------------

/** Where the shoe cannot say it, the dealer does. @param {StaffView} view @returns {Step | null} */
export function shoeStep(view) {
  if (!waitsForShoe(view) || !view.left_at_shoe?.by_hand) return null;
  const label = t("FORCED EXIT pressed");
  return { key: "shoe_ended", label, note: t("then the next round"),
    run: () => word("shoe_ended", {}, { what: label }) };
}

const WHY_ASIDE = ["The button does not work", "The shoe shows that it is ready", "The shoe is being replaced"];

async function putAside() {
  const what = t("Skip (supervisor)");
  /** @type {import("./pickers.js").Reasoned} */
  const state = { reason: null, ready: () => Boolean(state.reason) };
  await ask(what, (/** @type {Done<typeof state>} */ finish, again) => [
    h("p", { class: "lead" }, sentence(app.view?.prompt.code ?? null, app.view?.prompt.gaps ?? {}, "")),
    h("p", { class: "soft" },
      t("The next round may open before the shoe closes this one. Its cards may stop the table.")),
    h("h3", {}, t("Reason")), reasons(WHY_ASIDE, state, again),
    foot(finish, { label: what, ready: state.ready(), value: () => state }),
  ], "beside", ({ reason }) => word("put_aside", { reason }, { role: least("put_aside"), what }));
}
