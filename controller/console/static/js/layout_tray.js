// The tray under the arc: the house's chips, taking one off, undo, the same again, and the window for
// whatever a touch cannot say.

import { app } from "./app.js";
import { t } from "./catalogue.js";
import { chipFace, chipText, tray } from "./chips.js";
import { button, draw, h } from "./dom.js";
import { icon } from "./signs.js";
import { toRepeat } from "./layout_spots.js";
import { hand, picked, repeatLast, undo } from "./layout_words.js";
import { money } from "./sentences.js";
import { place } from "./wagers.js";

/** @import { Child, StaffView } from "./types.d.ts" */

/** @param {StaffView} view @returns {Child} */
function parts(view) {
  const repeats = toRepeat(view.last_wagers, view.wagers).length > 0;
  return [
    h("div", { class: "tray-chips" },
      tray().map((each) => button(chipFace(each, chipText(each)), () => hold(each, false), {
        class: "pick", "aria-label": money(each), "data-key": `tray-${each}`,
        "aria-pressed": String(!hand.taking && each === picked()),
      }))),
    tool("take-one", "minus", t("Take one off"), () => hold(hand.chip, !hand.taking),
      { "aria-pressed": String(hand.taking) }),
    tool("undo", "back", t("Undo"), undo, { disabled: hand.done.length === 0 }),
    tool("repeat", "repeat", t("Repeat last"), repeatLast, { disabled: !repeats }),
    tool("place", "plus", t("Other"), () => place(), { "data-letter": "W", "aria-label": t("Place a wager") }),
  ];
}

/** @param {Element} host @param {StaffView} view @param {boolean} takes */
export const fillTray = (host, view, takes) => draw(host, takes ? parts(view) : null);

/** @param {number | null} chip @param {boolean} taking */
function hold(chip, taking) {
  Object.assign(hand, { chip, taking });
  app.redraw();
}

/**
 * @param {string} key
 * @param {string} sign
 * @param {string} label
 * @param {() => unknown} run
 * @param {import("./types.d.ts").Attributes} [more]
 */
const tool = (key, sign, label, run, more = {}) =>
  button([icon(sign), h("span", {}, label)], run, { class: "tool", "data-key": key, ...more });
