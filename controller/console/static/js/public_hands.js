// The two hands as they lie: backs until a card is turned, the third card sideways on the outside.

import { both, bothNamed } from "./bilingual.js";
import { card } from "./cards.js";
import { titled } from "./catalogue.js";
import { draw, h, must } from "./dom.js";
import { isVoid, winner } from "./call.js";

/** @import { CardCode, PublicView, Side } from "./types.d.ts" */

/** @type {Side[]} */
export const SIDES = ["player", "banker"];
const TAGS = { natural: "Natural", pair: "Pair" };
const USUAL = 2;

/** An empty place for each hand. */
export const emptyHands = () => SIDES.map((side) => h("section", { class: `hand ${side}`, "data-side": side },
  h("header", {}), h("div", { class: "cards" }, h("div", { class: "lie" }))));

/** The points of both hands, once a card lies there. @param {PublicView} view */
export function totals(view) {
  const won = winner(view);
  return SIDES.some((side) => view.hands[side].length) ? SIDES.map((side) => total(view, side, won)) : [];
}

/** @param {PublicView} view @param {Side} side @param {string | null} won */
function total(view, side, won) {
  const points = view.totals[side];
  const lost = won !== null && won !== side && won !== "tie" ? "lost" : "";
  return h("output", { class: `${side} ${lost} ${points === null ? "none" : ""}` },
    points === null ? "–" : String(points));
}

export class Hands {
  /** @param {Element} place where both hands are @param {{ pips: boolean }} how */
  constructor(place, { pips }) {
    this.place = place;
    this.pips = pips;
    /** @type {PublicView | null} */
    this.before = null;
  }

  /** @param {PublicView} view @param {boolean} moving */
  draw(view, moving) {
    const won = winner(view);
    for (const side of SIDES) {
      const hand = must(this.place.querySelector(`[data-side="${side}"]`));
      hand.className = `hand ${side} ${won === side ? "won" : ""} ${isVoid(view) ? "void" : ""}`;
      hand.setAttribute("aria-label", titled("hand", side));
      draw(must(hand.querySelector("header")), [
        h("h2", {}, bothNamed("hand", side)),
        isVoid(view) ? null : view.tags[side].map((tag) => h("b", { class: "tag" }, both(TAGS[tag])))]);
      draw(must(hand.querySelector(".lie")), this.lying(view, side, moving));
    }
    this.before = view;
  }

  /** @param {PublicView} view @param {Side} side @param {boolean} moving */
  lying(view, side, moving) {
    const codes = view.hands[side];
    const known = this.before?.round === view.round ? this.before.hands[side] : [];
    const places = Array.from({ length: Math.max(USUAL, codes.length) }, (_, at) => {
      const code = codes[at];
      const sideways = at >= USUAL ? "sideways" : "";
      if (code === undefined) return h("span", { class: "place empty" });
      return h("span", { class: `place ${sideways}` },
        card(code, { pips: this.pips, motion: moving ? motion(known[at], code) : null }));
    });
    return places;
  }
}

// Whether a card was laid or turned just now; never by what is on it.
/** @param {CardCode | null | undefined} was @param {CardCode | null} is */
function motion(was, is) {
  if (was === undefined) return "laid";
  return was === null && is !== null ? "turned" : null;
}
