// What a finger on the layout says to the table. Taps are said one after another, each of the step that
// was on the screen when it was made: none is lost while the one before is on its way.

import { app, shown } from "./app.js";
import { t } from "./catalogue.js";
import { tray } from "./chips.js";
import { ASK_HEAVY_SIDE } from "./codes.js";
import { Problem, speak } from "./http.js";
import { mending, ownOf, payable, seatOf, spotKey, stacks, topChip, toRepeat } from "./layout_spots.js";
import { caughtUp, failed, word } from "./saying.js";
import { coins, personName, wagerName, wagerText } from "./sentences.js";
import { seenAtTouch } from "./touch.js";

/** @import { LastWager, Remedy, Seq, Wager } from "./types.d.ts" */
/** @import { SpotId } from "./layout_spots.js" */
/**
 * @typedef {SpotId & { player: string, seated: boolean, by: number }} Change so much more, or less, of one player on a
 * spot
 */

/** What the finger holds, and what it has done in this round. */
export const hand = {
  /** @type {number | null} */
  chip: null,
  /** It takes chips off instead. */
  taking: false,
  /** Each tap by itself, the last one last. @type {Change[][]} */
  done: [],
  /** What could not be placed again, and why. @type {{ spot: SpotId, what: string, why: string }[]} */
  missed: [],
  round: 0,
};
/** The chips of a stack as they were put there. @type {Map<string, number[]>} */
const laid = new Map();
/** @type {Promise<unknown>} */
let queue = Promise.resolve();

/** Another round has begun: nothing of the last one can be undone. @param {number} round */
export function beginRound(round) {
  if (hand.round === round) return;
  Object.assign(hand, { round, done: [], missed: [], taking: false });
  laid.clear();
}

/** The chip that is put down next. */
export function picked() {
  const chips = tray();
  return hand.chip !== null && chips.includes(hand.chip) ? hand.chip : (chips[Math.min(2, chips.length - 1)] ?? 1);
}

/** @param {(seen: Seq) => Promise<unknown>} work */
function inTurn(work) {
  const seen = seenAtTouch();
  queue = queue.then(() => work(seen)).catch((error) => failed(error)).then(() => app.redraw());
  return queue;
}

/** Every tap so far has been answered. */
export const tapsSaid = () => queue;

/** @param {Change} change */
const stackKey = (change) => `${spotKey(change)} ${change.player}`;

/** @param {Change} change @returns {Wager | null} */
const lying = ({ player, ...spot }) => stacks(shown().wagers)
  .get(spotKey(spot))?.wagers.find((each) => each.player === player) ?? null;

/** @param {Change} change @returns {[string, object]} the word that does it, and its fields */
function saidAs(change) {
  const { position, wager, player, seated, by } = change;
  const there = lying(change);
  if (by > 0) {
    return there ? ["raise", { id: there.id, amount: by }]
      : ["place", { wager, amount: by, position, player, ...(seated ? {} : { seated: false }) }];
  }
  const id = there?.id ?? "";
  return there && -by < there.amount ? ["decrease", { id, amount: -by }] : ["withdraw", { id }];
}

// True when it was carried out. What cannot be paid says of what it is a multiple: one tap makes it so.
/** @param {Change} change @param {Seq} seen */
async function said(change, seen) {
  const [name, given] = saidAs(change);
  const before = lying(change)?.amount ?? 0;
  /** @param {Problem} problem @returns {Remedy | null} */
  const instead = (problem) => {
    const { multiple } = problem.gaps;
    if (typeof multiple !== "number") return null;
    const to = payable(before + change.by, multiple);
    return { label: t("Make it {n}", { n: coins(to) }), mends: true,
      run: () => inTurn((now) => kept([{ ...change, by: to - before }], now)) };
  };
  return word(name, given, { what: wagerName(change.wager), seen, quiet: true, instead });
}

// Carried out and remembered, so that it can be undone.
/** @param {Change[]} changes @param {Seq} seen */
async function kept(changes, seen) {
  hand.missed = [];
  const done = [];
  for (const each of changes) if (await said(each, seen)) done.push(each);
  if (done.length) hand.done.push(done);
  for (const each of done) stackUp(each);
}

/** @param {Change} change */
function stackUp(change) {
  const chips = laid.get(stackKey(change)) ?? [];
  if (change.by > 0) laid.set(stackKey(change), [...chips, change.by]);
  else laid.set(stackKey(change), chips.slice(0, -1));
}

/** A chip is put on a spot, for whoever sits there. @param {SpotId} spot @param {number} [chip] */
export const lay = ({ position, wager }, chip = picked()) =>
  inTurn((seen) => kept([{ position, wager, player: seatOf(position), seated: true, by: chip }], seen));

/** The top chip of a stack comes off. @param {SpotId} spot */
export const takeOne = (spot) => inTurn(async (seen) => {
  const stack = stacks(shown().wagers).get(spotKey(spot));
  const wager = ownOf(stack, spot.position) ?? stack?.wagers.at(-1);
  if (!wager) return;
  const { player, seated } = wager;
  const change = { position: spot.position, wager: spot.wager, player, seated, by: 0 };
  await kept([{ ...change, by: -topChip(wager.amount, laid.get(stackKey(change)) ?? [], tray()) }], seen);
});

/** What the last tap did is done the other way round. */
export const undo = () => inTurn(async (seen) => {
  hand.missed = [];
  const last = hand.done.pop();
  for (const each of [...(last ?? [])].reverse()) {
    const back = { ...each, by: -each.by };
    if (lying(back) === null && back.by < 0) continue; // somebody else has taken it off since
    if (await said(back, seen)) stackUp(back);
  }
});

/** What lay there in the round before, one wager after another; what is refused is told of each. */
export const repeatLast = () => inTurn(async (seen) => {
  const { last_wagers: last, wagers } = shown();
  hand.missed = [];
  /** @type {Change[]} */
  const done = [];
  for (const each of toRepeat(last, wagers)) {
    const { position, wager, player, seated, amount } = each;
    try {
      const { seq } = await speak("place", { wager, amount, position, player, ...(seated ? {} : { seated: false }) },
        seen, {});
      await caughtUp(seq); // the next tap looks at what lies there now
      done.push({ position, wager, player, seated, by: amount });
    } catch (error) {
      const problem = Problem.of(error);
      if (problem.kind !== "refused") throw error;
      hand.missed.push({ spot: { position, wager }, what: lastText(each), why: problem.text });
    }
  }
  if (done.length) hand.done.push(done);
  for (const each of done) stackUp(each);
});

/** @param {LastWager} last */
const lastText = (last) => wagerText(last);

// What puts right the wagers that keep bets from closing, where the refusal tells how far.
/** @param {Problem} problem @returns {Remedy[]} */
export function mendings({ code, gaps }) {
  const { wagers } = shown();
  const found = mending(code, gaps, wagers);
  const wager = wagers.find((each) => each.id === found?.id);
  if (!found || !wager) return code === ASK_HEAVY_SIDE ? heavySide(gaps, wagers) : [];
  const to = (/** @type {number} */ amount) => () =>
    inTurn((seen) => kept([{ ...wager, by: amount - wager.amount }], seen));
  const giveBack = { label: t("Give back {n}", { n: coins(wager.amount) }), run: to(0) };
  if (found.to === 0) return [{ ...giveBack, mends: true }];
  const label = typeof gaps.excess === "number"
    ? t("Take {n} off", { n: coins(gaps.excess) }) : t("Make it {n}", { n: coins(found.to) });
  return [{ label, mends: true, run: to(found.to) }, ...(found.to > wager.amount ? [giveBack] : [])];
}

// Of several wagers on the heavier side the players say whose gives way; the largest are offered.
/** @param {import("./types.d.ts").Gaps} gaps @param {Wager[]} wagers @returns {Remedy[]} */
function heavySide({ excess, wagers: named }, wagers) {
  if (typeof excess !== "number" || !Array.isArray(named)) return [];
  const heavy = wagers.filter((each) => named.includes(each.id) && each.amount > excess)
    .sort((a, b) => b.amount - a.amount);
  return heavy.slice(0, 2).map((each) => ({
    label: t("Take {n} off {who}", { n: coins(excess), who: personName(each.player) }),
    run: () => inTurn((seen) => kept([{ ...each, by: -excess }], seen)),
  }));
}
