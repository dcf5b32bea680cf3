// Choosing without typing: a card, an order of cards, a seat, counts, a reason.

import { card, cardName, RANKS, rankText, suitName, suitShape, SUITS } from "./cards.js";
import { ask, foot, options } from "./dialog.js";
import { button, h, pretty } from "./dom.js";
import { app } from "./shell.js";
import { say, t } from "./words.js";

export const hands = () => [["player", t("Player")], ["banker", t("Banker")]];
export const seatName = (who) => say(who);

// A card by rank and suit.
export function rankAndSuit(state, again) {
  return h("div", { class: "rank-suit" },
    h("div", { class: "ranks", role: "group", "aria-label": t("Rank") }, RANKS.map((rank) =>
      button(rankText(rank), () => { state.rank = rank; again(); }, { "aria-pressed": String(state.rank === rank), "data-key": `r${rank}` }))),
    h("div", { class: "suits", role: "group", "aria-label": t("Suit") }, SUITS.map((suit) =>
      h("button", { type: "button", onclick: () => { state.suit = suit; again(); }, "aria-pressed": String(state.suit === suit), "data-key": `s${suit}` },
        suitShape(suit), h("span", {}, suitName(suit), " ", h("small", {}, suit))))),
    state.rank && state.suit ? card(state.rank + state.suit, { className: "preview" }) : h("div", { class: "preview empty" }));
}

export async function pickCard(title, lead) {
  const state = {};
  return ask(title, (done, again) => [
    lead && h("p", { class: "lead" }, lead),
    rankAndSuit(state, again),
    foot(done, { label: t("Confirm"), ready: Boolean(state.rank && state.suit), value: () => state.rank + state.suit }),
  ], "wide");
}

const lying = (drawn) => {
  const where = drawn.hand ? t(pretty(drawn.hand)) : t("aside");
  return `${t("Card {n}", { n: drawn.n })}, ${where}: ${cardName(drawn.card)}`;
};

export function cardButton(drawn, press, { chosen = false, badge = null } = {}) {
  return h("button", { type: "button", class: "pick-card", onclick: () => press(drawn), "aria-pressed": String(chosen), "aria-label": lying(drawn), "data-key": `c${drawn.n}` },
    card(drawn.card), h("small", {}, `${drawn.n} · ${drawn.hand ? t(pretty(drawn.hand)) : t("aside")}`), badge && h("b", { class: "badge" }, badge));
}

// Cards in the order they came out: tap the first, then the second ...
export async function pickOrder(title, among) {
  let order = [];
  const cards = app.view.cards.filter((each) => among.length === 0 || among.includes(each.n));
  const toggle = (again) => ({ n }) => {
    order = order.includes(n) ? order.filter((each) => each !== n) : [...order, n];
    again();
  };
  return ask(title, (done, again) => [
    h("p", { class: "lead" }, t("Tap the cards in the order they left the shoe.")),
    h("div", { class: "pick-cards" }, cards.map((each) => {
      const place = order.indexOf(each.n);
      return cardButton(each, toggle(again), { chosen: place >= 0, badge: place >= 0 ? String(place + 1) : null });
    })),
    foot(done, { label: t("Confirm"), ready: order.length === cards.length, value: () => order }),
  ], "wide");
}

// Somebody at the table: those with a wager, else a seat by its number.
export function people() {
  const betting = [...new Set((app.view.wagers ?? []).map((wager) => wager.player))];
  const most = app.about?.positions || 9;
  const seats = Array.from({ length: most }, (_, place) => `seat ${place + 1}`);
  return [...betting, ...seats.filter((seat) => !betting.includes(seat))];
}

export async function pickPerson(title, lead = null) {
  let chosen = null;
  return ask(title, (done, again) => [
    lead && h("p", { class: "lead" }, lead),
    options(people().map((who) => [who, seatName(who)]), chosen, (who) => { chosen = who; again(); }, "seats"),
    foot(done, { label: t("Confirm"), ready: chosen !== null, value: () => chosen }),
  ]);
}

// Reasons to tap, and a line for whoever wants to write one.
export function reasons(list, state, again) {
  const typed = h("input", {
    type: "text", maxlength: "200", value: state.typed ?? "", "aria-label": t("In your own words"), placeholder: t("In your own words"), "data-key": "typed",
    oninput: (event) => {
      state.typed = event.target.value;
      state.reason = state.typed.trim() || null;
      event.target.closest("dialog")?.querySelectorAll("footer .primary").forEach((each) => { each.disabled = !state.ready(); });
    },
  });
  const pick = (reason) => { Object.assign(state, { reason, typed: "" }); again(); };
  return h("div", { class: "reasons" }, options(list.map((each) => [each, t(each)]), state.typed ? null : state.reason, pick), typed);
}

// A number by its digits.
export async function pickNumber(title, lead) {
  let digits = "";
  return ask(title, (done, again) => {
    const press = (digit) => { digits = (digits + digit).replace(/^0+(?=.)/, "").slice(0, 3); again(); };
    return [
      h("p", { class: "lead" }, lead),
      h("div", { class: "pad" }, h("output", { class: "number" }, digits || "–"),
        h("div", { class: "digits" }, [..."1234567890"].map((digit) => button(digit, () => press(digit), { class: "digit", "data-key": `n${digit}` })),
          button("⌫", () => { digits = digits.slice(0, -1); again(); }, { class: "digit plain", "aria-label": t("Delete"), "data-key": "delete" }))),
      foot(done, { label: t("Confirm"), ready: digits !== "", value: () => Number(digits) }),
    ];
  });
}

// How many of each card are there when all others are sorted into decks: full decks less what is out.
export async function pickCounts(decks) {
  const counts = Object.fromEntries(SUITS.flatMap((suit) => RANKS.map((rank) => [rank + suit, decks])));
  return ask(t("Cards counted"), (done, again) => {
    const change = (code, by) => { counts[code] = Math.max(0, Math.min(99, counts[code] + by)); again(); };
    const total = Object.values(counts).reduce((sum, each) => sum + each, 0);
    return [
      h("p", { class: "lead" }, t("Every pile starts at {n}. Take one off for each card that is not in it.", { n: decks })),
      h("table", { class: "counts" },
        h("thead", {}, h("tr", {}, h("th", {}), RANKS.map((rank) => h("th", { scope: "col" }, rankText(rank))))),
        h("tbody", {}, SUITS.map((suit) => h("tr", {}, h("th", { scope: "row", "aria-label": suitName(suit) }, suitShape(suit)),
          RANKS.map((rank) => {
            const code = rank + suit;
            return h("td", { class: counts[code] === decks ? "" : "changed" },
              button("+", () => change(code, 1), { "aria-label": t("one more {card}", { card: cardName(code) }), "data-key": `+${code}` }),
              h("output", {}, String(counts[code])),
              button("−", () => change(code, -1), { "aria-label": t("one less {card}", { card: cardName(code) }), "data-key": `-${code}` }));
          }))))),
      h("p", {}, t("{n} cards counted", { n: total })),
      foot(done, { label: t("Confirm"), value: () => counts }),
    ];
  }, "full");
}
