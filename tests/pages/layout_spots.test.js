// Spots, chips and refusals, worked out from what a view tells.

import assert from "node:assert/strict";
import { test } from "node:test";

import {
  byKind, bySeat, concerned, denominations, inChips, mending, ownOf, payable, spotKey, stacks, topChip, toRepeat,
} from "../../controller/console/static/js/layout_spots.js";

/** @import { Paid, Wager } from "../../controller/console/static/js/types.d.ts" */

/**
 * @param {string} id
 * @param {number} position
 * @param {string} wager
 * @param {number} amount
 * @param {Partial<Wager>} [more]
 * @returns {Wager}
 */
const lies = (id, position, wager, amount, more = {}) => ({
  id, position, wager, amount, player: `seat ${position}`, seated: true, placed_by: "dana", returned_by: null, ...more,
});
/** @param {string} id @param {Paid["result"]} result @param {number} pays @param {number} returned @returns {Paid} */
const paid = (id, result, pays, returned) => ({ id, player: "", result, odds: "", pays, returned, clause: null });
const NO_LIMITS = { min: null, max: null, differential: null, per_area: null, wagers: {} };

test("wagers of several players on one spot are one stack, and what went back is none", () => {
  const found = stacks([
    lies("w1", 3, "banker", 500), lies("w2", 3, "banker", 200, { player: "behind 3", seated: false }),
    lies("w3", 3, "tie", 50, { returned_by: "5.1" }), lies("w4", 4, "banker", 10),
  ]);
  assert.deepEqual([...found].map(([key, stack]) => [key, stack.total]), [["3-banker", 700], ["4-banker", 10]]);
  assert.equal(ownOf(found.get(spotKey({ position: 3, wager: "banker" })), 3)?.id, "w1");
  assert.equal(ownOf(undefined, 3), null);
});

test("the tray has whole chips of the house's unit, from one under the minimum", () => {
  const plain = denominations({ unit: 100, minorUnits: 2, limits: null });
  assert.deepEqual(plain, [500, 2500, 10000, 50000, 100000, 500000, 1000000]);
  const high = denominations({ unit: 100, minorUnits: 2, limits: { ...NO_LIMITS, min: 10000, max: 10000000 } });
  assert.deepEqual(high, [2500, 10000, 50000, 100000, 500000, 1000000, 2500000]);
  const small = denominations({ unit: 100, minorUnits: 2, limits: { ...NO_LIMITS, min: 500, max: 50000 } });
  assert.deepEqual(small, [100, 500, 2500, 10000, 50000], "no chip over the maximum");
  const coarse = denominations({ unit: 2500, minorUnits: 2, limits: null });
  assert.ok(coarse.every((chip) => chip % 2500 === 0));
  const whole = denominations({ unit: 1, minorUnits: 0, limits: { ...NO_LIMITS, min: 25, max: 100 } });
  assert.deepEqual(whole, [5, 25, 100]);
  const own = denominations({ unit: 100, minorUnits: 2,
    limits: { ...NO_LIMITS, min: 10000, wagers: { tie: { min: 500, max: null } } } });
  assert.equal(own[0], 100, "the least wager of any kind counts");
});

test("a chip comes off as it was put there, else by the fewest chips that make the stack", () => {
  const chips = [500, 2500, 10000, 50000];
  assert.equal(topChip(10000, [2500, 2500, 2500, 2500], chips), 2500);
  assert.equal(topChip(75000, [], chips), 2500, "500 and 100 and 100 and 25 and 25");
  assert.equal(topChip(75000, [2500], chips), 2500, "others have been there since");
  assert.equal(topChip(50000, [], chips), 50000);
  assert.equal(topChip(50100, [], chips), 100, "what no chip makes up comes off first");
  assert.deepEqual(inChips(12500, chips), { chips: [10000, 2500], left: 0 });
});

test("the same again leaves out what lies there already", () => {
  const last = [
    { player: "seat 1", position: 1, wager: "banker", amount: 100, seated: true },
    { player: "seat 2", position: 2, wager: "player", amount: 100, seated: true },
  ];
  assert.deepEqual(toRepeat(last, [lies("w1", 1, "banker", 500)]), [last[1]]);
  assert.deepEqual(toRepeat(last, [lies("w1", 1, "banker", 500, { returned_by: "3.5" })]), last);
});

test("a refusal is about the spot that was touched, or about the wagers it names", () => {
  const wagers = [lies("w1", 1, "banker", 500), lies("w2", 2, "tie", 5)];
  assert.deepEqual(concerned({ given: { position: 3, wager: "tie", amount: 5 }, gaps: {} }, wagers),
    [{ position: 3, wager: "tie" }]);
  assert.deepEqual(concerned({ given: {}, gaps: { wagers: ["w2"] } }, wagers).map(spotKey), ["2-tie"]);
  assert.deepEqual(concerned({ given: { id: "w1", amount: 3 }, gaps: {} }, wagers).map(spotKey), ["1-banker"]);
  assert.deepEqual(concerned({ given: {}, gaps: {} }, wagers), []);
});

test("the mending amount is the one the refusal tells", () => {
  const wagers = [lies("w1", 1, "banker", 9000), lies("w2", 2, "tie", 5)];
  assert.deepEqual(mending("close_under_minimum", { wagers: ["w2"], limit: 25 }, wagers), { id: "w2", to: 25 });
  assert.deepEqual(mending("close_over_maximum", { wagers: ["w1"], limit: 5000 }, wagers), { id: "w1", to: 5000 });
  assert.deepEqual(mending("close_area_is_full", { wagers: ["w1"], most: 3 }, wagers), { id: "w1", to: 0 });
  assert.deepEqual(mending("close_ask_heavy_side", { wagers: ["w1"], excess: 3000 }, wagers), { id: "w1", to: 6000 });
  assert.equal(mending("close_ask_heavy_side", { wagers: ["w1", "w2"], excess: 3000 }, wagers), null,
    "the players say who gives way");
  assert.equal(mending("late_wager", { wagers: ["w1"] }, wagers), null);
  assert.equal(payable(1010, 20), 1020);
  assert.equal(payable(1000, 20), 1000);
});

test("what becomes of the stakes is told by seat and kind", () => {
  const wagers = [
    lies("w1", 1, "banker", 1000), lies("w2", 1, "banker", 500, { player: "behind 1" }), lies("w3", 1, "tie", 50),
    lies("w4", 2, "player", 300), lies("w5", 3, "banker", 9, { returned_by: "5.14" }),
  ];
  const settled = [paid("w1", "win", 950, 1000), paid("w2", "win", 475, 500), paid("w3", "lose", 0, 0),
    paid("w4", "push", 0, 300)];
  const found = bySeat(wagers, settled, false);
  assert.deepEqual(found.get(1), [
    { wager: "banker", amount: 1500, fate: "won", pays: 1425 }, { wager: "tie", amount: 50, fate: "lost", pays: 0 }]);
  assert.equal(found.get(2)?.[0]?.fate, "push");
  assert.equal(found.get(3)?.[0]?.fate, "back");
  assert.ok([...bySeat(wagers, [], true).values()].flat().every((line) => line.fate === "back"),
    "a void gives everything back");
});

test("thousands of wagers come to as many totals as there are kinds", () => {
  const wagers = Array.from({ length: 10_000 }, (_, n) => lies(`w${n}`, 1, n % 2 ? "player" : "banker", 10));
  assert.deepEqual(byKind(wagers, [paid("w0", "win", 9, 10)]), [
    { wager: "banker", count: 5000, staked: 50_000, pays: 9 },
    { wager: "player", count: 5000, staked: 50_000, pays: 0 }]);
});
