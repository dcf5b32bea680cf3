// What the table waits for: questions one at a time, options for players, approvals, decisions. The
// dealer's page and the pit's show the same panel.

import { app, least } from "./app.js";
import { card } from "./cards.js";
import { capital, isNamed, named, speaksEnglish, t, titled } from "./catalogue.js";
import { ask, foot, options } from "./dialog.js";
import { button, clock, h } from "./dom.js";
import { pickCard, pickCounts, pickNumber, pickOrder, reasons } from "./pickers.js";
import { roleName } from "./pin.js";
import { choose, word } from "./saying.js";
import { personName, sentence, stakeText, wagerText } from "./sentences.js";
import { clause } from "./shell.js";

/** @import { Again, Ask, Case, Child, Choice, Done, Hold, Offer, Option, Request, StaffView } from "./types.d.ts" */
/** @typedef {import("./pickers.js").Reasoned & { outcome: string | null, remove: Set<string> }} Decision */

// What happened, in the book's words; ours for what no book has a name for.
/** @param {string | null | undefined} id */
export function caseTitle(id) {
  const own = speaksEnglish() && app.about?.irregularities.find((each) => each.id === id)?.name;
  if (own) return capital(own);
  if (!id) return "";
  return titled(isNamed("irregularity", id) ? "irregularity" : "request", id);
}

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
const QUESTIONS = { approve, decide, put_right: decide, enter: enterCard, order: sayOrder, missing, count };

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
  const run = async () => {
    const cards = await pickNumber(t("How many cards lie there?"), question(asked));
    if (cards !== null) await word("count", { cards }, { role: asked.role, what: t("How many cards lie there?") });
  };
  return [h("p", { class: "asks" }, question(asked)), button(t("Enter the number"), run, { class: "big", "data-key": "count-cards" })];
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

// --- the second person ------------------------------------------------------------------------------

/** @param {StaffView} view @param {Ask} asked @returns {Child} */
function approve(view, asked) {
  const request = view.request;
  const by = request && asked.case === request.what ? request.by : view.case?.asker;
  const what = request ? requestText(request) : caseTitle(asked.case);
  if (!by) {
    // A device opened the case: the dealer asks first, then somebody else approves.
    return [
      h("p", { class: "asks" }, t("The round is void if two people say so: ask for it first.")),
      button(t("Ask for a void"), () => choose({ word: "approve", given: {}, role: least("ask_for_a_void"), label: t("Ask for a void"), what }), { class: "big", "data-key": "ask" }),
    ];
  }
  /** @param {"approve" | "refuse"} name @param {string} label */
  const answer = (name, label) => () => word(name, {}, { role: asked.role ?? least("void"), what: `${label}: ${what}`, pin: true, notThese: asked.second && (name === "approve" || request) ? [by] : [] });
  return [
    request ? requested(request) : entered(view),
    h("p", { class: "asks" }, t("A second person approves or refuses."), " ", h("span", { class: "soft" }, t("Asked by {who}", { who: personName(by) }))),
    h("div", { class: "two" },
      button(t("Approve"), answer("approve", t("Approve")), { class: "big primary", "data-key": "approve" }),
      button(t("Refuse"), answer("refuse", t("Refuse")), { class: "big", "data-key": "refuse" })),
  ];
}

/** @param {Request} request */
function requestText(request) {
  if (request.what === "correct") return t("Correct card {n}", { n: request.given.n });
  if (request.what === "load_shoe") return t("Replace the shoe");
  if (request.what === "first_card") return t("The first card, entered by hand");
  if (request.what === "swap_device") return t("Another unit takes the place of {device}", { device: named("device", request.given.device) });
  return sentence(request.code, request.gaps, request.text);
}

/** @param {Request} request */
function requested(request) {
  if (request.what === "count") return h("p", { class: "lead" }, requestText(request), ". ", t("Count too before you approve."));
  if (request.what === "first_card") return h("div", { class: "before-after" }, h("figure", {}, card(request.given.card), h("figcaption", {}, requestText(request))));
  if (request.what === "swap_device") {
    return h("p", { class: "lead" }, requestText(request), `: ${request.given.identity} · ${request.given.asset}. `, t(request.reason));
  }
  if (request.what !== "correct") {
    return h("p", { class: "lead" }, t("Replace the shoe: deck set {set}, verified by {by}", { set: t(request.given.deck_set), by: personName(request.given.verified_by) }));
  }
  return h("div", { class: "before-after" },
    h("figure", {}, card(request.given.before), h("figcaption", {}, t("before"))), h("span", { "aria-hidden": "true" }, "→"),
    h("figure", {}, card(request.given.card), h("figcaption", {}, t("after"))),
    h("p", {}, t("Card {n}", { n: request.given.n }), h("br", {}), t(request.reason)));
}

/** @param {StaffView} view */
function entered(view) {
  const found = view.case?.entered;
  if (!found) return h("p", { class: "lead" }, t("The round is void: every wager goes back."));
  return h("div", { class: "before-after" }, h("figure", {}, card(found.card), h("figcaption", {}, t("Card {n}, entered by hand", { n: found.n }))));
}

// --- decisions -----------------------------------------------------------------------------------------

/** @param {StaffView} view @param {Ask} asked @returns {Child} */
function decide(view, asked) {
  const label = asked.ask === "put_right" ? t("Say which wagers come off") : t("Decide");
  return [
    h("p", { class: "asks" }, asked.ask === "put_right" ? t("Put the wagers right, and say which come off.") : t("Decide how the round goes on.")),
    button(label, () => decideWindow(view, asked), { class: "big", "data-key": "decide" }),
  ];
}

/** @type {Option<string>[]} */
const OUTCOMES = [
  ["go_on", "The round goes on"],
  ["void", "The round is void"],
  ["reconstruct", "Put the cards in drawn order"],
  ["remove", "Wagers come off"],
];
const DECIDED = ["As the rulebook says", "After looking at the recording", "All players agree", "To be fair to all players"];

/** @param {StaffView} view @param {Ask} asked */
async function decideWindow(view, asked) {
  const putRight = asked.ask === "put_right";
  /** @type {Decision} */
  const state = { outcome: putRight ? "remove" : null, remove: new Set(), reason: null, ready: () => Boolean(state.outcome && state.reason) };
  const decided = await ask(caseTitle(asked.case), (/** @type {Done<Decision>} */ done, again) => [
    asked.role && h("p", { class: "soft" }, t("{role} or above", { role: roleName(asked.role) })),
    !putRight && options(OUTCOMES.map(([value, label]) => /** @type {Option<string>} */ ([value, t(label)])), state.outcome, (value) => { state.outcome = value; again(); }, "column"),
    state.outcome === "remove" && wagersToRemove(view, state, again),
    h("h3", {}, t("Because")),
    reasons(DECIDED, state, again),
    foot(done, { label: t("Confirm"), ready: state.ready(), value: () => state }),
  ]);
  if (!decided) return;
  const { reason: text, outcome, remove } = decided;
  const given = outcome === "remove" ? { text, outcome, remove: [...remove] } : { text, outcome };
  await word("decide", given, { role: asked.role, pin: true, what: caseTitle(asked.case) });
}

/** @param {StaffView} view @param {Decision} state @param {Again} again */
function wagersToRemove(view, state, again) {
  /** @param {string} id */
  const toggle = (id) => {
    if (!state.remove.delete(id)) state.remove.add(id);
    again();
  };
  return h("div", { class: "options column" }, view.wagers.filter((each) => each.returned_by === null).map((each) =>
    button(wagerText(each), () => toggle(each.id), { "aria-pressed": String(state.remove.has(each.id)), "data-key": `w${each.id}` })));
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
