// What can be done now, as buttons. The prompt says which one of them it names: that one is solid,
// Enter does it, and one tap is enough. The others are outlined; what they cannot take back is
// confirmed. A number always means the same act: see KEYS.

import { app, least } from "./app.js";
import { t } from "./catalogue.js";
import { actsOf } from "./asks.js";
import { BEFORE_CLOSING, OVER_DIFFERENTIAL } from "./codes.js";
import { ask, options } from "./dialog.js";
import { goOnStep } from "./halt.js";
import { countRest, loadShoe } from "./loading.js";
import { hands, pickCard, pickPerson } from "./pickers.js";
import { choose, word } from "./saying.js";
import { personName } from "./sentences.js";
import { seenAtTouch } from "./touch.js";
import { mendings, tapsSaid } from "./layout_words.js";
import { opensWhen, shoeStep, tickStep } from "./voided.js";

/** @import { Done, Prompt, Role, Saying, Side, StaffView, State, Turn } from "./types.d.ts" */

/**
 * @typedef {object} Step
 * @property {string} key
 * @property {string} label
 * @property {string} [short] the same where it lies with its hand
 * @property {string} [note] what follows
 * @property {string} [done] what was done, when it has been
 * @property {(prompted: boolean) => unknown} run
 * @property {boolean} [solid] it is the one to do, though no prompt of the table names it
 * @property {Side} [hand] it is about this hand
 * @property {"inner" | "outer"} [part] the half of a slot it takes
 */

/** The same number is the same act in every phase and method. @type {Record<string, string>} */
export const KEYS = {
  "take-player": "1", "pass-player": "1", "leave-player": "2", "expose-player": "3",
  "take-banker": "4", "pass-banker": "4", "leave-banker": "5", "expose-banker": "6",
  first: "7", device: "8", load_shoe: "9", settle: "0", first_card: "E", yes: "Y", no: "N",
};

/**
 * @param {string} key
 * @param {string} label
 * @param {string} name
 * @param {object} given
 * @param {{ note?: string, done?: string, hand?: Side, role?: Role }} [more]
 * @returns {Step}
 */
const says = (key, label, name, given, { role, ...more } = {}) => ({
  key, label, run: () => word(name, given, { what: label, ...(role ? { role } : {}) }), ...more,
});

// Cannot be taken back: at one tap where the prompt asks for it, else chosen first and confirmed.
/**
 * @param {string} key
 * @param {string} label
 * @param {string} name
 * @param {object} given
 * @param {{ short?: string, note?: string, done?: string, hand?: Side }} [more]
 * @returns {Step}
 */
const turns = (key, label, name, given, more = {}) => ({
  key, label,
  run: (prompted) =>
    (prompted ? word(name, given, { what: label }) : choose({ word: name, given, label, what: label })), ...more,
});

/** @type {Partial<Record<State, (view: StaffView) => (Step | null)[]>>} */
const STEPS = {
  closed: () =>
    [says("open_table", t("Open the table"), "open_table", {}, { role: least("open_table"), done: t("Table opened") })],
  changing_shoe: (view) =>
    (view.shoe_due ? [...counting(view), loading(t("Load a shoe"))] : [dealt(view) ?? firstCard(view)]),
  ready: (view) => {
    const first = tickStep(view);
    if (first) return [first];
    const opens = says("open_betting", t("Open betting"), "open_betting", {}, { done: t("Betting opened") });
    return [shoeStep(view) ?? (opensWhen(view) === null ? opens : null), handsOver(view),
      loading(t("Replace the shoe"))];
  },
  betting: (view) => [
    { key: "close_betting", label: t("No more bets"), done: t("Betting closed"), run: closeBetting },
    handsOver(view),
  ],
  dealing: (view) => [dealt(view), ...handlers(view)],
  revealing: (view) => [...handlers(view), ...exposures(view), firstHand(view)],
  players_third: (view) => [dealt(view), ...handlers(view), ...exposures(view)],
  bankers_third: (view) => [dealt(view), ...handlers(view), ...exposures(view)],
  outcome: () => [says("announce", t("Announced"), "announce", {}, { note: t("then collect and pay") })],
  halted: (view) => [goOnStep(view)],
  suspended: (view) => [goOnStep(view)],
  settling: (view) =>
    [opensAgain(view), says("settle", t("Collected and paid"), "settle", {}, { note: t("then the next round") })],
};

/** What answers the open question. @param {StaffView} view @returns {Step[]} */
export function answersOf(view) {
  const asked = view.asks[0];
  return !asked || view.asks.length > 1 || view.offers.length ? [] : actsOf(view, asked);
}

/** @param {StaffView} view @returns {Step[]} */
export const stepsOf = (view) => (STEPS[view.state]?.(view) ?? []).filter((each) => each !== null);

/** The step that the prompt names, by its key. @param {Prompt} prompt @param {Step[]} steps */
export function promptedKey({ act }, steps) {
  if (!act) return null;
  if (act.word === "settle" && steps.some((each) => each.key === "settle-open")) return "settle-open";
  if (act.word === "accept_cards") return `${act.player ? "take" : "pass"}-${act.hand}`;
  if (act.word === "expose") return `expose-${act.hand}`;
  return act.word === "method" ? "device" : act.word;
}

// Where the house wants it: paid, and the next round's betting open, at one tap. The second word is said
// of the table as the first one left it; where it is refused the first is done all the same.
/** @param {StaffView} view @returns {Step | null} */
function opensAgain(view) {
  if (!app.about?.open_after_paying || view.close_after) return null;
  const label = t("Paid, open betting");
  const run = async () => {
    let seen = 0;
    const paid = await word("settle", {}, { what: label, heard: (seq) => { seen = seq; } });
    if (!paid || app.view?.state !== "ready") return paid;
    return word("open_betting", {}, { what: t("Open betting"), seen });
  };
  return { key: "settle-open", label, done: t("Collected and paid"), part: "outer", run };
}

// The shoe is over: its cards are counted, by passing what is left through it or by hand.
/** @param {StaffView} view @returns {Step[]} */
function counting(view) {
  const set = view.deck_sets.find((each) => each.name === view.shoe_in_use?.deck_set);
  if (!set?.to_be_counted) return [];
  const byHand = { key: "count_rest", label: t("Count remaining cards"), run: countRest };
  if (view.by_hand) return [byHand];
  if (view.rest_passed === null) {
    return [says("pass_rest", t("Pass remaining cards through the shoe"), "pass_rest", {}),
      byHand];
  }
  return [says("reconcile", t("No card is left"), "reconcile", {}), byHand];
}

/** @param {string} label @returns {Step} */
const loading = (label) => ({ key: "load_shoe", label, done: t("Shoe loaded"), run: loadShoe });

// Manual mode: a card that lies open is entered as it is drawn, one that lies face down only marked.
/** @param {StaffView} view @returns {Step | null} */
function dealt(view) {
  const { act } = view.prompt;
  if (act?.word !== "deal_card") return null;
  const label = act.face ? t("Enter the card on the layout") : t("Card drawn face down");
  const run = async () => {
    if (!act.face) return word("deal_card", {}, { what: label });
    const code = await pickCard(label);
    return code ? word("deal_card", { card: code }, { what: label }) : false;
  };
  return { key: "deal_card", label, done: t("Card entered"), run };
}

// The first card says how many are burned; one the shoe could not read is entered by hand.
/** @param {StaffView} view @returns {Step | null} */
function firstCard(view) {
  if (view.shoe_in_use?.burn_left !== null) return null;
  const label = t("First card not read: enter it");
  const run = async () => {
    const code = await pickCard(label);
    return code ? word("enter_card", { card: code }, { what: label }) : false;
  };
  return { key: "first_card", label, run };
}

// Who squeezes: the player whose turn it is takes the hand or does not want it.
/** @param {StaffView} view @returns {Step[]} */
function handlers(view) {
  return hands().flatMap(([hand, name]) => {
    const turn = view.passing[hand];
    if (!turn) return [];
    if (turn.asked_by) return permission(view, hand, name, turn, turn.asked_by);
    if (turn.to) return offered(hand, name, turn, turn.to);
    if (!turn.named_by_supervisor && app.about?.track_wagers !== false) return [];
    const label = t("Pass the {hand} hand to ...", { hand: name });
    const role = least(turn.named_by_supervisor ? "name_a_handler" : "deal");
    const run = async () => {
      const player = await pickPerson(label);
      return player ? word("accept_cards", { hand, player }, { role, what: label }) : false;
    };
    return [{ key: `pass-${hand}`, label, run, hand }];
  });
}

// Where nobody can decline before they have asked, taking the hand is a permission too.
/** @param {Side} hand @param {string} name @param {Turn} turn @param {string} player @returns {Step[]} */
function offered(hand, name, turn, player) {
  const who = personName(player);
  const given = { hand, player };
  const more = { hand, note: t("{hand} hand", { hand: name }) };
  const label = turn.may_leave ? t("{who} takes it", { who }) : t("Permit {who} to squeeze", { who });
  return [
    ...(turn.may_take
      ? [says(`take-${hand}`, label, "accept_cards", given,
        { ...more, done: t("{who} takes the {hand} hand", { who, hand: name }) })] : []),
    ...(turn.may_leave ? [says(`leave-${hand}`, t("{who} declines", { who }), "refuse_cards", given, more)]
      : []),
  ];
}

// A player has asked to squeeze: what the prompt asks has both answers side by side, one that came
// after it waits with its hand.
/**
 * @param {StaffView} view
 * @param {Side} hand
 * @param {string} name
 * @param {Turn} turn
 * @param {string} player
 * @returns {Step[]}
 */
function permission(view, hand, name, turn, player) {
  const who = personName(player);
  const given = { hand, player };
  const where = view.prompt.gaps.hand === hand && turn.may_take ? {} : { hand };
  return [
    ...(turn.may_take
      ? [says(`take-${hand}`, t("Permit"), "accept_cards", given,
        { ...where, note: t("{who} squeezes the {hand} hand", { who, hand: name }),
          done: t("{who} takes the {hand} hand", { who, hand: name }) })] : []),
    ...(turn.may_leave
      ? [says(`leave-${hand}`, t("Decline"), "refuse_cards", given,
        { ...where, note: t("the dealer turns the cards") })] : []),
  ];
}

/** @param {StaffView} view @returns {Step[]} */
function exposures(view) {
  return hands().flatMap(([hand, name]) => {
    if (!view.cards.some((each) => each.hand === hand && !each.exposed)) return [];
    const label = t("The {hand} hand is face up", { hand: name });
    return [turns(`expose-${hand}`, label, "expose", { hand },
      { hand, short: t("Hand is face up"), note: t("its cards are shown to all") })];
  });
}

/** @param {StaffView} view @returns {Step | null} */
function firstHand(view) {
  if (!view.can.includes("reveal_first") || view.method !== "A" || view.cards.some((each) => each.exposed)) return null;
  const label = t("Which hand is revealed first");
  const run = async () => {
    const first = await ask(label, (/** @type {Done<Side>} */ done) => [options(hands(), null, done)], "beside");
    return first ? word("reveal_first", { hand: first }, { what: label }) : false;
  };
  return { key: "first", label, run };
}

/** @param {StaffView} view @returns {Step | null} */
function handsOver(view) {
  if (view.method !== "C") return null;
  const label = view.drawer ? t("{who} gives up the device", { who: personName(view.drawer) })
    : t("Hand a player the device");
  const run = async () => {
    if (view.drawer) return choose({ word: "method", given: { method: view.method, drawer: "" }, label, what: label });
    const drawer = await pickPerson(t("Who draws?"));
    return drawer ? word("method", { method: view.method, drawer }, { what: label }) : false;
  };
  return { key: "device", label, run };
}

// What can still be put right is put right first; who knows better closes all the same. Over the
// differential nobody does, unless the book settles it pro rata: then a second person is asked.
/** @param {string | null} code */
const mayCloseOver = (code) => Boolean(code?.startsWith(BEFORE_CLOSING))
  && (!OVER_DIFFERENTIAL.includes(code ?? "") || app.about?.closes_over_differential === true);

// Chips that were put down before the call are said before it.
async function closeBetting() {
  const seen = seenAtTouch();
  await tapsSaid();
  const anyway = () => word("close_betting", { anyway: true }, { what: t("No more bets") });
  /** @type {Saying["instead"]} */
  const instead = (problem) => [...mendings(problem),
    ...(mayCloseOver(problem.code) ? [{ label: t("Close anyway"), run: anyway }] : [])];
  return word("close_betting", {}, { what: t("No more bets"), instead, seen });
}
