// The call: the one place where the table speaks to the public. It is there in every state.

import { both } from "./bilingual.js";
import { draw, h } from "./dom.js";

/** @import { Child, PublicView, State, Values } from "./types.d.ts" */
/** @typedef {{ kind: string, says: string, values?: Values, totals?: [number, number] }} Call */

/** @type {Record<State, string>} */
const STATES = {
  closed: "The table is closed", changing_shoe: "New shoe", ready: "The next round begins soon",
  betting: "Place your bets, please",
  dealing: "No more bets", revealing: "No more bets", players_third: "No more bets", bankers_third: "No more bets",
  outcome: "No more bets", settling: "Wagers are being paid",
  halted: "Play is paused. The dealer will continue shortly.",
  suspended: "Play is paused. The dealer will continue shortly.",
};
export const WINS = { player: "Player wins", banker: "Banker wins", tie: "Tie" };

/** @param {PublicView} view */
export const isHeld = (view) => view.state === "halted" || view.state === "suspended";

/** The round was declared void and nothing has followed. @param {PublicView} view */
export const isVoid = (view) => Boolean(view.void) && view.over;

// The round's winner once it has been announced, never before.
/** @param {PublicView} view @returns {keyof typeof WINS | null} */
export function winner(view) {
  const { player, banker } = view.totals;
  const announced = (view.phase === "settling" || view.over) && !view.void;
  if (!announced || player === null || banker === null) return null;
  if (player === banker) return "tie";
  return player > banker ? "player" : "banker";
}

/** The winner first. @param {PublicView} view @returns {[number, number]} */
function points(view) {
  const [player, banker] = [view.totals.player ?? 0, view.totals.banker ?? 0];
  return player > banker ? [player, banker] : [banker, player];
}

const AFTER_A_ROUND = ["settling", "ready"];

/** @param {PublicView} view @returns {Call} */
export function callOf(view) {
  const won = winner(view);
  if (isHeld(view)) return { kind: "held", says: STATES[view.state] };
  if (isVoid(view) && view.state !== "closed") {
    return { kind: "void", says: "Round {n} is void", values: { n: view.round } };
  }
  if (won && AFTER_A_ROUND.includes(view.state)) return { kind: won, says: WINS[won], totals: points(view) };
  return { kind: view.state === "betting" ? "betting" : "quiet", says: STATES[view.state] };
}

/**
 * @param {Element} place
 * @param {PublicView} view
 * @param {boolean} moving whether a call that has just changed moves
 * @param {boolean} [stamped] whether a void round's stamp stands under it
 */
export function drawCall(place, view, moving, stamped = false) {
  const call = callOf(view);
  const changed = draw(place, [spoken(call, view.corrected), stamped && call.kind === "void" ? stamp(view) : null]);
  const moves = changed ? moving : place.classList.contains("moving");
  place.className = `call ${call.kind} ${call.totals ? "result" : ""} ${moves ? "moving" : ""}`;
}

/** @param {Call} call @param {boolean} corrected @returns {Child} */
function spoken({ says, values, totals }, corrected) {
  const [first, ...second] = both(says, values);
  return h("p", {}, first, totals && h("b", { class: "score" }, totals.join(" – ")), ...second,
    totals && corrected ? h("small", {}, both("corrected")) : null);
}

/** @param {PublicView} view @returns {Child} */
export function stamp(view) {
  if (!isVoid(view)) return null;
  return h("div", { class: "stamp" },
    h("strong", {}, both("Void")), h("span", {}, both("Wagers are returned")),
    view.void === "void" ? null : h("small", {}, both("Game rules §{clause}", { clause: view.void ?? "" })));
}
