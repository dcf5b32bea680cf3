// What every public page begins with: its settings from the address, its languages, the feed.

import { speak } from "./bilingual.js";
import { winner } from "./call.js";
import { t } from "./catalogue.js";
import { byId } from "./dom.js";
import { Feed } from "./feed.js";
import { get } from "./http.js";
import { showMode } from "./mode.js";
import { useMoney } from "./sentences.js";

/** @import { PublicView, Roads, Setup } from "./types.d.ts" */

export const asked = new URLSearchParams(location.search);

// What a page may be told in its address, and the attribute that styles go by.
const SETTINGS = { suits: ["2", "4"], marks: ["plain", "dot"], roads: ["paper", "ink"], theme: ["dark", "light"],
  position: ["bottom", "top"] };

/** Settles how the page looks and speaks; what the table was set up with. @returns {Promise<Setup | null>} */
export async function begin() {
  for (const [name, choices] of Object.entries(SETTINGS)) {
    const wanted = asked.get(name);
    if (wanted && choices.includes(wanted)) document.documentElement.dataset[name] = wanted;
  }
  // On a light overlay ink would be a hole.
  if (asked.get("theme") === "light" && !asked.has("roads")) document.documentElement.dataset.roads = "paper";
  await speak(asked.get("lang"));
  const about = /** @type {Setup | null} */ (await get("/api/about").catch(() => null));
  useMoney(about);
  return about;
}

let skew = 0;
/** The table's clock, in seconds since 1970. */
export const now = () => Date.now() / 1000 - skew;

// `redraw(view, moving)` for every view; without `moving` the page shows where the table is and
// replays nothing: it has just opened, or come back.
/** @param {(view: PublicView, moving: boolean) => void} redraw */
export function follow(redraw) {
  let moving = false;
  new Feed("public", {
    heard: (view, message) => {
      showMode(view);
      redraw(view, moving);
      moving = true;
      document.documentElement.dataset.seq = String(message.seq);
    },
    beat: (message) => { skew = Date.now() / 1000 - message.sent; },
    stale: (stale) => {
      moving = moving && !stale;
      document.documentElement.toggleAttribute("data-stale", stale);
      byId("stale").hidden = !stale;
      byId("stale").textContent = stale ? t("Connection lost. This page may be out of date.") : "";
    },
  });
}

/**
 * Whole seconds that bets are still open, and of how many; null while no such time runs.
 * @param {PublicView | null} view
 */
export function timeLeft(view) {
  const running = view?.countdown?.what === "betting" ? view.countdown : null;
  if (!running) return null;
  return { left: Math.ceil(Math.max(0, running.since + running.seconds - now())), of: running.seconds };
}

/**
 * Whether the last mark is of the round that was called out or has just been paid.
 * @param {Roads} found
 * @param {PublicView | null} view
 */
export function writtenNow(found, view) {
  return view !== null && winner(view) !== null && (view.over || found.results.length > view.results.length);
}

// The roads are asked for again when a result was called out, came, went or was corrected.
export class Scores {
  /** @param {(roads: Roads) => void} heard */
  constructor(heard) {
    this.heard = heard;
    this.asked = "";
    /** @type {Roads | null} */
    this.latest = null;
  }

  /** @param {PublicView} view */
  async look(view) {
    const called = !view.over && winner(view) ? view.hands : null;
    const wanted = JSON.stringify([view.shoe, view.results, view.corrected, called]);
    if (wanted === this.asked) return;
    this.asked = wanted;
    try {
      this.latest = /** @type {Roads} */ (await get("/api/roads"));
      this.heard(this.latest);
    } catch {
      this.asked = ""; // asked again with the next step
    }
  }
}
