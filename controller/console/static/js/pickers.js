// Choosing without typing: a card, an order of cards, a seat, counts, a reason.

import { app, shown } from "./app.js";
import { card, cardName, RANKS, rankText, suitName, suitShape, SUITS } from "./cards.js";
import { t, titled } from "./catalogue.js";
import { chips } from "./chips.js";
import { ask, foot, options } from "./dialog.js";
import { button, h } from "./dom.js";
import { money, personName, wagerText } from "./sentences.js";

/** @import { Again, CardCode, Child, Done, Drawn, Option, Side, StaffView, TakenOff } from "./types.d.ts" */
/** @typedef {{ rank?: string, suit?: string }} Picked */
/** @typedef {{ reason: string | null, typed?: string, ready: () => boolean }} Reasoned */

/** @param {Side} side */
export const handName = (side) => titled("hand", side);
/** @returns {Option<Side>[]} */
export const hands = () => [["player", handName("player")], ["banker", handName("banker")]];

// A card by rank and suit.
/** @param {Picked} state @param {Again} again */
export function rankAndSuit(state, again) {
  return h("div", { class: "rank-suit" },
    h("div", { class: "ranks", role: "group", "aria-label": t("Rank") }, RANKS.map((rank) =>
      button(rankText(rank), () => { state.rank = rank; again(); },
        { "aria-pressed": String(state.rank === rank), "data-key": `r${rank}` }))),
    h("div", { class: "suits", role: "group", "aria-label": t("Suit") }, SUITS.map((suit) =>
      h("button", { type: "button", onclick: () => { state.suit = suit; again(); },
        "aria-pressed": String(state.suit === suit), "data-key": `s${suit}` },
        suitShape(suit), h("span", {}, suitName(suit), " ", h("small", {}, suit))))),
    state.rank && state.suit ? card(state.rank + state.suit, { className: "preview" })
      : h("div", { class: "preview empty" }));
}

/** @param {string} title @param {string | null} [lead] */
export async function pickCard(title, lead = null) {
  /** @type {Picked} */
  const state = {};
  return ask(title, (/** @type {Done<CardCode>} */ done, again) => [
    lead !== null && h("p", { class: "lead" }, lead),
    rankAndSuit(state, again),
    foot(done, { label: t("Confirm"), ready: isPicked(state), value: () => codeOf(state) }),
  ], "wide beside");
}

/** @param {Picked} state */
export const isPicked = (state) => Boolean(state.rank && state.suit);
/** @param {Picked} state */
export const codeOf = (state) => `${state.rank}${state.suit}`;

/** @param {Drawn} drawn */
const lying = (drawn) => {
  const where = drawn.hand ? handName(drawn.hand) : t("set aside");
  return `${t("Card {n}", { n: drawn.n })}, ${where}: ${cardName(drawn.card)}`;
};

/**
 * @param {Drawn} drawn
 * @param {(drawn: Drawn) => void} press
 * @param {{ chosen?: boolean, badge?: string | null, off?: boolean }} [more]
 */
export function cardButton(drawn, press, { chosen = false, badge = null, off = false } = {}) {
  return h("button", { type: "button", class: "pick-card", onclick: () => press(drawn), "aria-pressed": String(chosen),
    "aria-label": lying(drawn), "data-key": `c${drawn.n}`, disabled: off },
    card(drawn.card), h("small", {}, `${drawn.n} · ${drawn.hand ? handName(drawn.hand) : t("set aside")}`),
    badge && h("b", { class: "badge" }, badge));
}

// Cards in the order they came out: tap the first, then the second ...
/** @param {string} title @param {number[]} among */
export async function pickOrder(title, among) {
  /** @type {number[]} */
  let order = [];
  const cards = shown().cards.filter((each) => among.length === 0 || among.includes(each.n));
  /** @param {Again} again @returns {(drawn: Drawn) => void} */
  const toggle = (again) => ({ n }) => {
    order = order.includes(n) ? order.filter((each) => each !== n) : [...order, n];
    again();
  };
  return ask(title, (/** @type {Done<number[]>} */ done, again) => [
    h("p", { class: "lead" }, t("Tap the cards in the order they left the shoe.")),
    h("div", { class: "pick-cards" }, cards.map((each) => {
      const place = order.indexOf(each.n);
      return cardButton(each, toggle(again), { chosen: place >= 0, badge: place >= 0 ? String(place + 1) : null });
    })),
    foot(done, { label: t("Confirm"), ready: order.length === cards.length, value: () => order }),
  ], "wide beside");
}

/** Where a tap takes a card, one after the other; aside only where it lay aside. @type {(Side | null)[]} */
const TURNS = ["player", "banker", null];

// Where cards lie in fact: tap one that lies on the other hand. Where it lay at first it has no mark.
/** @param {Record<number, Side>} moved @param {Again} again @returns {Child} */
export function whereTheyLie(moved, again) {
  /** @param {Drawn} drawn */
  const move = (drawn) => {
    const shows = shown().cards.find((each) => each.n === drawn.n)?.hand ?? null;
    const next = TURNS[(TURNS.indexOf(drawn.hand) + 1) % (shows === null ? 3 : 2)] ?? null;
    if (next === shows) delete moved[drawn.n];
    else if (next) moved[drawn.n] = next;
    again();
  };
  return [h("h3", {}, t("Where are the cards? Tap a card that is on the other hand.")),
    h("div", { class: "pick-cards" },
      shown().cards.map((each) => cardButton({ ...each, hand: moved[each.n] ?? each.hand }, move,
        { chosen: each.n in moved, badge: each.n in moved ? "⇄" : null })))];
}

/** @param {Record<number, Side>} moved */
export function liesOf(moved) {
  /** @type {Record<Side, number[]>} */
  const lies = { player: [], banker: [] };
  for (const drawn of shown().cards) {
    const where = moved[drawn.n] ?? drawn.hand;
    if (where) lies[where].push(drawn.n);
  }
  return lies;
}

/** @param {string} title */
export async function pickLies(title) {
  /** @type {Record<number, Side>} */
  const moved = {};
  return ask(title, (/** @type {Done<Record<Side, number[]>>} */ done, again) => [
    whereTheyLie(moved, again),
    foot(done, { label: t("Confirm"), value: () => liesOf(moved) }),
  ], "wide beside");
}

/** Wagers that come off, by id: how much of each, 0 for the whole. @typedef {Map<string, number>} Taken */

/** @param {Taken} taken @returns {TakenOff[]} */
export const wagersOff = (taken) => [...taken].map(([id, amount]) => ({ id, amount: amount || null }));

// Wagers that come off: tap each; so much of it where `part` says that less than the whole may.
/** @param {StaffView} view @param {Taken} taken @param {Again} again @param {boolean} part */
export function wagersToTake(view, taken, again, part) {
  /** @param {string} id */
  const toggle = (id) => {
    if (!taken.delete(id)) taken.set(id, 0);
    again();
  };
  /** @param {string} id @param {number} amount */
  const set = (id, amount) => { taken.set(id, amount); again(); };
  return h("div", { class: "options column" },
    view.wagers.filter((each) => each.returned_by === null).flatMap((each) => {
    const so = taken.get(each.id);
    const tick = button(wagerText(each), () => toggle(each.id),
      { "aria-pressed": String(so !== undefined), "data-key": `w${each.id}` });
    if (so === undefined || !part) return [tick];
    return [tick, h("section", { class: "limit", "data-part": each.id },
      h("p", { class: "sum" }, so ? money(so) : t("the whole wager"),
        button(t("Clear"), () => set(each.id, 0),
          { class: "small", disabled: so === 0, "data-key": `whole-${each.id}` })),
      chips((chip) => set(each.id, so + chip < each.amount ? so + chip : 0), `part-${each.id}`))];
  }));
}

// Somebody at the table: those with a wager, else a seat by its number.
function people() {
  const betting = [...new Set(shown().wagers.map((wager) => wager.player))];
  const most = app.about?.positions || 9;
  const seats = Array.from({ length: most }, (_, place) => `seat ${place + 1}`);
  return [...betting, ...seats.filter((seat) => !betting.includes(seat))];
}

/** @returns {Option<string>[]} */
export const peopleToPick = () => people().map((who) => [who, personName(who)]);

/** @param {string} title */
export async function pickPerson(title) {
  let chosen = "";
  return ask(title, (/** @type {Done<string>} */ done, again) => [
    options(peopleToPick(), chosen, (who) => { chosen = who; again(); }, "seats"),
    foot(done, { label: t("Confirm"), ready: chosen !== "", value: () => chosen }),
  ], "beside");
}

// Reasons to tap, and a line for whoever wants to write one.
/** @param {string[]} list @param {Reasoned} state @param {Again} again */
export function reasons(list, state, again) {
  const typed = h("input", {
    type: "text", maxlength: "200", value: state.typed ?? "", "aria-label": t("In your own words"),
    placeholder: t("In your own words"), "data-key": "typed",
    oninput: (event) => {
      state.typed = event.target.value;
      state.reason = state.typed.trim() || null;
      mayConfirm(event.target, state.ready());
    },
  });
  /** @param {string} reason */
  const pick = (reason) => { Object.assign(state, { reason, typed: "" }); again(); };
  const offered = list.map((each) => /** @type {Option<string>} */ ([each, t(each)]));
  return h("div", { class: "reasons" }, options(offered, state.typed ? null : state.reason, pick), typed);
}

// While something is typed the window is not drawn anew: only its last button follows.
/** @param {Element} field @param {boolean} ready */
export function mayConfirm(field, ready) {
  const last = field.closest("dialog")?.querySelector("footer .primary");
  if (last instanceof HTMLButtonElement) last.disabled = !ready;
}

// A number by its digits.
/** @param {string} title @param {string} lead */
export async function pickNumber(title, lead) {
  let digits = "";
  return ask(title, (/** @type {Done<number>} */ done, again) => {
    /** @param {string} digit */
    const press = (digit) => { digits = (digits + digit).replace(/^0+(?=.)/, "").slice(0, 3); again(); };
    return [
      h("p", { class: "lead" }, lead),
      h("div", { class: "pad" }, h("output", { class: "number" }, digits || "–"),
        h("div", { class: "digits" },
          [..."1234567890"].map((digit) => button(digit, () => press(digit),
            { class: "digit", "data-key": `n${digit}` })),
          button("⌫", () => { digits = digits.slice(0, -1); again(); },
            { class: "digit plain", "aria-label": t("Delete"), "data-key": "delete" }))),
      foot(done, { label: t("Confirm"), ready: digits !== "", value: () => Number(digits) }),
    ];
  }, "beside");
}

// How many of each card are there when all others are sorted into decks: full decks less what is out.
/** @param {number} decks */
export async function pickCounts(decks) {
  /** @type {Record<CardCode, number>} */
  const counts = Object.fromEntries(SUITS.flatMap((suit) => RANKS.map((rank) => [rank + suit, decks])));
  return ask(t("Cards counted"), (/** @type {Done<Record<CardCode, number>>} */ done, again) => {
    /** @param {CardCode} code @param {number} by */
    const change = (code, by) => { counts[code] = Math.max(0, Math.min(99, (counts[code] ?? 0) + by)); again(); };
    const total = Object.values(counts).reduce((sum, each) => sum + each, 0);
    return [
      h("p", { class: "lead" }, t("Each pile starts at {n}. Take off one per missing card.",
        { n: decks })),
      h("table", { class: "counts" },
        h("thead", {}, h("tr", {}, h("th", {}), RANKS.map((rank) => h("th", { scope: "col" }, rankText(rank))))),
        h("tbody", {},
          SUITS.map((suit) => h("tr", {}, h("th", { scope: "row", "aria-label": suitName(suit) }, suitShape(suit)),
          RANKS.map((rank) => {
            const code = rank + suit;
            return h("td", { class: counts[code] === decks ? "" : "changed" },
              button("+", () => change(code, 1),
                { "aria-label": t("one more {card}", { card: cardName(code) }), "data-key": `+${code}` }),
              h("output", {}, String(counts[code])),
              button("−", () => change(code, -1),
                { "aria-label": t("one less {card}", { card: cardName(code) }), "data-key": `-${code}` }));
          }))))),
      h("p", {}, t("{n} cards counted", { n: total })),
      foot(done, { label: t("Confirm"), value: () => counts }),
    ];
  }, "full");
}
