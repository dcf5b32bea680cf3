// The dealer's page: what to do and say now, the cards as they lie, the few buttons that fit.

import { app, least, me, shown } from "./app.js";
import { confirming, countCards, panel } from "./asks.js";
import { card, cardName } from "./cards.js";
import { t } from "./catalogue.js";
import { BEFORE_CLOSING, OVER_DIFFERENTIAL } from "./codes.js";
import { ask, foot, options } from "./dialog.js";
import { button, byId, draw, h, must, press } from "./dom.js";
import { get } from "./http.js";
import { cardButton, codeOf, handName, hands, isPicked, pickCard, pickPerson, rankAndSuit, reasons } from "./pickers.js";
import { everybody, reaches } from "./pin.js";
import { report } from "./report.js";
import { choose, confirmChoice, takeBack, word } from "./saying.js";
import { personName, sentence } from "./sentences.js";
import { clause, onKeys, start } from "./shell.js";
import { caseTitle, decidedBy } from "./titles.js";
import { layout, place } from "./wagers.js";

/** @import { Device, Done, Drawn, Option, Saying, Side, StaffView, State } from "./types.d.ts" */
/** @typedef {{ key: string, label: string, run: () => unknown, primary?: boolean, tone?: string, column?: Side, off?: boolean }} Step */
/** @typedef {{ primary?: boolean, tone?: string, column?: Side, role?: import("./types.d.ts").Role }} Look */

/** @type {Side[]} */
const SIDES = ["player", "banker"];

start("dealer", "dealer", redraw);

function redraw() {
  const view = app.view;
  if (!view) return;
  draw(byId("prompt"), [view.prompt, view.manual, view.close_after], () => promptParts(view));
  draw(byId("felt"), [view.hands, view.cards, view.totals, view.handlers, view.drawer, view.void, view.corrected, view.state, view.results.length], () => felt(view));
  draw(byId("actions"), [view, app.choice, bench], () => actions(view));
  draw(byId("side"), [view.wagers, view.payouts, view.settlements, view.notes, view.rulings, view.state, view.case?.waits_for, view.over], () => beside(view));
  tick();
  if (view.demo && bench === undefined) findBench();
}

// Where an emulated shoe has its own page: that is where a newcomer draws the cards.
/** @type {string | null | undefined} */
let bench;

async function findBench() {
  bench = null;
  try {
    const { devices } = /** @type {{ devices: Device[] }} */ (await get("/api/devices"));
    bench = devices.find((each) => each.name === "shoe")?.bench ?? null;
  } catch {
    // The banner says so when the console is away.
  }
  redraw();
}

// --- the prompt -----------------------------------------------------------------------------------

/** @param {StaffView} view */
function promptParts(view) {
  const { prompt } = view;
  const doing = sentence(prompt.code, prompt.gaps, prompt.do);
  return [
    h("p", { class: `do ${doing.length > 44 ? "long" : ""}` }, doing),
    prompt.say ? h("p", { class: "say" }, h("span", { class: "sr" }, t("Say:")), "“", sentence(prompt.say_code, prompt.say_gaps, prompt.say), "”") : null,
    clause(prompt.clause, "large"),
    view.manual ? h("p", { class: "manual" }, t("MANUAL MODE: a card is entered or corrected by hand")) : null,
    view.close_after ? h("p", { class: "closing" }, t("The table closes after this round")) : null,
  ];
}

function tick() {
  const timer = byId("timer");
  const running = app.view?.countdown;
  timer.hidden = !running;
  if (!running) return;
  const left = Math.max(0, running.since + running.seconds - (Date.now() / 1000 - app.skew));
  must(timer.querySelector("output")).textContent = String(Math.ceil(left));
  Object.assign(must(timer.querySelector("progress")), { max: running.seconds, value: left });
  timer.classList.toggle("late", left === 0);
}
setInterval(tick, 250);

// --- the cards as they lie ---------------------------------------------------------------------------

/** @param {StaffView} view */
function felt(view) {
  const aside = view.cards.filter((each) => each.hand === null);
  return [
    SIDES.map((side) => hand(view, side)),
    aside.length ? h("section", { class: "aside", "aria-label": t("Aside") }, h("h3", {}, t("Aside")),
      h("div", { class: "cards" }, aside.map((each) => lyingCard(view, each)))) : null,
  ];
}

/** @param {StaffView} view @param {Side} side */
function hand(view, side) {
  const total = view.totals[side];
  const lying = view.cards.filter((each) => each.hand === side);
  const who = view.handlers[side];
  return h("section", { class: `hand ${side}`, "aria-label": handName(side) },
    h("header", {}, h("h2", {}, handName(side)), h("output", { class: "total" }, total === null ? "–" : String(total))),
    h("div", { class: "cards" }, lying.map((each) => lyingCard(view, each)), lying.length === 0 && [h("i", { class: "slot" }), h("i", { class: "slot" })]),
    h("p", { class: "handler" }, who ? t("Handled by {who}", { who: personName(who) }) : " "));
}

// A face-down card can be marked as turned by itself, where somebody turned just that one.
/** @param {StaffView} view @param {Drawn} drawn */
function lyingCard(view, drawn) {
  const picture = card(drawn.card);
  if (drawn.exposed || !drawn.hand || !view.can.includes("expose")) return picture;
  const at = view.cards.filter((each) => each.hand === drawn.hand).indexOf(drawn) + 1;
  const label = t("Card {n} of the {hand} hand lies open", { n: at, hand: handName(drawn.hand) });
  return h("button", { type: "button", class: "turn", "aria-label": label, title: label, "data-key": `turn-${drawn.n}`,
    onclick: () => choose({ word: "expose", given: { hand: drawn.hand, card: at }, label, what: label }) }, card(null, { label: cardName(null) }));
}

// --- the buttons ------------------------------------------------------------------------------------------

/** @param {string} key @param {string} label @param {string} name @param {object} [given] @param {Look} [more] @returns {Step} */
const plain = (key, label, name, given = {}, more = {}) => ({ key, label, run: () => word(name, given, { what: label, ...more }), ...more });
/** @param {string} key @param {string} label @param {string} name @param {object} [given] @param {Look} [more] @returns {Step} */
const chosen = (key, label, name, given = {}, more = {}) => ({ key, label, run: () => choose({ word: name, given, label, what: label, ...more }), ...more });

/** @type {Partial<Record<State, (view: StaffView) => (Step | null)[]>>} */
const STEPS = {
  closed: () => [plain("open_table", t("Open the table"), "open_table", {}, { role: least("open_table"), primary: true })],
  changing_shoe: (view) => (view.shoe_due
    ? [{ key: "load_shoe", label: t("Load a shoe"), run: loadShoe, primary: true }]
    : firstCard(view)),
  ready: (view) => [
    handsOver(view),
    plain("open_betting", t("Open betting"), "open_betting", {}, { primary: true }),
    { key: "load_shoe", label: t("Replace the shoe"), run: loadShoe },
  ],
  betting: (view) => [
    handsOver(view),
    { key: "place", label: t("Place a wager"), run: place, off: app.about?.track_wagers === false },
    { key: "close_betting", label: t("No more bets"), run: closeBetting, primary: true },
  ],
  dealing: (view) => squeezers(view),
  revealing: (view) => [...squeezers(view), ...exposures(view)],
  players_third: (view) => [...squeezers(view), ...exposures(view)],
  bankers_third: (view) => [...squeezers(view), ...exposures(view)],
  outcome: () => [plain("announce", t("Announced"), "announce", {}, { primary: true })],
  settling: () => [plain("settle", t("Collected and paid"), "settle", {}, { primary: true })],
};

/** @param {StaffView} view */
function actions(view) {
  if (app.choice) return confirming(app.choice, confirmChoice, takeBack);
  const open = panel(view);
  const steps = open.length ? [] : (STEPS[view.state]?.(view) ?? []).filter((each) => each !== null).filter((each) => !each.off);
  return [
    open.length ? h("div", { class: "panel" }, open) : h("div", { class: `steps ${steps.some((each) => each.column) ? "by-hand" : ""}` }, steps.map(step), steps.length === 0 && waiting(view)),
    h("div", { class: "always" },
      button([h("span", {}, t("Something is wrong")), h("kbd", {}, "R")], report, { class: "wrong", "data-key": "report", disabled: !view.can.includes("report") }),
      button(t("Correct a card"), correct, { "data-key": "correct", disabled: !view.can.includes("correct") || !view.cards.some((each) => each.exposed) }),
      mayCount(view) && button(t("Count the cards"), () => countCards(t("Count the cards that lie there: one left the shoe and was not read.")), { "data-key": "count" }),
      view.can.includes("cut_card") && view.shoe_in_use && !view.shoe_in_use.cut_card_out && button(t("The cutting card came"), cuttingCard, { "data-key": "cut_card" }),
      firstHand(view) && button(t("Which hand is revealed first"), chooseFirst, { "data-key": "first" }),
      view.drawer ? h("span", { class: "drawer" }, t("{who} has the device", { who: personName(view.drawer) })) : null),
  ];
}

// A reader that saw nothing says nothing: the dealer who sees one more card lie there does.
/** @param {StaffView} view */
const mayCount = (view) => view.can.includes("count") && view.shoe_in_use !== null && !view.asks.some((each) => each.ask === "count" || each.ask === "missing");

/** @param {StaffView} view */
const waiting = (view) => h("p", { class: "waiting" }, view.state === "closed" ? "" : t("Waiting for the shoe"), " ",
  bench ? h("a", { href: bench, target: "_blank", rel: "noreferrer" }, t("Emulator's bench")) : null);

/** @param {Step} each @param {number} at */
function step(each, at) {
  const hint = each.primary ? "↵" : String(at + 1);
  return h("button", { type: "button", class: `step ${each.primary ? "primary" : ""} ${each.tone ?? ""} ${each.column ? `of-${each.column}` : ""}`, onclick: each.run, "data-key": each.key },
    h("span", {}, each.label), h("kbd", { "aria-hidden": "true" }, hint));
}

onKeys((event) => {
  if (event.key === "Escape" && app.choice) takeBack();
  else if (event.key === "Enter" && event.target === document.body) {
    press("#actions .confirming .primary, #actions .steps .primary");
  } else if (/^[1-9]$/.test(event.key) && !app.choice) {
    press("#actions .steps .step", Number(event.key) - 1);
  } else if (event.key.toLowerCase() === "r" && !app.choice && app.view?.can.includes("report")) report();
});

// The first card says how many are burned; one the shoe could not read is entered by hand.
/** @param {StaffView} view @returns {Step[]} */
function firstCard(view) {
  if (view.shoe_in_use?.burn_left !== null) return [];
  const label = t("The first card could not be read: enter it");
  const run = async () => {
    const code = await pickCard(label);
    if (code) await word("enter_card", { card: code }, { what: label });
  };
  return [{ key: "first_card", label, run, tone: "plain" }];
}

// Who squeezes: the player whose turn it is takes the hand or does not want it.
/** @param {StaffView} view @returns {Step[]} */
function squeezers(view) {
  return SIDES.flatMap((side) => {
    const turn = view.passing[side];
    const name = handName(side);
    if (!turn) return [];
    if (turn.to) {
      const who = personName(turn.to);
      return [
        plain(`take-${side}`, t("{who} takes the {hand} hand", { who, hand: name }), "accept_cards", { hand: side, player: turn.to }, { tone: side, column: side }),
        plain(`leave-${side}`, t("{who} does not want it", { who }), "refuse_cards", { hand: side, player: turn.to }, { tone: "plain", column: side }),
      ];
    }
    if (!turn.named_by_supervisor && app.about?.track_wagers !== false) return [];
    const label = t("Pass the {hand} hand to ...", { hand: name });
    const role = least(turn.named_by_supervisor ? "name_a_handler" : "deal");
    const run = async () => {
      const player = await pickPerson(label);
      if (player) await word("accept_cards", { hand: side, player }, { role, what: label });
    };
    return [{ key: `pass-${side}`, label, run, tone: side, column: side }];
  });
}

/** @param {StaffView} view */
function firstHand(view) {
  return view.can.includes("reveal_first") && view.method === "A" && view.cards.every((each) => !each.exposed);
}

// Not every shoe tells of it: the dealer who sees it does.
function cuttingCard() {
  const label = t("The cutting card came");
  choose({ word: "cut_card", given: {}, label, what: label });
}

async function chooseFirst() {
  const first = await ask(t("Which hand is revealed first"), (/** @type {Done<Side>} */ done) => [options(hands(), null, done)]);
  if (first) await word("reveal_first", { hand: first }, { what: t("Which hand is revealed first") });
}

/** @param {StaffView} view @returns {Step[]} */
function exposures(view) {
  return hands().flatMap(([side, name]) => {
    const hidden = view.cards.filter((each) => each.hand === side && !each.exposed);
    if (!hidden.length) return [];
    const label = t("The {hand} hand lies open", { hand: name });
    return [chosen(`expose-${side}`, label, "expose", { hand: side }, { tone: `${side} solid`, column: side })];
  });
}

/** @param {StaffView} view @returns {Step | null} */
function handsOver(view) {
  if (view.method !== "C") return null;
  const label = view.drawer ? t("{who} gives up the device", { who: personName(view.drawer) }) : t("Hand a player the device");
  const run = async () => {
    if (view.drawer) {
      choose({ word: "method", given: { method: view.method, drawer: "" }, label, what: label });
      return;
    }
    const drawer = await pickPerson(t("Who draws?"));
    if (drawer) await word("method", { method: view.method, drawer }, { what: label });
  };
  return { key: "device", label, run, primary: !view.drawer };
}

// What can still be put right is put right first; who knows better closes all the same. Over the
// differential nobody does, unless the book settles it pro rata: then a second person is asked.
/** @param {string | null} code */
const mayCloseOver = (code) => Boolean(code?.startsWith(BEFORE_CLOSING)) && (!OVER_DIFFERENTIAL.includes(code ?? "") || app.about?.closes_over_differential === true);

async function closeBetting() {
  const anyway = () => word("close_betting", { anyway: true }, { what: t("No more bets") });
  /** @type {Saying["instead"]} */
  const instead = (problem) => (mayCloseOver(problem.code) ? { label: t("Close all the same"), run: anyway } : null);
  await word("close_betting", {}, { what: t("No more bets"), instead });
}

// --- windows --------------------------------------------------------------------------------------------------

const SETS = ["blue", "red", "green", "yellow", "black", "white"];

async function loadShoe() {
  const staff = await everybody();
  const verified = shown().verified;
  const state = { set: "", by: verified ? "shuffler" : "", cut: false };
  /** @type {Option<string>[]} */
  const may = staff.filter((each) => reaches(each.role, least("vouch_for_shoe")) && each.who !== me().who).map((each) => [each.who, each.name]);
  if (verified) may.unshift(["shuffler", t("the shuffler")]);
  const loaded = await ask(t("Load a shoe"), (/** @type {Done<typeof state>} */ done, again) => {
    /** @param {Partial<typeof state>} change */
    const set = (change) => { Object.assign(state, change); again(); };
    return [
      h("h3", {}, t("Deck set")), options(SETS.map((each) => /** @type {Option<string>} */ ([each, t(each)])), state.set, (value) => set({ set: value }), "sets"),
      h("h3", {}, t("Shuffled and verified by")), options(may, state.by, (value) => set({ by: value })),
      h("h3", {}, t("Cut")), options([[true, t("The cards have been cut")]], state.cut, () => set({ cut: !state.cut })),
      foot(done, { label: t("Load a shoe"), ready: Boolean(state.set && state.by && state.cut), value: () => state }),
    ];
  });
  if (loaded) await word("load_shoe", { deck_set: loaded.set, verified_by: loaded.by, cut: true }, { what: t("Load a shoe") });
}

const MISREAD = ["The device read the card wrongly", "The card was entered wrongly", "Surveillance saw another card"];

async function correct() {
  const open = shown().cards.filter((each) => each.exposed && each.card);
  /** @type {import("./pickers.js").Reasoned & import("./pickers.js").Picked & { n: number }} */
  const state = { n: 0, reason: null, ready: () => Boolean(state.n && isPicked(state) && state.reason) };
  const done = await ask(t("Correct a card"), (/** @type {Done<typeof state>} */ finish, again) => [
    h("h3", {}, t("Which card?")),
    h("div", { class: "pick-cards" }, open.map((each) => cardButton(each, ({ n }) => { state.n = n; again(); }, { chosen: state.n === each.n }))),
    h("h3", {}, t("What is it?")), rankAndSuit(state, again),
    h("h3", {}, t("Because")), reasons(MISREAD, state, again),
    foot(finish, { label: t("Ask for the correction"), ready: state.ready(), value: () => state }),
  ], "full");
  if (done) await word("correct", { n: done.n, card: codeOf(done), reason: done.reason }, { what: t("Correct a card") });
}

// --- beside the felt --------------------------------------------------------------------------------------------

/** @param {StaffView} view */
function beside(view) {
  return [
    h("section", { class: "wagers" }, layout(view)),
    view.rulings.length ? h("section", { class: "rulings" }, h("h2", {}, t("Rulings")), h("ul", {}, [...view.rulings].reverse().map((each) =>
      h("li", {}, clause(each.clause), " ", h("b", {}, caseTitle(each.id)), each.text ? ` · ${sentence(each.code, each.gaps, each.text)}` : "", h("small", {}, decidedBy(each)))))) : null,
    view.notes.length ? h("section", { class: "notices" }, h("h2", {}, t("Notices")), h("ul", {}, [...view.notes].reverse().map((each) => h("li", {}, sentence(each.code, each.gaps, each.text))))) : null,
  ];
}
