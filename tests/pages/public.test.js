// What the public's pages decide by themselves: what the call says, which limits stand together.

import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { callOf, winner } from "../../controller/console/static/js/call.js";
import { grouped } from "../../controller/console/static/js/public_limits.js";

const VIEW = {
  state: "betting", phase: "betting", round: 7, void: null, over: false, corrected: false,
  hands: { player: [], banker: [] }, totals: { player: null, banker: null }, tags: { player: [], banker: [] },
  results: [],
};
/** @param {object} more */
const view = (more) => /** @type {any} */ ({ ...VIEW, ...more });
const DEALT = { totals: { player: 4, banker: 7 } };

describe("the call", () => {
  test("says a result once it is announced, the winner's points first", () => {
    assert.equal(winner(view({ ...DEALT, state: "outcome", phase: "outcome" })), null);
    assert.deepEqual(callOf(view({ ...DEALT, state: "settling", phase: "settling" })),
      { kind: "banker", says: "Banker wins", totals: [7, 4] });
    assert.deepEqual(callOf(view({ totals: { player: 6, banker: 6 }, state: "ready", phase: "ready",
      over: true })).kind, "tie");
  });

  test("invites nobody while the table is held, in whatever phase", () => {
    for (const phase of ["betting", "dealing", "settling", "ready"]) {
      for (const state of ["halted", "suspended"]) assert.equal(callOf(view({ state, phase })).kind, "held");
    }
    assert.equal(callOf(view({ state: "halted", phase: "ready", over: true, void: "5.3" })).kind, "held");
  });

  test("calls a void round by its number, and no winner of it", () => {
    const voided = view({ ...DEALT, state: "ready", phase: "ready", over: true, void: "5.3" });
    assert.deepEqual(callOf(voided), { kind: "void", says: "Round {n} is void", values: { n: 7 } });
    assert.equal(winner(voided), null);
  });

  test("does not keep a result over a closed table or a change of shoe", () => {
    for (const state of ["closed",
      "changing_shoe"]) assert.equal(callOf(view({ ...DEALT, state, phase: state, over: true })).kind, "quiet");
  });
});

describe("limits", () => {
  const set = { min: 100, max: 1000, differential: null, per_area: null, wagers: {} };
  const own = { min: 50, max: 500 };

  test("of all wagers are one range where none has its own", () => {
    assert.deepEqual(grouped(set, ["player", "banker", "tie"]),
      [{ kinds: ["banker", "player", "tie"], min: 100, max: 1000 }]);
  });

  test("stand together where they are the same, Banker and Player first", () => {
    const wagers = { tie: own, player_pair: own, banker_pair: { min: 50, max: null } };
    const found = grouped({ ...set, wagers }, ["tie", "player", "banker", "player_pair", "banker_pair"]);
    assert.deepEqual(found.map(({ kinds }) => kinds), [["banker", "player"], ["tie", "player_pair"], ["banker_pair"]]);
  });

  test("that nobody has set are not shown", () => {
    assert.deepEqual(grouped({ ...set, min: null, max: null }, ["banker"]), []);
  });
});
