// What the table waits for: questions one at a time, options for players, approvals, decisions. The
// dealer's page and the pit's show the same panel.

import { app, least } from "./app.js";
import { approve } from "./approving.js";
import { capital, named, t } from "./catalogue.js";
import { decide, decideWindow } from "./deciding.js";
import { button, clock, h } from "./dom.js";
import { pickCard, pickCounts, pickLies, pickNumber, pickOrder } from "./pickers.js";
import { roleName } from "./pin.js";
import { choose, word } from "./saying.js";
import { personName, sentence, stakeText } from "./sentences.js";
import { clause } from "./shell.js";
import { caseTitle } from "./titles.js";

/** @import { Ask, Case, Child, Choice, Hold, Offer, StaffView } from "./types.d.ts" */

// The panel's parts, or nothing when nothing is open.
/** @param {StaffView} view @returns {Child[]} */
export function panel(view) {
  if (view.offers[0]) return [heading(view, view.offers[0].clause), offers(view)];
  if (view.asks.length) return view.asks.flatMap((each) => [heading(view, each.clause, each), asking(view, each)]);
  const cleared = view.held.filter((each) => each.word === "resume");
  return cleared.length ? [held(cleared)] : [];
}

/** @param {StaffView} view @param {string | null} number @param {Ask | null} [asked] */
function heading(view, number, asked = null) {
  const open = view.case;
  const text = number === null ? null : app.clauses[number];
  const title = open ? caseTitle(open.id) : caseTitle(asked?.case);
  return h("header", { class: "case" }, h("h2", {}, title), clause(number),
    asked?.role ? h("span", { class: "role" }, t("{role} or above", { role: roleName(asked.role) })) : null,
    text ? h("p", { class: "clause-text" }, text) : null,
    asked?.device ? h("p", { class: "device-error" }, sentence(asked.device.code, asked.device.gaps, asked.device.text)) : null,
    facts(open),
    open?.reported_by ? h("p", { class: "soft" }, t("Reported by {who}", { who: personName(open.reported_by) })) : null,
    view.queue.length ? h("p", { class: "soft" }, t("Then: {what}", { what: view.queue.map(caseTitle).join(", ") })) : null);
}

/** @param {Case | null} open */
function facts(open) {
  const known = Object.entries(open?.facts ?? {});
  if (!known.length) return null;
  return h("ul", { class: "facts" }, known.map(([fact, so]) =>
    h("li", {}, named("fact", fact), " ", h("b", {}, so ? t("yes") : t("no")))));
}

/** @param {Ask} asked */
const question = ({ code, gaps, says }) => sentence(code, gaps, says);

/** @type {Record<string, (view: StaffView, asked: Ask) => Child>} */
const QUESTIONS = { approve, decide, put_right: decide, enter: enterCard, order: sayOrder, lies: sayWhereTheyLie, missing, count };

/** @param {StaffView} view @param {Ask} asked */
function asking(view, asked) {
  const draw = QUESTIONS[asked.ask] ?? yesOrNo;
  return h("div", { class: `question ${asked.ask}` }, draw(view, asked));
}

// --- facts: yes or no, then confirm ---------------------------------------------------------------

/** @param {StaffView} view @param {Ask} asked @returns {Child} */
function yesOrNo(view, asked) {
  const says = question(asked);
  /** @param {boolean} value @param {string} label @returns {Choice} */
  const choice = (value, label) => ({
    word: "answer", given: { value }, role: asked.role, label: `${says} ${label}`, what: says,
  });
  const yes = async () => {
    if (asked.ask !== "order_known") choose(choice(true, t("Yes")));
    else await tellOrder(view, asked, says);
  };
  return [
    h("p", { class: "asks" }, says),
    h("div", { class: "two" },
      button(t("Yes"), yes, { class: "big", "data-key": "yes" }),
      button(t("No"), () => choose(choice(false, t("No"))), { class: "big", "data-key": "no" })),
  ];
}

/** @param {StaffView} view @param {Ask} asked @param {string} what */
async function tellOrder(view, asked, what) {
  const order = await pickOrder(t("The order of the cards"), view.case?.concerns ?? []);
  if (order) await word("answer", { order }, { role: asked.role, what });
}

/** @param {StaffView} view @param {Ask} asked @returns {Child} */
function sayOrder(view, asked) {
  const what = t("Say in which order the cards came");
  return [h("p", { class: "asks" }, what), button(t("Say the order"), () => tellOrder(view, asked, what), { class: "big", "data-key": "order" })];
}

/** @param {StaffView} _view @param {Ask} asked @returns {Child} */
function sayWhereTheyLie(_view, asked) {
  const what = t("Say where the cards lie");
  const run = async () => {
    const lies = await pickLies(what);
    if (lies) await word("answer", { lies }, { role: asked.role, what });
  };
  return [h("p", { class: "asks" }, question(asked)), button(what, run, { class: "big", "data-key": "lies" })];
}

// --- cards entered by hand -------------------------------------------------------------------------

/** @param {StaffView} view @param {Ask} asked @returns {Child} */
function enterCard(view, asked) {
  const number = view.case?.card;
  const run = async () => {
    const code = await pickCard(t("Enter the card as it lies"), number ? t("Card {n}", { n: number }) : null);
    if (code) await word("enter_card", number ? { card: code, n: number } : { card: code }, { role: asked.role, what: t("Enter the card as it lies") });
  };
  return [h("p", { class: "asks" }, t("Enter the card as it lies")), button(t("Pick rank and suit"), run, { class: "big", "data-key": "enter" })];
}

// Cards may have left the shoe unread: how many lie there, counted by hand and prefilled by nobody.
/** @param {StaffView} _view @param {Ask} asked @returns {Child} */
function count(_view, asked) {
  return [h("p", { class: "asks" }, question(asked)), button(t("Enter the number"), () => countCards(question(asked), asked.role), { class: "big", "data-key": "count-cards" })];
}

/** @param {string} lead @param {import("./types.d.ts").Role | null} [role] */
export async function countCards(lead, role = null) {
  const what = t("How many cards lie there?");
  const cards = await pickNumber(what, lead);
  if (cards !== null) await word("count", { cards }, { role, what });
}

/** @param {StaffView} view @param {Ask} asked @returns {Child} */
function missing(view, asked) {
  const kept = view.case?.kept ?? 0;
  const counted = async () => {
    const left = await pickCounts(view.shoe_in_use?.decks ?? 8);
    if (left) await word("answer", { left }, { role: asked.role, what: t("Cards counted") });
  };
  const enter = async () => {
    const code = await pickCard(t("A kept card that could not be read"));
    if (code) await word("enter_card", { card: code }, { role: asked.role, what: t("Enter the card as it lies") });
  };
  return [
    h("p", { class: "asks" }, kept < 2
      ? t("Take two cards from the device and keep them in drawn order: {n} of 2", { n: kept })
      : t("Sort all other cards into decks in full view, and enter the counts")),
    h("div", { class: "two" },
      button(t("Enter the counts"), counted, { class: "big", disabled: kept < 2, "data-key": "count" }),
      button(t("Enter a kept card"), enter, { class: "plain", "data-key": "kept" }),
      button(t("Decide otherwise"), () => decideWindow(view, asked), { class: "plain", "data-key": "decide" })),
  ];
}

// --- options for players ----------------------------------------------------------------------------------

/** @param {StaffView} view */
function offers(view) {
  const tracked = app.about?.track_wagers !== false;
  return h("div", { class: "offers" },
    h("p", { class: "asks" }, t("Ask each player: play on or withdraw?")),
    view.offers.map((offer) => offered(view, offer)),
    button(t("Close the offer: silence plays on"), () => choose({
      word: "close_offer", given: {}, role: least(tracked ? "close_offer" : "close_untracked_offer"), label: t("Close the offer: silence plays on"), what: t("Close the offer: silence plays on"),
    }), { class: "plain", "data-key": "close-offer" }));
}

/** @param {StaffView} view @param {Offer} offer */
function offered(view, offer) {
  const who = capital(personName(offer.to));
  const may = view.withdrawable[offer.to] ?? { wagers: [], each: false };
  /** @param {"play" | "withdraw"} choice @param {string} label @param {string[]} [wagers] */
  const answer = (choice, label, wagers) => choose({
    word: "option", given: { choice, player: offer.to, ...(wagers ? { wagers } : {}) }, label: `${who}: ${label}`, what: label,
  });
  const lying = view.wagers.filter((each) => may.wagers.includes(each.id));
  const single = may.each && lying.length > 1;
  return h("div", { class: "offer" }, h("b", {}, who),
    button(t("Plays on"), () => answer("play", t("Plays on")), { "data-key": `play-${offer.to}` }),
    button(single ? t("Withdraws all") : t("Withdraws"), () => answer("withdraw", t("Withdraws")), { "data-key": `out-${offer.to}` }),
    single && lying.map((each) => {
      const label = t("Withdraws {what}", { what: stakeText(each) });
      return button(label, () => answer("withdraw", label, [each.id]), { class: "plain", "data-key": `out-${each.id}` });
    }));
}

// --- what a device holds the table for -------------------------------------------------------------------------

/** @param {Hold} hold */
const why = ({ code, gaps, text }) => sentence(code, gaps, text);

/** Everything that holds the table: why, since when, who can end it. @param {Hold[]} list */
export function holds(list) {
  return h("ul", { class: "holds" }, list.map((each) => h("li", {}, h("span", {}, why(each)), " ", clause(each.clause),
    each.since === null ? null : h("small", {}, t("since {time}", { time: `${clock(each.since)} UTC` })),
    each.role ? h("small", {}, t("{role} or above", { role: roleName(each.role) })) : null)));
}

/** @param {Hold[]} list */
function held(list) {
  const what = list.map(why).join(", ");
  return h("div", { class: "question held" },
    h("h2", {}, t("The table is held")),
    h("p", { class: "asks" }, what),
    button(t("It is put right: go on"), () => choose({ word: "resume", given: {}, role: list[0]?.role, label: t("It is put right: go on"), what }), { class: "big", "data-key": "resume" }));
}

// What a choice looks like before it is said: confirm it, or take it back.
/** @param {Choice} choice @param {() => unknown} confirm @param {() => unknown} back */
export function confirming(choice, confirm, back) {
  return h("div", { class: "confirming", role: "group", "aria-label": t("Confirm or take back") },
    h("p", {}, choice.label),
    button(t("Take back"), back, { class: "big", "data-key": "take-back" }),
    button(t("Confirm"), confirm, { class: "big primary", "data-key": "confirm" }));
}
