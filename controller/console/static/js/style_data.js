// A table that never was: what the style page shows the parts with.

/**
 * @import { Ask, Case, Hold, LeftAtShoe, Me, Notice, Paid, Person, Prompt, PublicView, Refusal, Roads, Ruling,
 * StaffView, Wager } from "./types.d.ts"
 */

/** @type {Me} */
export const ME = {
  who: "anna", name: "Anna", role: "dealer", language: "en", csrf: "", locked: false, feeds: ["dealer"], demo: true,
  table: "Demo table", at_table: true, second_factor: false, idle_s: 600, rulebook: "mbs-baccarat-8",
};

/** @type {Person[]} */
export const PEOPLE = [
  { who: "anna", name: "Anna", role: "dealer", language: "en", locked: false, locked_anywhere: false,
    secret: "1111" },
  { who: "ben", name: "Ben", role: "pit_supervisor", language: "en", locked: false,
    locked_anywhere: false, secret: "2222" },
  { who: "carla", name: "Carla", role: "pit_manager", language: "en", locked: true,
    locked_anywhere: true },
];

/** @param {string} id @param {number} position @param {string} kind @param {number} amount @returns {Wager} */
const wager = (id, position, kind, amount) => ({
  id, player: `seat ${position}`, position, wager: kind, amount, seated: true, placed_by: "anna", returned_by: null,
  since: 0, lower: [], parts_back: [],
});

export const WAGERS = [wager("1", 1, "banker", 50_000), wager("2", 3, "player", 2_500), wager("3", 3, "tie", 1_000),
  wager("4", 5, "player_pair", 1_000)];

/** More than a layout shows. */
export const CROWD = Array.from({ length: 200 },
  (_, n) => wager(`c${n}`, 1 + (n % 9), ["player", "banker", "tie"][n % 3] ?? "tie", 10_000 + 500 * n));

/** @param {Wager} lying @param {Paid["result"]} result @param {number} pays @returns {Paid} */
const paid = ({ id, player, amount }, result, pays) =>
  ({ id, player, result, odds: "", pays, returned: result === "lose" ? 0 : amount, clause: null });
/** The Player won by a pair. */
export const PAYOUTS = WAGERS.map((each) => (each.wager.startsWith("player")
  ? paid(each, "win", each.amount * 2) : paid(each, "lose", 0)));

/** @type {Prompt} */
export const NO_PROMPT = { code: "", gaps: {}, do: "", say: null, say_code: null, say_gaps: null, clause: null,
  act: null, card_to: null };

/** @param {string} code @param {Partial<Prompt>} [change] @returns {Prompt} */
export const prompted = (code, change = {}) => ({ ...NO_PROMPT, code, ...change });

const LIMITS = { min: 10_000, max: 5_000_000, differential: 20_000_000, per_area: null,
  wagers: { tie: { min: 5_000, max: 500_000 }, player_pair: { min: 5_000, max: 250_000 },
    banker_pair: { min: 5_000, max: 250_000 } } };

/** @type {StaffView} */
const TABLE = {
  demo: true, mode: "demo", table: "Demo table", state: "dealing", phase: "dealing", round: 12, ref: null, shoe: 3,
  method: "B",
  hands: { player: ["9H", "KD"], banker: ["2C", "3S"] }, totals: { player: 9, banker: 5 },
  tags: { player: [], banker: [] }, countdown: null, void: null, corrected: false,
  settlements: [], over: false, results: [], manual: false, limits: LIMITS, can: [],
  cards: [
    { n: 1, hand: "player", card: "9H", exposed: true }, { n: 2, hand: "banker", card: "2C", exposed: true },
    { n: 3, hand: "player", card: "KD", exposed: true }, { n: 4, hand: "banker", card: "3S", exposed: true },
  ],
  passing: {}, case: null, withdrawable: {}, payouts: [], outcome: null,
  shoe_in_use: { number: 3, deck_set: "blue", decks: 8, verified_by: "ben", burn_left: null, gone: 4,
    cut_card_out: false, rounds_after_cut: 0 },
  shoe_due: false, verified: true, deck_sets: [], rest_passed: null, held: [], prompt: NO_PROMPT, asks: [], offers: [],
  wagers: WAGERS, last_wagers: [], drawer: null, dealer: "anna",
  handlers: {}, notes: [], queue: [], rulings: [], request: null, differences: [], chips: [], close_after: false,
  left_at_shoe: null, by_hand: null, ended_at: null, latches: [], stopped_by: null, moved: [],
};

/** The table, but for this. @param {Partial<StaffView>} [change] @returns {StaffView} */
export const table = (change = {}) => ({ ...TABLE, ...change });

/** What the public sees of it. @param {Partial<PublicView>} [change] @returns {PublicView} */
export const publicTable = (change = {}) => ({ ...TABLE, ...change });

/**
 * Cards as they lie, in drawn order.
 * @param {string} codes `9H` lies open, `?` face down, `-` is no card of that hand
 * @returns {StaffView["cards"]}
 */
export const lying = (codes) => codes.split(" ").flatMap((code, at) => (code === "-" ? [] : [{
  n: at + 1, hand: at % 2 ? /** @type {const} */ ("banker") : /** @type {const} */ ("player"),
  card: code === "?" ? null : code, exposed: code !== "?",
}]));

/** @type {Ask["leads"]} */
const LEADS = {
  yes: { clause: "5.8", steps: ["offer_each", "reconstruct"], asks: null, decides: null },
  no: { clause: "5.8.2.1", steps: ["void"], asks: null, decides: null },
};

/** @param {Partial<Ask>} [change] @returns {Ask} */
export const asking = (change = {}) => ({
  case: "simultaneous", ask: "order_known", says: "", do: "answer", role: "dealer", second: false, there: false,
  clause: "5.8", device: null, code: "ask_order_known", gaps: { irregularity: "simultaneous" }, since: null,
  leads: LEADS, ...change,
});

/** @type {Case} */
export const OPEN = {
  id: "simultaneous", reported_by: "anna", asker: null, facts: { initial_deal: true }, clause: "5.8", role: "dealer",
  waits_for: "answer", approves: null, concerns: [1, 2],
  card: null, entered: null, kept: 0, answers: {}, text: "", disputed: null, decision: null,
  about: { cards: [], order: [], lies: null, wagers: [], round: null, text: "" },
};

const AGO = Math.floor(Date.now() / 1000) - 95;

/** @param {string} code @param {Notice["gaps"]} [gaps] @returns {Notice} */
const notice = (code, gaps = {}) => ({ code, gaps, text: "" });

/** @type {Hold} */
export const LID = {
  kind: "latch", what: "lid_was_open", ...notice("held_lid_was_open", { device: "shoe" }), since: AGO,
  role: "pit_supervisor", word: "resume", clause: null,
  second: false, round: 12, remedy: notice("remedy_compare_cards"),
  ends: notice("ends_by_role", { role: "pit_supervisor" }), detail: null,
};
/** @type {Hold} */
export const JAM = {
  ...LID, what: "device_error", ...notice("held_jam", { device: "shoe" }), role: null, word: null, since: AGO + 30,
  remedy: notice("remedy_jam", { device: "shoe" }),
  ends: notice("ends_by_device", { device: "shoe", role: "pit_supervisor" }),
  detail: notice("device_error", { device: "shoe", number: 12 }),
};
/** @type {Hold} */
export const DIFFERS = {
  ...LID, what: "device_disagrees", ...notice("winner_differs", { shoe: "banker", table: "player" }), since: AGO + 60,
  second: true,
  remedy: notice("remedy_cards_decide"), ends: notice("ends_by_two", { role: "pit_supervisor" }),
};

/** @type {Hold} */
export const CASE = {
  ...LID, kind: "case", what: "simultaneous", ...notice("held_reported", { by: "anna", irregularity: "simultaneous" }),
  role: "dealer", word: "answer", clause: "5.8",
  remedy: notice("held_for_an_answer", { role: "dealer" }), ends: notice("ends_by_role", { role: "dealer" }),
};

/** @type {Ruling} */
export const RULING = { id: "wrong_count", clause: "5.1.1", reported_by: "anna", decided_by: "anna", approved_by: "ben",
  text: "", code: null, gaps: {}, moot: false, not_established: false, cards: [], from_floor: [] };

/** A void round. @param {Partial<StaffView>} [change] */
export const voided = (change = {}) =>
  table({ state: "ready", phase: "ready", over: true, void: "5.1.1", rulings: [RULING], ended_at: AGO, ...change });

/** @type {LeftAtShoe} */
export const LEFT = { round: 12, since: AGO, to_be_ended: true, by_hand: false, ended_by: null, aside_by: null,
  reason: "" };

/** @type {Refusal} */
export const REFUSED = {
  code: "close_under_minimum", gaps: { wagers: ["2"], limit: 10_000 }, word: "close_betting", what: "", given: {},
  text: "", clause: "3.10.1", tone: "bad", offers: [],
};

/** @type {Roads} */
export const ROADS = {
  seq: 1, shoe: 3, results: ["B", "P", "Bb", "T", "Pp", "P", "B", "Bbp"],
  bead_plate: [[0, 0, "B"], [0, 1, "P"], [0, 2, "Bb"], [0, 3, "T"], [0, 4, "Pp"], [0, 5, "P"], [1, 0, "B"],
    [1, 1, "Bbp"]],
  big_road: [[0, 0, "B", 0], [1, 0, "P", 0], [2, 0, "Bb", 1], [3, 0, "Pp", 0], [3, 1, "P", 0], [4, 0, "B", 2],
    [4, 1, "Bbp", 0]],
  big_eye_boy: [[0, 0, "R"], [0, 1, "R"], [1, 0, "B"], [2, 0, "R"]],
  small_road: [[0, 0, "B"], [1, 0, "R"], [1, 1, "R"]],
  cockroach_pig: [[0, 0, "R"], [0, 1, "R"], [1, 0, "B"]],
  counts: { rounds: 8, banker: 4, player: 3, tie: 1, banker_pair: 2, player_pair: 2, naturals: 3 },
  ask: { banker: { big_eye_boy: "R", small_road: "B", cockroach_pig: null },
    player: { big_eye_boy: "B", small_road: "R", cockroach_pig: "R" } },
};
/** @type {Roads} */
export const NO_ROADS = {
  seq: 1, shoe: 3, results: [], bead_plate: [], big_road: [], big_eye_boy: [], small_road: [], cockroach_pig: [],
  counts: { rounds: 0, banker: 0, player: 0, tie: 0, banker_pair: 0, player_pair: 0, naturals: 0 },
  ask: { banker: { big_eye_boy: null, small_road: null, cockroach_pig: null },
    player: { big_eye_boy: null, small_road: null, cockroach_pig: null } },
};
