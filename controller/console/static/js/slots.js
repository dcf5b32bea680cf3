// The band of actions: a slot on the left, the fixed middle, a slot on the right. There is one solid
// button or none. A new one never lies where the last one was, and it rests before it takes a tap; where
// the last one was lies a trace of what was done. So a second tap of the same finger lands on nothing.

import { app, me } from "./app.js";
import { t } from "./catalogue.js";
import { clock, h } from "./dom.js";
import { icon } from "./signs.js";
import { confirmChoice, takeBack } from "./saying.js";
import { answersOf, KEYS, promptedKey, stepsOf } from "./steps.js";
import { touchedAt } from "./touch.js";
import { ticks } from "./voided.js";

/** @import { Child, Side, StaffView } from "./types.d.ts" */
/** @import { Step } from "./steps.js" */
/** @typedef {{ side: "left" | "right", part: "whole" | "inner" | "outer" }} Box */

const REST_MS = 600;
/** What is drawn where the last tap was rests longer: a slow second tap was meant for the first. */
const UNDER_THE_FINGER_MS = 1200;
/** A solid button's words beyond this many characters are written smaller: a note lies under them. */
const LONG_LABEL = 18;

// Where an act is at home, unless the last one lies there; what has no home changes sides.
/** @type {Record<string, Box["side"]>} */
const HOMES = {
  open_table: "left", load_shoe: "left", open_betting: "left", close_betting: "right", announce: "left",
  settle: "right", "settle-open": "right",
  "take-player": "left", "take-banker": "right", "expose-player": "left", "expose-banker": "right",
};

const standing = {
  /** What the buttons are about. */
  about: "",
  since: 0,
  /** Where the solid button lies or lay last. @type {Box | null} */
  box: null,
  /** What was pressed and waits for the table. @type {{ box: Box | null, done: string } | null} */
  pressed: null,
  /**
   * What was done at this screen last, and where.
   * @type {{ box: Box, done: string, who: string, at: number } | null}
   */
  trace: null,
};

/** @typedef {{ main: Step | null, beside: Step[], byHand: Record<Side, Step[]> }} Shared */

/**
 * What can be done, shared out: the solid one, what stands beside it, what lies with a hand.
 * @param {StaffView} view
 * @returns {Shared}
 */
export function shared(view) {
  /** @type {Record<Side, Step[]>} */
  const byHand = { player: [], banker: [] };
  if (app.choice) {
    const confirm = { key: "confirm", label: t("Confirm"), note: app.choice.label, done: app.choice.label,
      run: confirmChoice };
    return { main: confirm, beside: [{ key: "take-back", label: t("Cancel"), done: "", run: takeBack }], byHand };
  }
  const steps = view.asks.length || view.offers.length ? answersOf(view) : stepsOf(view);
  const wanted = promptedKey(view.prompt, steps);
  const main = steps.find((each) => each.solid) ?? steps.find((each) => each.key === wanted) ?? null;
  const beside = [];
  for (const each of steps) {
    if (each === main) continue;
    if (each.hand && each.key !== main?.key.replace("take", "leave")) byHand[each.hand].push(each);
    else beside.push(each);
  }
  return { main, beside, byHand };
}

/**
 * What the buttons are about has changed: where the solid one lies now, and the rest begins.
 * @param {StaffView} view
 * @param {Step | null} main
 */
export function settleDown(view, main) {
  const about = JSON.stringify([view.state, view.round, view.prompt, view.asks, view.offers, app.choice, ticks()]);
  if (about === standing.about) return;
  const { pressed } = standing;
  if (app.choice === null && pressed?.box && pressed.done) {
    standing.trace = { box: pressed.box, done: pressed.done, who: me().name, at: Date.now() / 1000 - app.skew };
  }
  if (main) standing.box = boxOf(main, pressed?.box ?? standing.box);
  Object.assign(standing, { about, since: performance.now() });
  setTimeout(wake, REST_MS);
  setTimeout(wake, UNDER_THE_FINGER_MS);
}

/** @param {Step} step @param {Box | null} before @returns {Box} */
function boxOf({ key, part = undefined }, before) {
  const away = before?.side === "left" ? "right" : "left";
  const side = HOMES[key] ?? away;
  if (before?.side !== side) return { side, part: part ?? "whole" };
  if (before.part === "outer" && part !== "outer") return { side, part: "inner" };
  return { side: away, part: part ?? "whole" };
}

/** How long a button in that box rests. @param {Box | null} box */
const restOf = (box) => (box && box.side === standing.trace?.box.side && box.part !== "inner"
  ? UNDER_THE_FINGER_MS : REST_MS);
/** @param {number} rest */
const resting = (rest) => performance.now() - standing.since < rest;

// The rest is over: the buttons take taps.
function wake() {
  for (const each of document.querySelectorAll("#work .resting")) {
    if (each instanceof HTMLButtonElement && !resting(Number(each.dataset.rest))) rested(each);
  }
}

/** A button that takes taps from now on. @param {HTMLButtonElement} button */
export function rested(button) {
  button.classList.remove("resting");
  button.removeAttribute("style");
  button.disabled = false;
  return button;
}

/** @param {Step} step @param {boolean} short @returns {Child} */
function label(step, short) {
  if (!short) return [step.label, step.note ? h("small", {}, step.note) : null];
  return step.short ? [h("span", { class: "sr" }, step.label), h("span", { "aria-hidden": "true" }, step.short)]
    : step.label;
}

/** @param {Step} step @param {{ box?: Box | null, main?: boolean, className?: string, short?: boolean }} [where] */
export function stepButton(step, { box = null, main = false, className = "", short = false } = {}) {
  const hint = main ? "↵" : KEYS[step.key];
  const rest = main ? REST_MS : restOf(box);
  const run = async () => {
    // A finger that came down while it rested has not pressed it.
    const touched = touchedAt() - standing.since;
    if (touched >= 0 && touched < rest) return;
    const pressed = { box, done: step.done ?? step.label };
    standing.pressed = pressed;
    await step.run(main);
    if (standing.pressed === pressed) standing.pressed = null;
  };
  const long = main && step.note && step.label.length > LONG_LABEL;
  const made = h("button", { type: "button",
    class: `step ${main ? "primary" : ""} ${long ? "long" : ""} ${className} ${resting(rest) ? "resting" : ""}`,
    onclick: run, disabled: resting(rest), "data-rest": rest,
    "data-since": Math.round(standing.since), "data-key": step.key, "data-letter": KEYS[step.key] },
    h("span", { class: "label" }, label(step, short)),
    hint ? h("kbd", { "aria-hidden": "true" }, hint) : null);
  if (resting(rest)) made.style.setProperty("--rested", `${Math.round(standing.since - performance.now())}ms`);
  return made;
}

/**
 * `waiting`: what stands there when nothing is to be pressed; `next`: what the solid one has to be done for.
 * @param {Box["side"]} side
 * @param {Shared} shares
 * @param {Child} waiting
 * @param {Child} [next]
 */
export function slot(side, shares, waiting, next = null) {
  return h("div", { class: `slot ${side}` }, inSlot(side, shares, waiting, next));
}

/** @param {Box["side"]} side @param {Shared} shares @param {Child} waiting @param {Child} next @returns {Child} */
function inSlot(side, { main, beside }, waiting, next) {
  const box = standing.box ?? { side: "left", part: "whole" };
  const others = beside.map((each) => stepButton(each, { box: { side, part: box.side === side ? "inner" : "whole" } }));
  if (main === null) return withoutMain(side, others, waiting);
  if (box.side === side) {
    const solid = stepButton(main, { box, main: true, className: box.part });
    if (box.part === "whole") return solid;
    return box.part === "outer" ? [others.length ? others : trace(side), solid] : [solid, trace(side)];
  }
  const around = [...(box.part === "outer" ? [] : others), ...(next ? [next] : [])];
  return around.length ? around : trace(side);
}

// The next act is at the shoe, or it is a question: then both answers weigh the same, one on each side.
/** @param {Box["side"]} side @param {Child[]} others @param {Child} waiting @returns {Child} */
function withoutMain(side, others, waiting) {
  const [one, two, ...more] = others;
  if (one instanceof Element && two instanceof Element && more.length === 0) {
    const here = side === "left" ? one : two;
    here.classList.add("answer");
    return here;
  }
  if (side === "right") return waiting ?? trace(side);
  return others.length ? others : waiting;
}

/** @param {Box["side"]} side */
function trace(side) {
  const { trace: left } = standing;
  return left?.box.side === side ? traceOf(left) : h("div", { class: "trace empty" });
}

/** The next act is at the shoe; `bench`: where an emulated one has its page. @param {string | null} [bench] */
export const shoeIsNext = (bench = null) => h("div", { class: "trace waiting" }, icon("shoe"),
  h("p", {}, h("b", {}, t("Draw from the shoe next")),
  h("small", {}, bench ? h("a", { href: bench, target: "_blank", rel: "noreferrer" }, t("Emulator panel"))
    : t("Slot fills when the shoe reads the card"))));

/** What was done here, by whom and when. @param {{ done: string, who: string, at: number }} left */
export const traceOf = ({ done, who, at }) =>
  h("div", { class: "trace" }, icon("done"), h("p", {}, h("b", {}, done), h("small", {}, `${who}, ${clock(at)}`)));
