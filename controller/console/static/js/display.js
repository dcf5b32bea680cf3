// What players see: the cards once they lie open, the last result, the roads, the limits.

import { card } from "./cards.js";
import { t, titled } from "./catalogue.js";
import { byId, draw, h } from "./dom.js";
import { Feed } from "./feed.js";
import { get } from "./http.js";
import { load, remembered } from "./language.js";
import { showMode } from "./mode.js";
import { drawings } from "./roads.js";
import { money, useMoney, wagerName } from "./sentences.js";

/** @import { PublicView, Roads, Setup, Side, State } from "./types.d.ts" */

const asked = new URLSearchParams(location.search);
/** @type {PublicView | null} */
let latest = null;
let skew = 0;
let drawn = "";

await load(asked.get("lang") || remembered());
useMoney(/** @type {Setup | null} */ (await get("/api/about").catch(() => null)));
new Feed("public", {
  heard: (now, message) => {
    latest = now;
    redraw(now);
    document.documentElement.dataset.seq = String(message.seq);
  },
  beat: (message) => { skew = Date.now() / 1000 - message.sent; },
  stale: (stale) => {
    document.documentElement.toggleAttribute("data-stale", stale);
    byId("stale").hidden = !stale;
    byId("stale").textContent = stale ? t("No word from the table: what you see may be old.") : "";
  },
});
setInterval(tick, 250);

/** @type {Record<State, string>} */
const STATES = {
  closed: "The table is closed", changing_shoe: "New shoe", ready: "The next round begins soon", betting: "Place your bets, please",
  dealing: "No more bets", revealing: "No more bets", players_third: "No more bets", bankers_third: "No more bets",
  outcome: "No more bets", settling: "Wagers are being paid", halted: "One moment, please", suspended: "One moment, please",
};
const BETWEEN_ROUNDS = ["ready", "changing_shoe", "closed", "betting"];

/** @param {PublicView} view */
function redraw(view) {
  showMode(view);
  draw(byId("head"), [view.table, view.state, view.shoe, view.round], () => head(view));
  draw(byId("hands"), [view.hands, view.totals, view.void, view.state, view.over], () => hands(view));
  draw(byId("result"), [view.state, view.void, view.results, view.totals, view.over, view.corrected], () => result(view));
  draw(byId("limits"), [view.limits], () => limits(view));
  byId("manual").hidden = !view.manual;
  byId("manual").textContent = view.manual ? t("MANUAL MODE: a card is entered or corrected by hand") : "";
  roads(view);
  tick();
}

/** @param {PublicView} view */
const head = (view) => [
  h("strong", {}, view.table ?? ""),
  h("p", { class: `says ${view.state}` }, t(STATES[view.state])),
  h("p", { class: "numbers" }, t("Shoe {n}", { n: view.shoe }), " · ", t("Round {n}", { n: view.round })),
];

/** @type {Side[]} */
const SIDES = ["player", "banker"];

/** @param {PublicView} view */
function hands(view) {
  const won = winner(view);
  return SIDES.map((side) => h("section", { class: `hand ${side} ${won === side ? "won" : ""}`, "aria-label": titled("hand", side) },
    h("header", {}, h("h2", {}, titled("hand", side)), h("output", {}, view.totals[side] === null ? "" : String(view.totals[side]))),
    h("div", { class: "cards" }, view.hands[side].length ? view.hands[side].map((code) => card(code)) : [h("i", { class: "slot" }), h("i", { class: "slot" })])));
}

// The round's winner once it has been announced, never before.
/** @param {PublicView} view */
function winner(view) {
  const { player, banker } = view.totals;
  const announced = (view.state === "settling" || view.over) && !view.void;
  if (!announced || player === null || banker === null) return null;
  if (player === banker) return "tie";
  return player > banker ? "player" : "banker";
}

const WINS = { player: "Player wins", banker: "Banker wins", tie: "Tie" };
/** @type {Record<string, keyof typeof WINS>} */
const WINNERS = { B: "banker", P: "player", T: "tie" };

/** @param {PublicView} view */
function result(view) {
  if (view.void && view.over) return h("p", { class: "void" }, t("Round void: every wager goes back"));
  const won = winner(view);
  if (won) return h("p", { class: won }, t(WINS[won]), view.corrected ? h("small", {}, t("corrected")) : null);
  const last = BETWEEN_ROUNDS.includes(view.state) ? view.results.at(-1) : null;
  const side = last && WINNERS[last.charAt(0)];
  if (!side) return h("p", {}, " ");
  return h("p", { class: `last ${side}` }, t("Last result"), ": ", t(WINS[side]));
}

/** @param {PublicView} view */
function limits({ limits: set }) {
  /** @param {string} name @param {number | null | undefined} amount */
  const one = (name, amount) => (amount === null || amount === undefined ? null : h("span", {}, t(name), " ", h("b", {}, money(amount))));
  const own = Object.entries(set?.wagers ?? {}).map(([kind, { min, max }]) => {
    const range = [min, max].map((amount) => (amount === null ? "" : money(amount))).join(" – ");
    return h("span", {}, wagerName(kind), " ", h("b", {}, range));
  });
  return [one("Minimum", set?.min), one("Maximum", set?.max), one("Differential", set?.differential), ...own];
}

/** @param {PublicView} view */
async function roads(view) {
  const place = document.getElementById("roads"); // not on the overlay
  const wanted = JSON.stringify([view.shoe, view.results]);
  if (!place || wanted === drawn) return;
  drawn = wanted;
  try {
    const found = /** @type {Roads} */ (await get("/api/roads"));
    draw(place, found, () => drawings(found));
  } catch {
    drawn = ""; // asked again with the next step
  }
}

function tick() {
  const place = byId("countdown");
  const running = latest?.countdown?.what === "betting" ? latest.countdown : null;
  place.hidden = !running;
  if (running) place.textContent = String(Math.ceil(Math.max(0, running.since + running.seconds - (Date.now() / 1000 - skew))));
}
