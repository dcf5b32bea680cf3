// Once bets are closed: one band with each seat where it was, its stakes by shape and amount, and what
// becomes of them. The seat that handles a hand, or takes it next, is lit. Thousands of wagers are told
// by their kind.

import { t } from "./catalogue.js";
import { button, draw, h } from "./dom.js";
import { bandBox, bandHeight, HEAD, headBox, leastSpot, lineWidth, plan, roomFor,
  staysArc } from "./layout_geometry.js";
import { kindName, put, shape } from "./layout_marks.js";
import { byKind, bySeat } from "./layout_spots.js";
import { coins, money } from "./sentences.js";
import { place } from "./wagers.js";
import { isVoid } from "./voided.js";

/** @import { StaffView } from "./types.d.ts" */
/** @import { Folded } from "./layout_geometry.js" */
/** @import { Line } from "./layout_spots.js" */
/** @typedef {{ seats: number, clockwise: boolean, kinds: string[] }} Seats */

const LINES = 3;

/** @param {StaffView} view */
const settled = (view) => (view.payouts.length ? view.payouts : view.settlements);

/** The seats of the players who handle a hand, or take it next. @param {StaffView} view */
function handling(view) {
  const next = Object.values(view.passing).map((turn) => turn.to);
  const here = [...Object.values(view.handlers), view.drawer, view.prompt.act?.player];
  const seat = (/** @type {string | null | undefined} */ who) =>
    view.wagers.find((each) => each.player === who)?.position
      ?? Number(/^(?:seat|behind) (\d+)$/.exec(who ?? "")?.[1] ?? 0);
  return { lit: here.map(seat), next: next.map(seat) };
}

/** @param {HTMLElement} host @param {StaffView} view @param {Seats} table */
export function seatBand(host, view, table) {
  const lines = bySeat(view.wagers, settled(view), view.void !== null);
  const { lit, next } = handling(view);
  const shows = lines.size > 0 || [...lit, ...next].some(Boolean);
  const folded = heldBy(host, view, table, [...lines.values()]);
  // The stamp of a void round takes the room of the arc.
  const arc = !gaveWay(host, view.round, folded) && !isVoid(view);
  draw(host, shows ? h("ol", { class: arc ? "band" : "band short", "aria-label": t("Wagers") },
    Array.from({ length: table.seats }, (_, n) =>
      seatOf(n + 1, lines.get(n + 1) ?? [], { lit: lit.includes(n + 1), next: next.includes(n + 1) }))) : null);
  host.style.setProperty("--band", shows && arc ? `${bent(host, folded, table)}px` : "auto");
}

// A headline of two lines, then of one: what became a strip stays one for the round, so that no seat jumps
// to and fro. A panel beside the felt is another width.
/** @param {HTMLElement} host @param {number} round @param {Folded} folded */
function gaveWay(host, round, folded) {
  const now = `${round} ${folded.bend.width}`;
  if (!staysArc(folded)) host.dataset.strip = now;
  return host.dataset.strip === now;
}

/**
 * What has to be seen once bets are closed, and where.
 * @param {HTMLElement} host
 * @param {StaffView} view
 * @param {Seats} table
 * @param {Line[][]} seats
 * @returns {Folded}
 */
function heldBy(host, view, { seats: count, kinds }, seats) {
  const width = host.clientWidth;
  const least = leastSpot(width);
  const shown = seats.flat().map((line) => lineWidth(width, figure(line).length, line.wager.includes("_")));
  return {
    bend: { width, seats: count, small: plan(kinds, width, count, least).small, least },
    felt: roomInside(host.parentElement),
    lines: Math.min(LINES, Math.max(0, ...seats.map((each) => each.length))),
    widest: Math.max(0, ...shown),
    buttons: view.method !== "B",
  };
}

/** @param {HTMLElement | null} felt */
function roomInside(felt) {
  if (!felt) return 0;
  const { paddingTop, paddingBottom } = getComputedStyle(felt);
  return felt.clientHeight - Number.parseFloat(paddingTop) - Number.parseFloat(paddingBottom);
}

// The same arc as the open layout's: see layout_geometry.js.
/** @param {HTMLElement} host @param {Folded} folded @param {Seats} table */
function bent(host, { bend, lines }, { clockwise }) {
  const high = bandHeight(lines);
  host.querySelectorAll(".band > li").forEach((each, n) => {
    put(each.children[0], headBox(bend, n + 1, clockwise));
    put(each.children[1], bandBox(bend, n + 1, clockwise, high));
  });
  return roomFor(bend, HEAD + high);
}

/** @param {number} seat @param {Line[]} lines @param {{ lit: boolean, next: boolean }} marks */
function seatOf(seat, lines, { lit, next }) {
  const most = lines.length > LINES ? LINES - 1 : LINES;
  return h("li", { class: `seat ${lines.length ? "" : "bare"} ${lit ? "lit" : ""} ${next ? "next" : ""}`,
    "data-seat": seat },
    h("b", { class: "head" }, h("span", { class: "sr" }, t("Seat {n}", { n: seat })),
      h("span", { "aria-hidden": "true" }, String(seat))),
    h("div", { class: "stakes" }, lines.slice(0, most).map(stake),
      lines.length > most ? h("small", {}, t("and {n} more", { n: lines.length - most })) : null));
}

/**
 * What is seen of each fate: a sign, and what it is called for whoever hears the page.
 * @type {Record<Line["fate"], [string, string]>}
 */
const FATES = { lies: ["", ""], won: ["+", "paid"], lost: ["−", "collect"], push: ["=", "returned"],
  back: ["↩", "returned"] };

/** @param {Line} line */
const figure = ({ amount, fate, pays }) => `${FATES[fate][0]}${coins(fate === "won" ? pays : amount)}`;

/** @param {Line} line */
function stake(line) {
  const word = FATES[line.fate][1];
  return h("span", { class: `stake ${line.fate}` }, shape(line.wager),
    h("span", { class: "sr" }, kindName(line.wager), " ", word ? t(word) : ""), h("b", {}, figure(line)));
}

/** @param {HTMLElement} host @param {StaffView} view @param {boolean} takes */
export function totals(host, view, takes) {
  const kinds = byKind(view.wagers, settled(view));
  host.style.setProperty("--band", "auto");
  draw(host, [h("table", { class: "totals" },
    h("caption", {}, t("{n} wagers, by kind", { n: view.wagers.length })),
    h("thead", {},
      h("tr", {}, [t("Wager"), t("Wagers"), t("Staked"), t("Pays")].map((each) => h("th", { scope: "col" }, each)))),
    h("tbody", {},
      kinds.map((each) => h("tr", {}, h("th", { scope: "row" }, shape(each.wager), " ", kindName(each.wager)),
      h("td", {}, each.count.toLocaleString("en-US")), h("td", {}, money(each.staked)),
      h("td", {}, each.pays ? money(each.pays) : "–"))))),
    takes ? button(t("Place a wager"), () => place(), { class: "tool", "data-key": "place", "data-letter": "W" })
      : null]);
}
