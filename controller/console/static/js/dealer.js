// The dealer's page: what to do and say now, the cards as they lie, the few buttons that fit.

import { confirming, panel } from "./asks.js";
import { card, cardName } from "./cards.js";
import { ask, foot, options } from "./dialog.js";
import { button, byId, draw, h, pretty } from "./dom.js";
import { get } from "./http.js";
import { cardButton, hands, pickCard, pickPerson, rankAndSuit, reasons, seatName } from "./pickers.js";
import { report } from "./report.js";
import { app, choose, clause, confirmChoice, onKeys, start, takeBack, word } from "./shell.js";
import { layout, place } from "./wagers.js";
import { say, t } from "./words.js";

start("dealer", "dealer", redraw);

function redraw() {
  const view = app.view;
  if (!view) return;
  draw(byId("prompt"), [view.prompt, view.manual, view.close_after], () => promptParts(view));
  draw(byId("felt"), [view.hands, view.cards, view.totals, view.handlers, view.drawer, view.void, view.corrected, view.state, view.results.length], () => felt(view));
  draw(byId("actions"), [view, app.choice, bench], () => actions(view));
  draw(byId("side"), [view.wagers, view.payouts, view.settlements, view.notices, view.rulings, view.state, view.over], () => side(view));
  tick();
  if (view.demo && bench === undefined) findBench();
}

// Where an emulated shoe has its own page: that is where a newcomer draws the cards.
let bench;

async function findBench() {
  bench = null;
  try {
    bench = (await get("/api/devices")).devices.find((each) => each.name === "shoe")?.bench ?? null;
  } catch {
    // The banner says so when the console is away.
  }
  redraw();
}

// --- the prompt -----------------------------------------------------------------------------------

function promptParts(view) {
  const { do: doing, say: saying, clause: number } = view.prompt;
  return [
    h("p", { class: `do ${say(doing).length > 44 ? "long" : ""}` }, say(doing)),
    saying ? h("p", { class: "say" }, h("span", { class: "sr" }, t("Say:")), "“", say(saying), "”") : null,
    clause(number, "large"),
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
  timer.querySelector("output").textContent = String(Math.ceil(left));
  timer.querySelector("progress").max = running.seconds;
  timer.querySelector("progress").value = left;
  timer.classList.toggle("late", left === 0);
}
setInterval(tick, 250);

// --- the cards as they lie ---------------------------------------------------------------------------

function felt(view) {
  const aside = view.cards.filter((each) => each.hand === null);
  return [
    ["player", "banker"].map((side) => hand(view, side)),
    aside.length ? h("section", { class: "aside", "aria-label": t("Aside") }, h("h3", {}, t("Aside")),
      h("div", { class: "cards" }, aside.map((each) => lyingCard(view, each)))) : null,
  ];
}

function hand(view, side) {
  const total = view.totals?.[side];
  const lying = view.cards.filter((each) => each.hand === side);
  const who = view.handlers[side];
  return h("section", { class: `hand ${side}`, "aria-label": t(pretty(side)) },
    h("header", {}, h("h2", {}, t(pretty(side))), h("output", { class: "total" }, total === null || total === undefined ? "–" : String(total))),
    h("div", { class: "cards" }, lying.map((each) => lyingCard(view, each)), lying.length === 0 && [h("i", { class: "slot" }), h("i", { class: "slot" })]),
    h("p", { class: "handler" }, who ? t("Handled by {who}", { who: seatName(who) }) : " "));
}

// A face-down card can be marked as turned by itself, where somebody turned just that one.
function lyingCard(view, drawn) {
  const picture = card(drawn.card);
  if (drawn.exposed || !drawn.hand || !view.can.includes("expose")) return picture;
  const at = view.cards.filter((each) => each.hand === drawn.hand).indexOf(drawn) + 1;
  const label = t("Card {n} of the {hand} hand lies open", { n: at, hand: t(pretty(drawn.hand)) });
  return h("button", { type: "button", class: "turn", "aria-label": label, title: label, "data-key": `turn-${drawn.n}`,
    onclick: () => choose({ word: "expose", given: { hand: drawn.hand, card: at }, label, what: label }) }, card(null, { label: cardName(null) }));
}

// --- the buttons ------------------------------------------------------------------------------------------

const plain = (key, label, name, given = {}, more = {}) => ({ key, label, run: () => word(name, given, { what: label, ...more }), ...more });
const chosen = (key, label, name, given = {}, more = {}) => ({ key, label, run: () => choose({ word: name, given, label, what: label, ...more }), ...more });

const STEPS = {
  closed: () => [plain("open_table", t("Open the table"), "open_table", {}, { role: "pit_supervisor", primary: true })],
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

function actions(view) {
  if (app.choice) return confirming(app.choice, confirmChoice, takeBack);
  const open = panel(view);
  const steps = open.length ? [] : (STEPS[view.state]?.(view) ?? []).flat().filter((each) => each && !each.off);
  return [
    open.length ? h("div", { class: "panel" }, open) : h("div", { class: `steps ${steps.some((each) => each.column) ? "by-hand" : ""}` }, steps.map(step), steps.length === 0 && waiting(view)),
    h("div", { class: "always" },
      button([h("span", {}, t("Something is wrong")), h("kbd", {}, "R")], report, { class: "wrong", "data-key": "report", disabled: !view.can.includes("report") }),
      button(t("Correct a card"), correct, { "data-key": "correct", disabled: !view.can.includes("correct") || !view.cards.some((each) => each.exposed) }),
      view.can.includes("cut_card") && view.shoe_in_use && !view.shoe_in_use.cut_card_out && button(t("The cutting card came"), cuttingCard, { "data-key": "cut_card" }),
      firstHand(view) && button(t("Which hand is revealed first"), chooseFirst, { "data-key": "first" }),
      view.drawer ? h("span", { class: "drawer" }, t("{who} has the device", { who: seatName(view.drawer) })) : null),
  ];
}

const waiting = (view) => h("p", { class: "waiting" }, view.state === "closed" ? "" : t("Waiting for the shoe"), " ",
  bench ? h("a", { href: bench, target: "_blank", rel: "noreferrer" }, t("Emulator's bench")) : null);

function step(each, place) {
  const hint = each.primary ? "↵" : String(place + 1);
  return h("button", { type: "button", class: `step ${each.primary ? "primary" : ""} ${each.tone ?? ""} ${each.column ? `of-${each.column}` : ""}`, onclick: each.run, "data-key": each.key },
    h("span", {}, each.label), h("kbd", { "aria-hidden": "true" }, hint));
}

onKeys((event) => {
  if (event.key === "Escape" && app.choice) takeBack();
  else if (event.key === "Enter" && event.target === document.body) {
    (document.querySelector("#actions .confirming .primary") ?? document.querySelector("#actions .steps .primary"))?.click();
  } else if (/^[1-9]$/.test(event.key) && !app.choice) {
    document.querySelectorAll("#actions .steps .step")[Number(event.key) - 1]?.click();
  } else if (event.key.toLowerCase() === "r" && !app.choice && app.view?.can.includes("report")) report();
});

// The first card says how many are burned; one the shoe could not read is entered by hand.
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
function squeezers(view) {
  return Object.entries(view.passing ?? {}).flatMap(([side, turn]) => {
    const name = t(pretty(side));
    if (turn.to) {
      const who = seatName(turn.to);
      return [
        plain(`take-${side}`, t("{who} takes the {hand} hand", { who, hand: name }), "accept_cards", { hand: side, player: turn.to }, { tone: side, column: side }),
        plain(`leave-${side}`, t("{who} does not want it", { who }), "refuse_cards", { hand: side, player: turn.to }, { tone: "plain", column: side }),
      ];
    }
    if (!turn.named_by_supervisor && app.about?.track_wagers !== false) return [];
    const label = t("Pass the {hand} hand to ...", { hand: name });
    const role = turn.named_by_supervisor ? "pit_supervisor" : "dealer";
    const run = async () => {
      const player = await pickPerson(label);
      if (player) await word("accept_cards", { hand: side, player }, { role, what: label });
    };
    return [{ key: `pass-${side}`, label, run, tone: side, column: side }];
  });
}

function firstHand(view) {
  return view.can.includes("reveal_first") && view.method === "A" && view.cards.every((each) => !each.exposed);
}

// Not every shoe tells of it: the dealer who sees it does.
function cuttingCard() {
  const label = t("The cutting card came");
  choose({ word: "cut_card", given: {}, label, what: label });
}

async function chooseFirst() {
  const hand = await ask(t("Which hand is revealed first"), (done) => [options(hands(), null, done)]);
  if (hand) await word("reveal_first", { hand }, { what: t("Which hand is revealed first") });
}

function exposures(view) {
  return hands().flatMap(([side, name]) => {
    const hidden = view.cards.filter((each) => each.hand === side && !each.exposed);
    if (!hidden.length) return [];
    const label = t("The {hand} hand lies open", { hand: name });
    return [chosen(`expose-${side}`, label, "expose", { hand: side }, { tone: `${side} solid`, column: side })];
  });
}

function handsOver(view) {
  if (view.method !== "C") return null;
  const label = view.drawer ? t("{who} gives up the device", { who: seatName(view.drawer) }) : t("Hand a player the device");
  const run = async () => {
    if (view.drawer) return choose({ word: "method", given: { method: view.method, drawer: "" }, label, what: label });
    const drawer = await pickPerson(t("Who draws?"));
    if (drawer) await word("method", { method: view.method, drawer }, { what: label });
  };
  return { key: "device", label, run, primary: !view.drawer };
}

// What can still be put right is put right first; who knows better closes all the same.
async function closeBetting() {
  const anyway = () => word("close_betting", { anyway: true }, { what: t("No more bets") });
  const instead = (problem) => (problem.message?.startsWith("before bets close") ? { label: t("Close all the same"), run: anyway } : null);
  await word("close_betting", {}, { what: t("No more bets"), instead });
}

// --- windows --------------------------------------------------------------------------------------------------

const SETS = ["blue", "red", "green", "yellow", "black", "white"];

async function loadShoe() {
  const { staff } = await get("/api/staff");
  const state = { set: null, by: app.view.verified ? "shuffler" : null, cut: false };
  const may = [...(app.view.verified ? [["shuffler", t("the shuffler")]] : []), ...staff.filter((each) => each.role !== "surveillance").map((each) => [each.who, each.name])];
  const loaded = await ask(t("Load a shoe"), (done, again) => {
    const set = (change) => { Object.assign(state, change); again(); };
    return [
      h("h3", {}, t("Deck set")), options(SETS.map((each) => [each, say(each)]), state.set, (value) => set({ set: value }), "sets"),
      h("h3", {}, t("Shuffled and verified by")), options(may, state.by, (value) => set({ by: value })),
      h("h3", {}, t("Cut")), options([[true, t("The cards have been cut")]], state.cut, () => set({ cut: !state.cut })),
      foot(done, { label: t("Load a shoe"), ready: Boolean(state.set && state.by && state.cut), value: () => state }),
    ];
  });
  if (loaded) await word("load_shoe", { deck_set: loaded.set, verified_by: loaded.by, cut: true }, { what: t("Load a shoe") });
}

const MISREAD = ["The device read the card wrongly", "The card was entered wrongly", "Surveillance saw another card"];

async function correct() {
  const open = app.view.cards.filter((each) => each.exposed && each.card);
  const state = { n: null, reason: null, ready: () => Boolean(state.n && state.rank && state.suit && state.reason) };
  const done = await ask(t("Correct a card"), (finish, again) => [
    h("h3", {}, t("Which card?")),
    h("div", { class: "pick-cards" }, open.map((each) => cardButton(each, ({ n }) => { state.n = n; again(); }, { chosen: state.n === each.n }))),
    h("h3", {}, t("What is it?")), rankAndSuit(state, again),
    h("h3", {}, t("Because")), reasons(MISREAD, state, again),
    foot(finish, { label: t("Ask for the correction"), ready: state.ready(), value: () => state }),
  ], "full");
  if (done) await word("correct", { n: done.n, card: done.rank + done.suit, reason: done.reason }, { what: t("Correct a card") });
}

// --- beside the felt --------------------------------------------------------------------------------------------

function side(view) {
  return [
    h("section", { class: "wagers" }, layout(view)),
    view.rulings.length ? h("section", { class: "rulings" }, h("h2", {}, t("Rulings")), h("ul", {}, [...view.rulings].reverse().map((each) =>
      h("li", {}, clause(each.clause), " ", h("b", {}, say(pretty(each.id))), each.text ? ` · ${say(each.text)}` : "", h("small", {}, t("decided by {who}", { who: say(each.decided_by) })))))) : null,
    view.notices.length ? h("section", { class: "notices" }, h("h2", {}, t("Notices")), h("ul", {}, [...view.notices].reverse().map((each) => h("li", {}, say(each))))) : null,
  ];
}
