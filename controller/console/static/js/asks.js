// What the table waits for: questions one at a time, options for players, approvals, decisions. The
// dealer's page and the pit's show the same panel.

import { actButtons, inSlots } from "./acts.js";
import { app, least, me } from "./app.js";
import { approvalActs, approve } from "./approving.js";
import { capital, isNamed, named, t } from "./catalogue.js";
import { decide, decideWindow, decisionActs } from "./deciding.js";
import { button, h } from "./dom.js";
import { leadNote, leadsOf } from "./follows.js";
import { pickCard, pickCounts, pickLies, pickNumber, pickOrder } from "./pickers.js";
import { roleName } from "./pin.js";
import { choose, mayThemselves, word } from "./saying.js";
import { personName, sentence, stakeText } from "./sentences.js";
import { clause } from "./shell.js";
import { caseTitle } from "./titles.js";

/** @import { Ask, Case, Child, Choice, Offer, StaffView } from "./types.d.ts" */
/** @import { Step } from "./steps.js" */

// The panel's parts, or nothing when nothing is open.
/** @param {StaffView} view @returns {Child[]} */
export function panel(view) {
  if (view.offers[0]) return [heading(view, view.offers[0].clause), offers(view)];
  if (view.asks.length) return view.asks.flatMap((each) => [heading(view, each.clause, each), asking(view, each)]);
  return [];
}

/** @param {StaffView} view @param {string | null} number @param {Ask | null} [asked] */
function heading(view, number, asked = null) {
  const open = caseOf(view, asked);
  if (asked && isFact(asked) && inSlots()) return beneath(view, asked);
  // A clause that rules on an answer is not read out before the answer.
  const text = number === null || (asked && isFact(asked)) ? null : app.clauses[number];
  const title = open ? caseTitle(open.id) : caseTitle(asked?.case);
  return h("header", { class: "case" }, h("h2", {}, title), clause(number),
    asked?.role ? h("span", { class: "role" }, t("{role} or above", { role: roleName(asked.role) })) : null,
    text ? h("p", { class: "clause-text" }, text) : null,
    device(asked), facts(open),
    open?.reported_by ? h("p", { class: "soft" }, reportedBy(open.reported_by)) : null,
    queued(view));
}

/** The open case, unless what is asked is about something else. @param {StaffView} view @param {Ask | null} asked */
const caseOf = (view, asked) => (asked && asked.case !== view.case?.id ? null : view.case);

/** @param {string} who a person, or a device */
const reportedBy = (who) => (isNamed("device", who)
  ? t("Reported by the {device}", { device: named("device", who) }) : t("Reported by {who}", { who: personName(who) }));

// The dealer's head says what is asked, by whom and by which clause: here is what else is known.
/** @param {StaffView} view @param {Ask} asked */
function beneath(view, asked) {
  const parts = [device(asked), facts(view.case), queued(view)].filter(Boolean);
  return parts.length ? h("header", { class: "case" }, parts) : null;
}

/** @param {Ask | null} asked */
const device = (asked) =>
  (asked?.device ? h("p", { class: "device-error" }, sentence(asked.device.code, asked.device.gaps, asked.device.text))
    : null);

/** @param {StaffView} view */
const queued = (view) =>
  (view.queue.length ? h("p", { class: "soft" }, t("Then: {what}", { what: view.queue.map(caseTitle).join(", ") }))
    : null);

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
const QUESTIONS = { approve, decide, put_right: decide, enter: enterCard, order: sayOrder, lies: sayWhereTheyLie,
  missing, kept: enterKept, count };

/** @type {Record<string, (view: StaffView, asked: Ask) => Step[]>} */
const ACTS = { approve: approvalActs, decide: decisionActs, put_right: decisionActs, enter: enterActs, order: orderActs,
  lies: liesActs, missing: () => [], kept: () => [], count: countActs };

/** What answers it, where that is one act or two. @param {StaffView} view @param {Ask} asked @returns {Step[]} */
export const actsOf = (view, asked) => (ACTS[asked.ask] ?? factActs)(view, asked);

/** A question of fact. @param {Ask} asked */
const isFact = (asked) => QUESTIONS[asked.ask] === undefined;

/** @param {StaffView} view @param {Ask} asked */
function asking(view, asked) {
  const draw = QUESTIONS[asked.ask] ?? yesOrNo;
  return h("div", { class: `question ${asked.ask}`, "data-of": `${asked.case} ${asked.since}` }, draw(view, asked));
}

// --- facts: yes or no, then confirm ---------------------------------------------------------------

/** @param {StaffView} view @param {Ask} asked @returns {Child} */
const yesOrNo = (view, asked) => [inSlots() ? null : h("p", { class: "asks" }, question(asked)), leadsOf(asked),
  actButtons(factActs(view, asked), "answers")];

/** Both answers weigh the same. @param {StaffView} view @param {Ask} asked @returns {Step[]} */
function factActs(view, asked) {
  const says = question(asked);
  /** @param {boolean} value @param {string} label @returns {Choice} */
  const choice = (value, label) => ({
    word: "answer", given: { value }, role: asked.role, label: `${says} ${label}`, what: says,
  });
  return [
    { key: "yes", label: t("Yes"), note: leadNote(asked, "yes"), done: `${says} ${t("Yes")}`,
      run: () => (asked.ask === "order_known" ? tellOrder(view, asked, says) : choose(choice(true, t("Yes")))) },
    { key: "no", label: t("No"), note: leadNote(asked, "no"), done: `${says} ${t("No")}`,
      run: () => choose(choice(false, t("No"))) },
  ];
}

/** @param {StaffView} view @param {Ask} asked @param {string} what @param {string[]} [notThese] */
async function tellOrder(view, asked, what, notThese = []) {
  const order = await pickOrder(t("The order of the cards"), view.case?.concerns ?? []);
  return order ? word("answer", { order }, { role: asked.role, what, notThese }) : false;
}

// Somebody else than who reported it says the order; they may do so at this screen.
/** @param {StaffView} view @param {Ask} asked */
function ofOrder(view, asked) {
  const role = asked.role ?? least("deal");
  const by = view.case?.asker ?? null;
  const notThese = by === null ? [] : [by];
  return { role, by, notThese, what: t("Enter the order of the cards"), may: mayThemselves(role, notThese) };
}

/** @param {StaffView} view @param {Ask} asked @returns {Step[]} */
function orderActs(view, asked) {
  const { may, what, notThese } = ofOrder(view, asked);
  return [{ key: "order", label: may ? t("Enter the order") : t("A second person is here"), solid: inSlots(),
    run: () => tellOrder(view, asked, what, notThese) }];
}

/** @param {StaffView} view @param {Ask} asked @returns {Child} */
function sayOrder(view, asked) {
  const { role, by, what, may } = ofOrder(view, asked);
  const takes = by === me().who ? t("You reported it: another person enters the order, {role} or above.",
    { role: roleName(role) }) : t("Needs {role} or above.", { role: roleName(role) });
  return [
    h("p", { class: "asks" }, what),
    may ? null : h("p", { class: "takes" }, takes),
    actButtons(orderActs(view, asked)),
  ];
}

/** @param {StaffView} view @param {Ask} asked @returns {Child} */
function sayWhereTheyLie(view, asked) {
  return [h("p", { class: "asks" }, question(asked)), actButtons(liesActs(view, asked))];
}

/** @param {StaffView} _view @param {Ask} asked @returns {Step[]} */
function liesActs(_view, asked) {
  const what = t("Enter where the cards are");
  const run = async () => {
    const lies = await pickLies(what);
    if (lies) await word("answer", { lies }, { role: asked.role, what });
  };
  return [{ key: "lies", label: what, solid: inSlots(), run }];
}

// --- cards entered by hand -------------------------------------------------------------------------

/** @param {StaffView} view @param {Ask} asked @returns {Child} */
function enterCard(view, asked) {
  return [h("p", { class: "asks" }, t("Enter the card on the layout")), actButtons(enterActs(view, asked))];
}

/** @param {StaffView} view @param {Ask} asked @returns {Step[]} */
function enterActs(view, asked) {
  const number = view.case?.card;
  const run = async () => {
    const code = await pickCard(t("Enter the card on the layout"), number ? t("Card {n}", { n: number }) : null);
    if (code) {
      await word("enter_card", number ? { card: code, n: number } : { card: code },
        { role: asked.role, what: t("Enter the card on the layout") });
    }
  };
  return [{ key: "enter", label: t("Enter the card"), note: t("rank and suit"), solid: inSlots(), run }];
}

// Cards may have left the shoe unread: how many lie there, counted by hand and prefilled by nobody.
/** @param {StaffView} _view @param {Ask} asked @returns {Child} */
function count(_view, asked) {
  const what = t("How many cards are on the layout?");
  /** @param {number} cards */
  const counted = (cards) =>
    choose({ word: "count", given: { cards }, role: asked.role, what,
      label: cards === 1 ? t("1 card on the layout") : t("{n} cards on the layout", { n: cards }) });
  return [
    h("p", { class: "asks" }, what),
    h("div", { class: "many" },
      Array.from({ length: OF_A_ROUND + 1 },
        (_, cards) => button(String(cards), () => counted(cards), { "data-key": `count-${cards}` })),
      inSlots() ? null : button(t("more"), () => countCards(question(asked), asked.role),
        { class: "more", "data-key": "count-cards" })),
    h("p", { class: "soft" }, t("The table's own count is hidden until you enter yours.")),
  ];
}

/** @param {StaffView} _view @param {Ask} asked @returns {Step[]} */
function countActs(_view, asked) {
  return [{ key: "count-cards", label: t("Enter the number"), solid: inSlots(),
    run: () => countCards(question(asked), asked.role) }];
}

/** So many cards has a round at most. */
const OF_A_ROUND = 6;

/** @param {string} lead @param {import("./types.d.ts").Role | null} [role] */
export async function countCards(lead, role = null) {
  const what = t("How many cards are on the layout?");
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
  return [
    h("p", { class: "asks" }, kept < 2
      ? t("Take two cards from the device and keep them in drawn order: {n} of 2", { n: kept })
      : t("Sort all other cards into decks in full view, and enter the counts")),
    h("div", { class: "two" },
      button(t("Enter the counts"), counted, { class: "big", disabled: kept < 2, "data-key": "count" }),
      button(t("Other decision"), () => decideWindow(view, asked), { class: "plain", "data-key": "decide" })),
  ];
}

// Only whoever must be present looks at it; it stays sealed.
/** @param {StaffView} view @param {Ask} asked @returns {Child} */
function enterKept(view, asked) {
  const enter = async () => {
    const code = await pickCard(t("Kept card not read"));
    if (code) await word("enter_card", { card: code }, { role: asked.role, what: t("Enter a kept card") });
  };
  return [
    h("p", { class: "asks" }, question(asked)),
    h("div", { class: "two" },
      button(t("Enter a kept card"), enter, { class: "big", "data-key": "kept" }),
      button(t("Other decision"), () => decideWindow(view, asked), { class: "plain", "data-key": "decide" })),
  ];
}

// --- options for players ----------------------------------------------------------------------------------

/** @param {StaffView} view */
function offers(view) {
  const tracked = app.about?.track_wagers !== false;
  return h("div", { class: "offers" },
    h("p", { class: "asks" }, t("Ask each player: play on or withdraw?")),
    view.offers.map((offer) => offered(view, offer)),
    button(t("Close the offer: no answer plays on"), () => choose({
      word: "close_offer", given: {}, role: least(tracked ? "close_offer" : "close_untracked_offer"),
      label: t("Close the offer: no answer plays on"), what: t("Close the offer: no answer plays on"),
    }), { class: "plain", "data-key": "close-offer" }));
}

/** @param {StaffView} view @param {Offer} offer */
function offered(view, offer) {
  const who = capital(personName(offer.to));
  const may = view.withdrawable[offer.to] ?? { wagers: [], each: false };
  /** @param {"play" | "withdraw"} choice @param {string} label @param {string[]} [wagers] */
  const answer = (choice, label, wagers) => choose({
    word: "option", given: { choice, player: offer.to, ...(wagers ? { wagers } : {}) }, label: `${who}: ${label}`,
    what: label,
  });
  const lying = view.wagers.filter((each) => may.wagers.includes(each.id));
  const single = may.each && lying.length > 1;
  return h("div", { class: "offer" }, h("b", {}, who),
    button(t("Plays on"), () => answer("play", t("Plays on")), { "data-key": `play-${offer.to}` }),
    button(single ? t("Withdraws all") : t("Withdraws"), () => answer("withdraw", t("Withdraws")),
      { "data-key": `out-${offer.to}` }),
    single && lying.map((each) => {
      const label = t("Withdraws {what}", { what: stakeText(each) });
      return button(label, () => answer("withdraw", label, [each.id]),
        { class: "plain", "data-key": `out-${each.id}` });
    }));
}

// What a choice looks like before it is said: confirm it, or take it back.
/** @param {Choice} choice @param {() => unknown} confirm @param {() => unknown} back */
export function confirming(choice, confirm, back) {
  return h("div", { class: "confirming", role: "group", "aria-label": t("Confirm or cancel") },
    h("p", {}, choice.label),
    button(t("Cancel"), back, { class: "big", "data-key": "take-back" }),
    button(t("Confirm"), confirm, { class: "big primary", "data-key": "confirm" }));
}
