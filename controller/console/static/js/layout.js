// The layout as the dealer sees it. While bets are open every seat has its spots: pick a chip, touch a
// spot. Once they are closed the same arc folds to one band, and a seat stays where it was. A spot's
// button is never drawn anew while bets are open, so that no tap is lost by a wager that came meanwhile.

import { app } from "./app.js";
import { t } from "./catalogue.js";
import { tray } from "./chips.js";
import { ask, options } from "./dialog.js";
import { button, draw, h } from "./dom.js";
import { seatBand, totals } from "./layout_band.js";
import { beside, fits, headBox, leastSpot, MORE, plan, rowHeight, spotBox } from "./layout_geometry.js";
import { flags, kindName, put, spotLabel, spotParts } from "./layout_marks.js";
import { CROWD, spotKey, stacks, takesWagers } from "./layout_spots.js";
import { fillTray } from "./layout_tray.js";
import { beginRound, hand, lay, picked, takeOne } from "./layout_words.js";
import { ofSpot } from "./wagers.js";

/** @import { Done, Option, StaffView } from "./types.d.ts" */
/** @import { Plan } from "./layout_geometry.js" */
/** @import { SpotId, Stack } from "./layout_spots.js" */

const LONG_MS = 500;
const MAX_HEIGHT = 640;
const LOW = 58;
const TIGHT = 104;
const NARROW = 880;

/** The spots as they are drawn: what they follow from, and their buttons. */
const made = {
  /** @type {HTMLElement | null} */
  host: null,
  shape: "",
  /** @type {Map<string, HTMLButtonElement>} */
  spots: new Map(),
  /** @type {Plan} */
  plan: { spots: [], rows: 0, small: 0, more: [] },
  /** The spot that the keyboard is on. */
  at: { seat: 1, at: 0 },
};

const seatCount = () => app.about?.positions || 9;
const isClockwise = () => app.about?.numbered === "clockwise";
const kinds = () => app.about?.wagers ?? ["player", "banker", "tie"];

/** @param {HTMLElement} host @param {StaffView} view */
export function layout(host, view) {
  watch(host);
  const open = app.about?.track_wagers !== false && view.phase === "betting";
  const crowd = view.wagers.length > CROWD;
  host.classList.toggle("open", open);
  host.classList.toggle("crowd", crowd);
  if (open) beginRound(view.round);
  if (!open || crowd) {
    made.shape = "";
    host.classList.remove("arc", "list");
    if (crowd) totals(host, view, takesWagers(view));
    else seatBand(host, view, { seats: seatCount(), clockwise: isClockwise(), kinds: kinds() });
    return;
  }
  build(host);
  fill(host, view);
}

/** @type {HTMLElement | null} */
let watched = null;

// The felt gets more or less room: the arc follows.
/** @param {HTMLElement} host */
function watch(host) {
  if (watched === host) return;
  watched = host;
  new ResizeObserver(() => app.redraw()).observe(host);
}

// --- building --------------------------------------------------------------------------------------

/** @param {HTMLElement} host */
function build(host) {
  const [width, height, seats] = [host.clientWidth, Math.min(MAX_HEIGHT, host.clientHeight), seatCount()];
  const planned = plan(kinds(), width, seats, leastSpot(width));
  const arc = fits(width, height, seats, planned);
  const shape = JSON.stringify([arc, width, arc ? height : 0, seats, kinds(), isClockwise(),
    document.documentElement.lang]);
  if (shape === made.shape && host === made.host) return;
  Object.assign(made, { host, shape, plan: arc ? planned : plan(kinds(), width, 1, 90), spots: new Map() });
  host.classList.toggle("arc", arc);
  host.classList.toggle("list", !arc);
  host.style.removeProperty("--band");
  const groups = Array.from({ length: seats }, (_, n) => seatGroup(n + 1));
  const spots = h("div", { class: "spots", role: "group", "aria-label": t("Layout") }, groups);
  spots.addEventListener("keydown", byKeys);
  host.replaceChildren(spots, h("p", { class: "hint" }), h("div", { class: "missed", role: "status" }),
    h("div", { class: "tray", role: "toolbar", "aria-label": t("Chips") }));
  if (arc) bend(host, width, height);
}

/** @param {number} seat */
function seatGroup(seat) {
  return h("div", { class: "seat", role: "group", "aria-label": t("Seat {n}", { n: seat }), "data-seat": seat },
    h("span", { class: "head", "aria-hidden": "true" }, String(seat)),
    made.plan.spots.map(({ kind }, at) => spotButton({ position: seat, wager: kind }, at)));
}

/** @param {SpotId} spot @param {number} at */
function spotButton(spot, at) {
  const found = button(null, () => touched(spot),
    { class: `spot kind-${spot.wager}`, "data-key": `spot-${spotKey(spot)}`, tabindex: -1 });
  let timer = 0;
  let long = false;
  const whole = () => { long = true; return inFull(spot); };
  found.addEventListener("pointerdown", () => { long = false; timer = setTimeout(whole, LONG_MS); });
  for (const kind of ["pointerup", "pointercancel", "pointerleave"]) {
    found.addEventListener(kind, () => clearTimeout(timer));
  }
  found.addEventListener("click", (event) => { if (long) event.stopImmediatePropagation(); long = false; },
    { capture: true });
  found.addEventListener("contextmenu", (event) => {
    event.preventDefault();
    clearTimeout(timer);
    if (!long) inFull(spot);
  });
  found.addEventListener("focus", () => { rove({ seat: spot.position, at }); });
  made.spots.set(spotKey(spot), found);
  return found;
}

/** @param {HTMLElement} host @param {number} width @param {number} height */
function bend(host, width, height) {
  const of = { width, seats: seatCount(), small: made.plan.small, least: leastSpot(width) };
  const high = rowHeight(width, height, made.plan.rows);
  for (const group of host.querySelectorAll(".seat")) {
    const seat = Number(group instanceof HTMLElement ? group.dataset.seat : 0);
    const [head, ...spots] = group.children;
    put(head, headBox(of, seat, isClockwise()));
    made.plan.spots.forEach((spot, at) => put(spots[at], spotBox(of, seat, isClockwise(), spot, high)));
  }
  host.classList.toggle("low", high < LOW);
  host.classList.toggle("tight", width / of.seats < TIGHT);
  host.classList.toggle("narrow", width < NARROW);
}

// --- what lies there -----------------------------------------------------------------------------------

/** @param {HTMLElement} host @param {StaffView} view */
function fill(host, view) {
  const takes = takesWagers(view);
  const lying = stacks(view.wagers);
  const marked = flags(view.wagers);
  for (const [key, found] of made.spots) {
    const [position, wager] = [Number(key.split("-")[0]), key.slice(key.indexOf("-") + 1)];
    const stack = wager === MORE ? together(lying, position) : lying.get(key);
    const flag = wager === MORE ? made.plan.more.map((kind) => marked.get(spotKey({ position, wager: kind })))
      .find(Boolean) : marked.get(key);
    draw(found, [spotParts(wager, stack), flag ? h("em", { class: "flag" }, flag) : null]);
    found.setAttribute("aria-label", [spotLabel({ position, wager }, stack), flag].filter(Boolean).join(", "));
    found.classList.toggle("staked", Boolean(stack));
    found.classList.toggle("flagged", Boolean(flag));
    found.disabled = !takes;
  }
  host.classList.toggle("taking", hand.taking);
  rove(made.at);
  const [, hint, missed, chips] = host.children;
  if (!hint || !missed || !chips) return;
  const says = hand.taking ? t("Tap a stack to take off its top chip.")
    : t("Pick a chip, tap a spot. Hold a spot for more.");
  draw(hint, takes ? says : null);
  draw(missed, missedParts());
  fillTray(chips, view, takes);
}

/**
 * All that lies on kinds without a spot of their own.
 * @param {Map<string, Stack>} lying
 * @param {number} position
 * @returns {Stack | undefined}
 */
function together(lying, position) {
  const found = made.plan.more.map((wager) => lying.get(spotKey({ position, wager })))
    .filter((each) => each !== undefined);
  return found.length ? { wagers: found.flatMap((each) => each.wagers),
    total: found.reduce((sum, each) => sum + each.total, 0) } : undefined;
}

function missedParts() {
  if (!hand.missed.length) return null;
  return [
    h("h3", {}, t("Not repeated")),
    h("ul", {}, hand.missed.map(({ what, why }) => h("li", {}, h("b", {}, what), " ", why))),
    button("×", () => { hand.missed = []; app.redraw(); },
      { class: "close", "aria-label": t("Close"), "data-key": "missed-close" }),
  ];
}

// --- fingers and keys ----------------------------------------------------------------------------------

/** @param {SpotId} spot */
async function touched(spot) {
  const taking = hand.taking;
  const wager = spot.wager === MORE ? await whichKind(spot.position, taking) : spot.wager;
  if (!wager) return;
  await (taking ? takeOne({ ...spot, wager }) : lay({ ...spot, wager }));
}

// The spot for all the rest asks which; where only one of them lies, that one comes off.
/** @param {number} position @param {boolean} lies */
async function whichKind(position, lies) {
  const lying = stacks(app.view?.wagers ?? []);
  const may = made.plan.more.filter((wager) => !lies || lying.has(spotKey({ position, wager })));
  if (lies && may.length < 2) return may[0] ?? null;
  return ask(`${t("Seat {n}", { n: position })} · ${t("Which wager?")}`, (/** @type {Done<string>} */ done) =>
    [options(may.map((wager) => /** @type {Option<string>} */ ([wager, kindName(wager)])), null, done,
      may.length > 12 ? "kinds many" : "kinds")], "wide");
}

/** @param {SpotId} spot */
async function inFull(spot) {
  const wager = spot.wager === MORE ? await whichKind(spot.position, false) : spot.wager;
  if (wager && app.view && takesWagers(app.view)) await ofSpot({ position: spot.position, wager });
}

/** @param {typeof made.at} at */
function rove(at) {
  made.at = at;
  const kind = made.plan.spots[at.at]?.kind ?? "";
  const here = spotKey({ position: at.seat, wager: kind });
  for (const [key, each] of made.spots) each.tabIndex = key === here ? 0 : -1;
}

/** @param {KeyboardEvent} event */
function byKeys(event) {
  const kind = made.plan.spots[made.at.at]?.kind;
  if (!kind) return;
  if (event.key.startsWith("Arrow")) {
    const next = beside(event.key, made.at, { seats: seatCount(), spots: made.plan.spots.length }, isClockwise());
    made.spots.get(spotKey({ position: next.seat, wager: made.plan.spots[next.at]?.kind ?? "" }))?.focus();
  } else if (event.key === "Delete" || event.key === "Backspace") {
    if (kind !== MORE) takeOne({ position: made.at.seat, wager: kind });
  } else if (event.key === "+" || event.key === "-") nextChip(event.key === "+" ? 1 : -1);
  else return;
  event.preventDefault();
}

/** @param {number} by */
function nextChip(by) {
  const chips = tray();
  const at = Math.max(0, Math.min(chips.length - 1, chips.indexOf(picked()) + by));
  Object.assign(hand, { chip: chips[at] ?? null, taking: false });
  app.redraw();
}
