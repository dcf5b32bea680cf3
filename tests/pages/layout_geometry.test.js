// Where seats and spots lie, by sums alone: large enough for a finger, none over another, and a seat
// in the same place whether bets are open or closed.

import assert from "node:assert/strict";
import { test } from "node:test";

import { bandBox, bandHeight, beside, fits, HEAD, headBox, leastSpot, lineWidth, MORE, plan, roomFor, rowHeight,
  spotBox, staysArc } from "../../controller/console/static/js/layout_geometry.js";

const KINDS = ["player", "banker", "tie", "player_pair", "banker_pair"];
const TIGER = ["player", "banker", "tie", "dragon_tiger", "big_dragon", "small_dragon", "big_tiger", "small_tiger"];

/** @param {number} width @param {number} height @param {number} seats @param {string[]} [kinds] */
function laid(width, height, seats, kinds = KINDS) {
  const least = leastSpot(width);
  const planned = plan(kinds, width, seats, least);
  const bend = { width, seats, small: planned.small, least };
  const high = rowHeight(width, height, planned.rows);
  const boxes = Array.from({ length: seats },
    (_, n) => planned.spots.map((spot) => spotBox(bend, n + 1, true, spot, high)));
  return { planned, bend, high, boxes };
}

/** The corners of a turned box. @param {import("../../controller/console/static/js/layout_geometry.js").Box} box */
function corners({ x, y, w, h, turn }) {
  const a = (turn * Math.PI) / 180;
  return [[-1, -1], [1, -1], [1, 1], [-1, 1]].map(([i, j]) => [
    x + (i * w * Math.cos(a) - j * h * Math.sin(a)) / 2, y + (i * w * Math.sin(a) + j * h * Math.cos(a)) / 2]);
}

for (const [width, height, seats] of [[1260, 448, 9], [1260, 448, 7], [1260, 440, 14], [1004, 420, 7], [1004, 420, 9],
  [1004, 400, 14], [1884, 640, 9], [1884, 640, 14]]) {
  test(`${seats} seats on ${width} by ${height}: every spot takes a finger and lies on the felt`, () => {
    const { planned, boxes } = laid(width, height, seats);
    assert.ok(fits(width, height, seats, planned));
    for (const box of boxes.flat()) {
      assert.ok(Math.round(box.w) >= leastSpot(width), `${box.w} wide`);
      assert.ok(Math.round(box.h) >= leastSpot(width), `${box.h} high`);
      for (const [x, y] of corners(box)) assert.ok(x >= 0 && x <= width && y >= 0 && y <= height, `${x}, ${y}`);
    }
  });

  test(`${seats} seats on ${width} by ${height}: no spot lies over another`, () => {
    const { boxes } = laid(width, height, seats);
    const all = boxes.flat();
    for (const [n, one] of all.entries()) {
      for (const other of all.slice(n + 1)) assert.ok(apart(one, other), JSON.stringify([one, other]));
    }
  });
}

/** Two turned boxes do not share a point: some side of one has all of the other beyond it.
   @param {import("../../controller/console/static/js/layout_geometry.js").Box} one @param
   {import("../../controller/console/static/js/layout_geometry.js").Box} other */
function apart(one, other) {
  return [one, other].some(({ turn }) => [turn, turn + 90].some((degrees) => {
    const [i, j] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)];
    const [a, b] = [one, other].map((box) => corners(box).map(([x, y]) => x * i + y * j));
    return Math.max(...a) <= Math.min(...b) || Math.max(...b) <= Math.min(...a);
  }));
}

test("a seat stays where it was when the arc folds to a band", () => {
  const { bend } = laid(1260, 448, 9);
  for (let seat = 1; seat <= 9; seat += 1) {
    assert.deepEqual(headBox(bend, seat, true), headBox({ ...bend }, seat, true));
    const band = bandBox(bend, seat, true, 86);
    const [first] = plan(KINDS, 1260, 9, 64).spots;
    const open = spotBox(bend, seat, true, first, 86);
    assert.deepEqual([band.x, band.turn], [open.x, open.turn]);
  }
});

test("numbers that run counter-clockwise begin at the dealer's right", () => {
  const { bend } = laid(1260, 448, 9);
  assert.ok(headBox(bend, 1, false).x > headBox(bend, 9, false).x);
  assert.ok(headBox(bend, 1, true).x < headBox(bend, 9, true).x);
  assert.equal(headBox(bend, 1, false).x, headBox(bend, 9, true).x);
});

test("the middle seat is nearest the top, and its neighbours lean away from it", () => {
  const { bend } = laid(1260, 448, 9);
  const heads = Array.from({ length: 9 }, (_, n) => headBox(bend, n + 1, true));
  assert.equal(heads[4].turn, 0);
  assert.ok(heads[4].y < heads[3].y && heads[3].y < heads[0].y);
  assert.ok(heads[0].turn < 0 && heads[8].turn > 0);
});

test("kinds that would be too small share one spot that asks which", () => {
  const wide = plan(KINDS, 1260, 9, 64);
  assert.deepEqual(wide.spots.map((spot) => spot.kind), KINDS);
  assert.deepEqual(wide.more, []);
  const many = plan(TIGER, 1260, 9, 64);
  assert.deepEqual(many.spots.map((spot) => spot.kind), ["player", "banker", "tie", MORE]);
  assert.deepEqual(many.more, TIGER.slice(3));
  assert.equal(plan(["player", "banker"], 1260, 9, 64).rows, 2);
});

test("where there is no room for a finger the spots make a list", () => {
  const planned = plan(KINDS, 390, 9, 48);
  assert.ok(!fits(390, 700, 9, planned));
  assert.ok(!fits(1260, 300, 9, plan(KINDS, 1260, 9, 64)), "too low");
  assert.equal(rowHeight(1000, 300, 4), 0);
});

test("a band takes less room than the open arc", () => {
  const { bend, high } = laid(1260, 448, 9);
  assert.ok(roomFor(bend, HEAD + 86) < roomFor(bend, HEAD + 4 * high));
});

/**
 * @param {number} width
 * @param {number} seats
 * @param {string} figure
 * @param {{ felt?: number, lines?: number, buttons?: boolean }} [more]
 */
function folded(width, seats, figure, { felt = 432, lines = 1, buttons = false } = {}) {
  const least = leastSpot(width);
  const bend = { width, seats, small: plan(KINDS, width, seats, least).small, least };
  return { bend, felt, lines, widest: lineWidth(width, figure.length, false), buttons };
}

test("seats stay an arc while the longest figure has room in one, and not a digit longer", () => {
  assert.ok(staysArc(folded(1260, 9, "+5,000")));
  assert.ok(staysArc(folded(1260, 9, "+100,000")));
  assert.ok(!staysArc(folded(1260, 14, "+100,000")));
  assert.ok(staysArc(folded(1260, 14, "100")));
  assert.ok(!staysArc(folded(1004, 14, "5,000", { felt: 600 })));
  const all = [800, 1004, 1260].flatMap((width) => [7, 9, 14].flatMap((seats) =>
    ["25", "5,000", "+100,000", "+1,000,000.50"].map((figure) => folded(width, seats, figure, { felt: 600 }))));
  const arcs = all.filter(staysArc);
  assert.ok(arcs.length && arcs.length < all.length);
  for (const { bend, widest } of arcs) assert.ok(bandBox(bend, 1, true, bandHeight(1)).w >= widest);
});

test("the arc gives way to the cards, sooner where buttons lie under them", () => {
  assert.ok(staysArc(folded(1260, 9, "100", { felt: 420, buttons: true })));
  assert.ok(!staysArc(folded(1260, 9, "100", { felt: 360, buttons: true })));
  assert.ok(!staysArc(folded(1004, 9, "100", { felt: 340, buttons: true })));
  assert.ok(!staysArc(folded(620, 9, "100", { felt: 900 })), "a phone");
});

test("a band is no higher than its lines need", () => {
  assert.ok(bandHeight(1) === bandHeight(2) && bandHeight(2) < bandHeight(3));
});

test("arrow keys go to the neighbour as it lies, and stop at the ends", () => {
  const size = { seats: 9, spots: 5 };
  assert.deepEqual(beside("ArrowRight", { seat: 3, at: 1 }, size, true), { seat: 4, at: 1 });
  assert.deepEqual(beside("ArrowRight", { seat: 3, at: 1 }, size, false), { seat: 2, at: 1 });
  assert.deepEqual(beside("ArrowDown", { seat: 3, at: 4 }, size, true), { seat: 3, at: 4 });
  assert.deepEqual(beside("ArrowUp", { seat: 3, at: 1 }, size, true), { seat: 3, at: 0 });
  assert.deepEqual(beside("ArrowLeft", { seat: 1, at: 0 }, size, true), { seat: 1, at: 0 });
  assert.deepEqual(beside("x", { seat: 2, at: 2 }, size, true), { seat: 2, at: 2 });
});
