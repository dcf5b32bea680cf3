// What lies on which spot, in which chips, and what a refusal is about: worked out, nothing drawn.

/** @import { Gaps, LastWager, Limits, Paid, StaffView, Wager } from "./types.d.ts" */
/** @typedef {{ position: number, wager: string }} SpotId */
/** @typedef {{ wagers: Wager[], total: number }} Stack */

/** @param {SpotId} spot */
export const spotKey = ({ position, wager }) => `${position}-${wager}`;

/** More wagers than a layout shows: a studio's. They are told by their kind. */
export const CROWD = 150;

/** Whether wagers are put down and taken off now. @param {StaffView} view */
export const takesWagers = (view) => view.phase === "betting"
  && (view.state === "betting" || view.case?.waits_for === "put_right");

/** The wagers that lie there, by spot. @param {Wager[]} wagers @returns {Map<string, Stack>} */
export function stacks(wagers) {
  /** @type {Map<string, Stack>} */
  const found = new Map();
  for (const each of wagers) {
    if (each.returned_by !== null) continue;
    const stack = found.get(spotKey(each));
    if (stack) {
      stack.wagers.push(each);
      stack.total += each.amount;
    } else found.set(spotKey(each), { wagers: [each], total: each.amount });
  }
  return found;
}

/** Who sits at a position, as the table knows them. @param {number} position */
export const seatOf = (position) => `seat ${position}`;

/**
 * The wager that a chip put on a spot goes to: the seated player's own.
 * @param {Stack | undefined} stack
 * @param {number} position
 */
export const ownOf = (stack, position) => stack?.wagers.find((each) => each.player === seatOf(position)) ?? null;

// --- chips -----------------------------------------------------------------------------------------

const FACES = [1, 5, 25, 100, 500, 1000, 5000, 10000, 25000, 100000, 500000, 1000000];
const TRAY = 7;

// What a house's tray has: whole chips of its unit, one step under the least wager and upwards.
/** @param {{ unit: number, minorUnits: number, limits: Limits | null }} house @returns {number[]} in minor units */
export function denominations({ unit, minorUnits, limits }) {
  const own = Object.values(limits?.wagers ?? {});
  const least = Math.min(...[limits?.min, ...own.map((each) => each.min)].filter((each) => typeof each === "number"),
    Infinity);
  const most = Math.max(limits?.max ?? Infinity, ...own.map((each) => each.max ?? 0));
  const known = FACES.map((face) => face * 10 ** minorUnits);
  const made = known.filter((chip) => chip >= unit && chip % unit === 0);
  const chips = made.length ? made : FACES.map((face) => face * unit);
  const under = chips.findLastIndex((chip) => chip <= (least === Infinity ? (known[2] ?? 0) : least));
  const from = Math.max(0, Math.min(under - 1, chips.length - TRAY));
  const tray = chips.slice(from, from + TRAY);
  const allowed = tray.filter((chip) => chip <= most);
  return allowed.length ? allowed : tray.slice(0, 1);
}

/**
 * The stack as chips, the largest first; what no chip makes up is left over.
 * @param {number} amount
 * @param {number[]} chips
 */
export function inChips(amount, chips) {
  const found = [];
  let left = amount;
  for (const chip of [...chips].sort((a, b) => b - a)) {
    for (; left >= chip && found.length < 40; left -= chip) found.push(chip);
  }
  return { chips: found, left };
}

// The chip that lies on top: what was put there last, where that is known, else the smallest of the
// fewest chips that make it up.
/** @param {number} amount @param {number[]} laid the chips as they were put there @param {number[]} chips */
export function topChip(amount, laid, chips) {
  const sum = laid.reduce((all, chip) => all + chip, 0);
  const last = laid.at(-1);
  if (last !== undefined && sum === amount) return last;
  const made = inChips(amount, chips);
  return made.left || (made.chips.at(-1) ?? amount);
}

// --- the same again --------------------------------------------------------------------------------

/** What lay there last and does not yet lie there again. @param {LastWager[]} last @param {Wager[]} wagers */
export function toRepeat(last, wagers) {
  const lying = new Set(wagers.filter((each) => each.returned_by === null)
    .map((each) => `${spotKey(each)} ${each.player}`));
  return last.filter((each) => !lying.has(`${spotKey(each)} ${each.player}`));
}

// --- what a refusal is about -----------------------------------------------------------------------

/** @param {{ given: object, gaps: Gaps }} refused @param {Wager[]} wagers @returns {SpotId[]} */
export function concerned({ given, gaps }, wagers) {
  const said = /** @type {{ position?: number, wager?: string, id?: string }} */ (given);
  if (said.position && said.wager) return [{ position: said.position, wager: said.wager }];
  const named = [said.id, gaps.wagers, gaps.wager].flat();
  return wagers.filter((each) => named.includes(each.id));
}

/**
 * What puts a wager right: so much more or less lies there afterwards, 0: nothing does.
 * @typedef {{ id: string, to: number }} Mending
 */

// The amount that the refusal itself tells; null: it tells none, or of several wagers not which.
/** @param {string | null} code @param {Gaps} gaps @param {Wager[]} wagers @returns {Mending | null} */
export function mending(code, gaps, wagers) {
  const named = [gaps.wagers].flat();
  const [wager, ...others] = wagers.filter((each) => named.includes(each.id));
  if (!wager || others.length) return null;
  const { id, amount } = wager;
  switch (code) {
    case "close_under_minimum":
    case "close_over_maximum":
      return typeof gaps.limit === "number" ? { id, to: gaps.limit } : null;
    case "close_area_is_full":
      return { id, to: 0 };
    case "close_ask_heavy_side":
    case "close_reject_standing_first":
    case "close_pit_manager_removes":
      return typeof gaps.excess === "number" ? { id, to: Math.max(0, amount - gaps.excess) } : null;
    default:
      return null;
  }
}

/** The next amount that can be paid, where only multiples can. @param {number} amount @param {number} multiple */
export const payable = (amount, multiple) => Math.ceil(amount / multiple) * multiple;

// --- paid, lost, given back --------------------------------------------------------------------------

/** @typedef {"lies" | "won" | "lost" | "push" | "back"} Fate */
/** @typedef {{ wager: string, amount: number, fate: Fate, pays: number }} Line one kind at one seat */

/** @param {Wager} wager @param {Paid | undefined} paid @returns {Fate} */
function fateOf(wager, paid) {
  if (wager.returned_by !== null) return "back";
  if (!paid) return "lies";
  if (paid.pays > 0) return "won";
  return paid.returned > 0 ? "push" : "lost";
}

// Several wagers of one kind and one fate at a seat are one line.
/** @param {Wager[]} wagers @param {Paid[]} settled @param {boolean} isVoid @returns {Map<number, Line[]>} */
export function bySeat(wagers, settled, isVoid) {
  const paid = new Map(settled.map((each) => [each.id, each]));
  /** @type {Map<number, Line[]>} */
  const found = new Map();
  for (const each of wagers) {
    const of = paid.get(each.id);
    const fate = isVoid ? "back" : fateOf(each, of);
    const lines = found.get(each.position) ?? [];
    const line = lines.find((known) => known.wager === each.wager && known.fate === fate);
    if (line) {
      line.amount += each.amount;
      line.pays += of?.pays ?? 0;
    } else lines.push({ wager: each.wager, amount: each.amount, fate, pays: of?.pays ?? 0 });
    found.set(each.position, lines);
  }
  return found;
}

/** @typedef {{ wager: string, count: number, staked: number, pays: number }} KindTotal */

/**
 * All wagers by their kind, for a house of thousands.
 * @param {Wager[]} wagers
 * @param {Paid[]} settled
 * @returns {KindTotal[]}
 */
export function byKind(wagers, settled) {
  const pays = new Map(settled.map((each) => [each.id, each.pays]));
  /** @type {Map<string, KindTotal>} */
  const found = new Map();
  for (const each of wagers) {
    if (each.returned_by !== null) continue;
    const total = found.get(each.wager) ?? { wager: each.wager, count: 0, staked: 0, pays: 0 };
    total.count += 1;
    total.staked += each.amount;
    total.pays += pays.get(each.id) ?? 0;
    found.set(each.wager, total);
  }
  return [...found.values()];
}
