// What the public sees, on the style page: the call in every state, hands, roads, counts, limits.

import { app } from "./app.js";
import { both } from "./bilingual.js";
import { drawCall, stamp } from "./call.js";
import { h } from "./dom.js";
import { emptyHands, Hands, totals } from "./public_hands.js";
import { limitRows } from "./public_limits.js";
import { ring } from "./ring.js";
import { askRoads, counts, road, ROADS as NAMES } from "./roads.js";
import { NO_ROADS, publicTable, ROADS } from "./style_data.js";

/** @import { PlayPhase, PublicView, Road, Roads, State } from "./types.d.ts" */
/** @import { Part } from "./style.js" */

/** @param {Partial<PublicView>} change */
function call(change) {
  const made = h("section", { id: "call" });
  drawCall(made, publicTable(change), false);
  return made;
}

/** @param {State} state @param {PlayPhase} [phase] */
const calling = (state, phase = /** @type {PlayPhase} */ (state)) => () => call({ state, phase });
/** @param {number} player @param {number} banker @param {Partial<PublicView>} [change] */
const won = (player, banker, change = {}) => () =>
  call({ state: "settling", phase: "settling", totals: { player, banker }, ...change });

/** @param {Partial<PublicView>} change */
function hands(change) {
  const view = publicTable(change);
  const [player, banker] = emptyHands();
  const made = h("section", { id: "hands" }, player,
    h("div", { id: "centre" }, h("div", { id: "totals" }, totals(view))), banker,
    h("div", { id: "stamp" }, stamp(view)));
  new Hands(made, { pips: true }).draw(view, false);
  return made;
}

/** @param {number} left @param {number} of */
function countdown(left, of) {
  const made = h("div", { id: "countdown" });
  ring(made, { left, of });
  return made;
}

const COLUMNS = { bead_plate: 11, big_road: 24, big_eye_boy: 24, small_road: 24, cockroach_pig: 24 };

/** @param {Roads} found @param {boolean} newest */
const board = (found, newest) => h("section", { id: "board" },
  h("div", { class: "upper" }, h("dl", { id: "counts" }, counts(found)),
    (/** @type {Road[]} */ (["bead_plate", "big_road"])).map((name) => drawn(name, found, newest))),
  h("div", { class: "lower" }, h("section", { class: "asks" }, h("h2", { id: "ask-title" }, both("If next is")),
    h("div", { id: "ask" }, askRoads(found))),
    (/** @type {Road[]} */ (["big_eye_boy", "small_road", "cockroach_pig"])).map((name) =>
      drawn(name, found, newest))));

/** @param {Road} name @param {Roads} found @param {boolean} newest */
const drawn = (name, found, newest) => h("figure", { "data-road": name }, h("figcaption", {}, both(NAMES[name])),
  h("div", {}, road(name, found, COLUMNS[name], newest)));

// The marks for whoever does not tell red from blue: the page says so while it draws them.
function dotted() {
  document.documentElement.dataset.marks = "dot";
  const made = board(ROADS, true);
  delete document.documentElement.dataset.marks;
  return made;
}

/** @type {Part[]} */
export const PARTS = [
  {
    name: "call",
    states: {
      "before the round": calling("ready"), "place your bets": calling("betting"), "no more bets": calling("dealing"),
      paying: () => call({ state: "settling", phase: "settling", totals: { player: null, banker: null } }),
      "the Player wins": won(9, 7), "the Banker wins": won(5, 8), "a tie": won(6, 6),
      corrected: won(9, 7, { corrected: true }),
      held: calling("halted", "dealing"), paused: calling("suspended", "betting"),
      void: () => call({ state: "ready", phase: "ready", over: true, void: "5.1.1" }),
      "new shoe": calling("changing_shoe"), closed: calling("closed"),
    },
  },
  {
    name: "hands",
    states: {
      empty: () => hands({ hands: { player: [], banker: [] } }),
      sealed: () =>
        hands({ hands: { player: [null, null], banker: [null, null] }, totals: { player: null, banker: null } }),
      "one hand open": () =>
        hands({ hands: { player: ["9H", "KD"], banker: [null, null] }, totals: { player: 9, banker: null },
          tags: { player: ["natural"], banker: [] } }),
      "the winner, third cards sideways": () =>
        hands({ state: "settling", phase: "settling", hands: { player: ["2H", "3D", "8C"], banker: ["3C", "KS", "5D"] },
          totals: { player: 3, banker: 8 } }),
      "a pair": () =>
        hands({ hands: { player: ["4H", "4C"], banker: ["4D", "4S"] }, totals: { player: 8, banker: 8 },
          tags: { player: ["natural", "pair"], banker: ["natural", "pair"] } }),
      void: () => hands({ state: "ready", phase: "ready", over: true, void: "5.1.1" }),
    },
  },
  { name: "countdown", states: { running: () => countdown(17, 20), "the last seconds": () => countdown(4, 20),
    "a long one": () => countdown(120, 300) } },
  { name: "roads", states: { "a few rounds": () => board(ROADS, true), "marks for the colour-blind": dotted,
    "a new shoe": () => board(NO_ROADS, false) } },
  {
    name: "limits",
    states: {
      "per wager": () => h("footer", { id: "limits" }, limitRows(publicTable().limits, app.about?.wagers ?? [])),
      "one for all": () => h("footer", { id: "limits" },
        limitRows({ min: 10_000, max: 5_000_000, differential: null, per_area: null, wagers: {} },
          app.about?.wagers ?? [])),
    },
  },
  { name: "manual", states: { "a card by hand": () => h("p", { id: "manual" }, both("Card entered by hand")) } },
];
