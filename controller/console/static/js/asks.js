// What the table waits for: questions one at a time, options for players, approvals, decisions. The
// dealer's page and the pit's show the same panel.

import { ask, foot, options } from "./dialog.js";
import { button, h, money, pretty } from "./dom.js";
import { pickCard, pickCounts, pickNumber, pickOrder, reasons, seatName } from "./pickers.js";
import { app, choose, clause, word } from "./shell.js";
import { roleName } from "./pin.js";
import { card } from "./cards.js";
import { say, t } from "./words.js";

// What happened, in the book's words; ours for what no book has a name for.
export function caseTitle(id) {
  const row = app.about?.irregularities.find((each) => each.id === id);
  return say(pretty(row?.name ?? id));
}

// The panel's parts, or nothing when nothing is open.
export function panel(view) {
  if (view.offers.length) return [heading(view, view.offers[0].clause), offers(view)];
  if (view.asks.length) return view.asks.flatMap((each) => [heading(view, each.clause, each), question(view, each)]);
  if (view.latches?.length) return [held(view)];
  return [];
}

function heading(view, number, asked = null) {
  const open = view.case;
  const title = open ? caseTitle(open.id) : caseTitle(asked?.case);
  return h("header", { class: "case" }, h("h2", {}, title), clause(number),
    asked?.role ? h("span", { class: "role" }, t("{role} or above", { role: roleName(asked.role) })) : null,
    number && app.clauses[number] ? h("p", { class: "clause-text" }, app.clauses[number]) : null,
    facts(open),
    open?.reported_by ? h("p", { class: "soft" }, t("Reported by {who}", { who: say(open.reported_by) })) : null,
    view.queue.length ? h("p", { class: "soft" }, t("Then: {what}", { what: view.queue.map(caseTitle).join(", ") })) : null);
}

const FACTS = {
  initial_deal: "is one of the cards among the first four?",
  order_known: "is the order of the cards known?",
  reconstructable: "can the cards be put back in their order?",
  value_known: "does the device or surveillance know the cards?",
  dealt_face_up: "was the card dealt face up?",
  belongs: "does the card belong to the cards in use?",
  unshuffled: "were unshuffled cards used?",
  interrupted: "was play interrupted?",
  may_withdraw: "does the dealer let players withdraw their wagers?",
};

function facts(open) {
  const known = Object.entries(open?.facts ?? {});
  if (!known.length) return null;
  return h("ul", { class: "facts" }, known.map(([fact, holds]) =>
    h("li", {}, say(FACTS[fact] ?? pretty(fact)), " ", h("b", {}, holds ? t("yes") : t("no")))));
}

function question(view, asked) {
  const draw = { approve, decide, put_right: decide, enter: enterCard, order: sayOrder, missing, count }[asked.ask] ?? yesOrNo;
  return h("div", { class: `question ${asked.ask}` }, draw(view, asked));
}

// --- facts: yes or no, then confirm ---------------------------------------------------------------

function yesOrNo(view, asked) {
  const choice = (value, label) => ({
    word: "answer", given: { value }, role: asked.role, label: `${say(asked.says)} ${label}`, what: say(asked.says),
  });
  const yes = async () => {
    if (asked.ask !== "order_known") return choose(choice(true, t("Yes")));
    const order = await pickOrder(t("The order of the cards"), view.case.concerns);
    if (order) await word("answer", { order }, { role: asked.role, what: say(asked.says) });
  };
  return [
    h("p", { class: "asks" }, say(asked.says)),
    h("div", { class: "two" },
      button(t("Yes"), yes, { class: "big", "data-key": "yes" }),
      button(t("No"), () => choose(choice(false, t("No"))), { class: "big", "data-key": "no" })),
  ];
}

function sayOrder(view, asked) {
  const run = async () => {
    const order = await pickOrder(t("The order of the cards"), view.case.concerns);
    if (order) await word("answer", { order }, { role: asked.role, what: t("Say in which order the cards came") });
  };
  return [h("p", { class: "asks" }, t("Say in which order the cards came")), button(t("Say the order"), run, { class: "big", "data-key": "order" })];
}

// --- cards entered by hand -------------------------------------------------------------------------

function enterCard(view, asked) {
  const number = view.case?.card;
  const run = async () => {
    const code = await pickCard(t("Enter the card as it lies"), number ? t("Card {n}", { n: number }) : null);
    if (code) await word("enter_card", number ? { card: code, n: number } : { card: code }, { role: asked.role, what: t("Enter the card as it lies") });
  };
  return [h("p", { class: "asks" }, t("Enter the card as it lies")), button(t("Pick rank and suit"), run, { class: "big", "data-key": "enter" })];
}

// Cards may have left the shoe unread: how many lie there, counted by hand and prefilled by nobody.
function count(view, asked) {
  const run = async () => {
    const cards = await pickNumber(t("How many cards lie there?"), say(asked.says));
    if (cards !== null) await word("count", { cards }, { role: asked.role, what: t("How many cards lie there?") });
  };
  return [h("p", { class: "asks" }, say(asked.says)), button(t("Enter the number"), run, { class: "big", "data-key": "count-cards" })];
}

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

function approve(view, asked) {
  const request = view.request;
  const by = request && asked.case === request.what ? request.by : view.case?.asker;
  const what = request ? requestText(request) : caseTitle(asked.case);
  if (!by) {
    // A device opened the case: the dealer asks first, then somebody else approves.
    return [
      h("p", { class: "asks" }, t("The round is void if two people say so: ask for it first.")),
      button(t("Ask for a void"), () => choose({ word: "approve", given: {}, role: "dealer", label: t("Ask for a void"), what }), { class: "big", "data-key": "ask" }),
    ];
  }
  const answer = (name, label) => () => word(name, {}, { role: asked.role ?? "pit_supervisor", what: `${label}: ${what}`, pin: true, notThese: name === "approve" || request ? [by] : [] });
  return [
    request ? requested(request) : entered(view),
    h("p", { class: "asks" }, t("A second person approves or refuses."), " ", h("span", { class: "soft" }, t("Asked by {who}", { who: by }))),
    h("div", { class: "two" },
      button(t("Approve"), answer("approve", t("Approve")), { class: "big primary", "data-key": "approve" }),
      button(t("Refuse"), answer("refuse", t("Refuse")), { class: "big", "data-key": "refuse" })),
  ];
}

const REQUESTS = {
  correct: (request) => t("Correct card {n}", { n: request.given.n }),
  load_shoe: () => t("Replace the shoe"),
  count: (request) => say(request.reason),
  first_card: () => t("The first card, entered by hand"),
  swap_device: (request) => t("Another unit takes the place of {device}", { device: say(pretty(request.given.device)) }),
};
const requestText = (request) => REQUESTS[request.what]?.(request) ?? say(request.reason);

function requested(request) {
  if (request.what === "count") return h("p", { class: "lead" }, say(request.reason), ". ", t("Count too before you approve."));
  if (request.what === "first_card") return h("div", { class: "before-after" }, h("figure", {}, card(request.given.card), h("figcaption", {}, requestText(request))));
  if (request.what === "swap_device") {
    return h("p", { class: "lead" }, requestText(request), `: ${request.given.identity} · ${request.given.asset}. `, say(request.reason));
  }
  if (request.what !== "correct") {
    return h("p", { class: "lead" }, t("Replace the shoe: deck set {set}, verified by {by}", { set: say(request.given.deck_set), by: say(request.given.verified_by) }));
  }
  return h("div", { class: "before-after" },
    h("figure", {}, card(request.given.before), h("figcaption", {}, t("before"))), h("span", { "aria-hidden": "true" }, "→"),
    h("figure", {}, card(request.given.card), h("figcaption", {}, t("after"))),
    h("p", {}, t("Card {n}", { n: request.given.n }), h("br", {}), say(request.reason)));
}

function entered(view) {
  const found = view.case?.entered;
  if (!found) return h("p", { class: "lead" }, t("The round is void: every wager goes back."));
  return h("div", { class: "before-after" }, h("figure", {}, card(found.card), h("figcaption", {}, t("Card {n}, entered by hand", { n: found.n }))));
}

// --- decisions -----------------------------------------------------------------------------------------

function decide(view, asked) {
  const label = asked.ask === "put_right" ? t("Say which wagers come off") : t("Decide");
  return [
    h("p", { class: "asks" }, asked.ask === "put_right" ? t("Put the wagers right, and say which come off.") : t("Decide how the round goes on.")),
    button(label, () => decideWindow(view, asked), { class: "big", "data-key": "decide" }),
  ];
}

const OUTCOMES = [
  ["go_on", "The round goes on"],
  ["void", "The round is void"],
  ["reconstruct", "Put the cards in drawn order"],
  ["remove", "Wagers come off"],
];
const DECIDED = ["As the rulebook says", "After looking at the recording", "All players agree", "To be fair to all players"];

async function decideWindow(view, asked) {
  const putRight = asked.ask === "put_right";
  const state = { outcome: putRight ? "remove" : null, remove: new Set(), reason: null, ready: () => Boolean(state.outcome && state.reason) };
  const decided = await ask(caseTitle(asked.case), (done, again) => [
    h("p", { class: "soft" }, t("{role} or above", { role: roleName(asked.role) })),
    !putRight && options(OUTCOMES.map(([value, label]) => [value, t(label)]), state.outcome, (value) => { state.outcome = value; again(); }, "column"),
    state.outcome === "remove" && wagersToRemove(view, state, again),
    h("h3", {}, t("Because")),
    reasons(DECIDED, state, again),
    foot(done, { label: t("Confirm"), ready: state.ready(), value: () => state }),
  ]);
  if (!decided) return;
  const given = { text: decided.reason, outcome: decided.outcome };
  if (decided.outcome === "remove") given.remove = [...decided.remove];
  await word("decide", given, { role: asked.role, pin: true, what: caseTitle(asked.case) });
}

function wagersToRemove(view, state, again) {
  const toggle = (id) => { state.remove.has(id) ? state.remove.delete(id) : state.remove.add(id); again(); };
  return h("div", { class: "options column" }, view.wagers.filter((each) => each.returned_by === null).map((each) =>
    button(`${seatName(each.player)} · ${say(pretty(each.wager))} ${money(each.amount)}`, () => toggle(each.id), { "aria-pressed": String(state.remove.has(each.id)), "data-key": `w${each.id}` })));
}

// --- options for players ----------------------------------------------------------------------------------

function offers(view) {
  const tracked = app.about?.track_wagers !== false;
  return h("div", { class: "offers" },
    h("p", { class: "asks" }, t("Ask each player: play on or withdraw?")),
    view.offers.map((offer) => offered(view, offer)),
    button(t("Close the offer: silence plays on"), () => choose({
      word: "close_offer", given: {}, role: tracked ? "pit_supervisor" : "dealer", label: t("Close the offer: silence plays on"), what: t("Close the offer: silence plays on"),
    }), { class: "plain", "data-key": "close-offer" }));
}

function offered(view, offer) {
  const who = offer.to === "*" ? t("Every player") : seatName(offer.to);
  const may = view.withdrawable?.[offer.to] ?? { wagers: [], each: false };
  const answer = (choice, label, wagers) => choose({
    word: "option", given: { choice, player: offer.to, ...(wagers ? { wagers } : {}) }, label: `${who}: ${label}`, what: label,
  });
  const lying = view.wagers.filter((each) => may.wagers.includes(each.id));
  const single = may.each && lying.length > 1;
  return h("div", { class: "offer" }, h("b", {}, who),
    button(t("Plays on"), () => answer("play", t("Plays on")), { "data-key": `play-${offer.to}` }),
    button(single ? t("Withdraws all") : t("Withdraws"), () => answer("withdraw", t("Withdraws")), { "data-key": `out-${offer.to}` }),
    single && lying.map((each) => {
      const label = t("Withdraws {what}", { what: `${say(pretty(each.wager))} ${money(each.amount)}` });
      return button(label, () => answer("withdraw", label, [each.id]), { class: "plain", "data-key": `out-${each.id}` });
    }));
}

// --- what a device holds the table for -------------------------------------------------------------------------

function held(view) {
  const why = view.latches.map((each) => say(pretty(each))).join(", ");
  return h("div", { class: "question held" },
    h("h2", {}, t("The table is held")),
    h("p", { class: "asks" }, why),
    button(t("It is put right: go on"), () => choose({ word: "resume", given: {}, role: "pit_supervisor", label: t("It is put right: go on"), what: why }), { class: "big", "data-key": "resume" }));
}

// What a choice looks like before it is said: confirm it, or take it back.
export function confirming(choice, confirm, back) {
  return h("div", { class: "confirming", role: "group", "aria-label": t("Confirm or take back") },
    h("p", {}, choice.label),
    button(t("Take back"), back, { class: "big", "data-key": "take-back" }),
    button(t("Confirm"), confirm, { class: "big primary", "data-key": "confirm" }));
}
