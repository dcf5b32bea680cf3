// What players see: the cards once they lie open, the last result, the roads, the limits.

import { card } from "./cards.js";
import { byId, draw, h, money, pretty } from "./dom.js";
import { Feed } from "./feed.js";
import { get } from "./http.js";
import { showMode } from "./mode.js";
import { drawings } from "./roads.js";
import { load, remembered, say, t } from "./words.js";

const asked = new URLSearchParams(location.search);
let view = null;
let skew = 0;
let drawn = null;

await load(asked.get("lang") || remembered());
new Feed("public", {
  heard: (now, message) => {
    view = now;
    redraw();
    document.documentElement.dataset.seq = message.seq;
  },
  beat: (message) => { skew = Date.now() / 1000 - message.sent; },
  stale: (stale) => {
    document.documentElement.toggleAttribute("data-stale", stale);
    byId("stale").hidden = !stale;
    byId("stale").textContent = stale ? t("No word from the table: what you see may be old.") : "";
  },
});
setInterval(tick, 250);

const STATES = {
  closed: "The table is closed", changing_shoe: "New shoe", ready: "The next round begins soon", betting: "Place your bets, please",
  dealing: "No more bets", revealing: "No more bets", players_third: "No more bets", bankers_third: "No more bets",
  outcome: "No more bets", settling: "Wagers are being paid", halted: "One moment, please", suspended: "One moment, please",
};
const PLAYED = ["ready", "changing_shoe", "closed"];

function redraw() {
  showMode(view);
  draw(byId("head"), [view.table, view.state, view.shoe, view.round], () => head());
  draw(byId("hands"), [view.hands, view.totals, view.void, view.state, view.over], () => hands());
  draw(byId("result"), [view.state, view.void, view.results, view.totals, view.over, view.corrected], () => result());
  draw(byId("limits"), [view.limits], () => limits());
  byId("manual").hidden = !view.manual;
  byId("manual").textContent = view.manual ? t("MANUAL MODE: a card is entered or corrected by hand") : "";
  roads();
  tick();
}

const head = () => [
  h("strong", {}, view.table ?? ""),
  h("p", { class: `says ${view.state}` }, t(STATES[view.state])),
  h("p", { class: "numbers" }, t("Shoe {n}", { n: view.shoe }), " · ", t("Round {n}", { n: view.round })),
];

function hands() {
  const won = winner();
  return ["player", "banker"].map((side) => h("section", { class: `hand ${side} ${won === side ? "won" : ""}`, "aria-label": t(pretty(side)) },
    h("header", {}, h("h2", {}, t(pretty(side))), h("output", {}, view.totals[side] === null ? "" : String(view.totals[side]))),
    h("div", { class: "cards" }, view.hands[side].length ? view.hands[side].map((code) => card(code)) : [h("i", { class: "slot" }), h("i", { class: "slot" })])));
}

// The round's winner once it has been announced, never before.
function winner() {
  const { player, banker } = view.totals;
  const known = (view.state === "settling" || view.over) && !view.void && player !== null && banker !== null;
  if (!known) return null;
  return player > banker ? "player" : banker > player ? "banker" : "tie";
}

const WINS = { player: "Player wins", banker: "Banker wins", tie: "Tie" };

function result() {
  if (view.void && view.over) return h("p", { class: "void" }, t("Round void: every wager goes back"));
  const won = winner();
  if (won) return h("p", { class: won }, say(WINS[won]), view.corrected ? h("small", {}, t("corrected")) : null);
  const last = PLAYED.includes(view.state) || view.state === "betting" ? view.results.at(-1) : null;
  if (!last) return h("p", {}, " ");
  const side = { B: "banker", P: "player", T: "tie" }[last[0]];
  return h("p", { class: `last ${side}` }, t("Last result"), ": ", say(WINS[side]));
}

function limits() {
  const { min, max, differential } = view.limits;
  const one = (name, amount) => (amount === null || amount === undefined ? null : h("span", {}, t(name), " ", h("b", {}, money(amount))));
  return [one("Minimum", min), one("Maximum", max), one("Differential", differential)];
}

async function roads() {
  const place = byId("roads");
  const wanted = JSON.stringify([view.shoe, view.results]);
  if (!place || wanted === drawn) return;
  drawn = wanted;
  try {
    const found = await get("/api/roads");
    draw(place, found, () => drawings(found));
  } catch {
    drawn = null; // asked again with the next step
  }
}

function tick() {
  const place = byId("countdown");
  const running = view?.countdown?.what === "betting" ? view.countdown : null;
  place.hidden = !running;
  if (running) place.textContent = String(Math.ceil(Math.max(0, running.since + running.seconds - (Date.now() / 1000 - skew))));
}
