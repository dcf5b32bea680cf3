// The guide: which step comes next by what the table shows.

import assert from "node:assert/strict";
import test from "node:test";

import { advanced, STEPS, stepNow } from "../../controller/console/static/js/coach.js";

/** A table as the dealer sees it, as far as the guide looks. */
const seen = (state, { phase = state, cards = 0, wagers = 0, asks = [], shoe = "stand-by", isVoid = false,
  atShoe = null } = {}) => ({
  view: { state, phase, hands: { player: Array(cards).fill("9H"), banker: [] }, wagers: Array(wagers).fill({}), asks,
    void: isVoid ? "5.8.2.1" : null, over: isVoid, left_at_shoe: atShoe },
  phase: shoe,
});
const id = (at) => STEPS[at]?.id;

/** Where the guide stands after each of these, one after the other. */
function walked(...tables) {
  let at = 0;
  return tables.map((table) => {
    at = advanced(at, table);
    return id(at);
  });
}

test("a round and a void are led through to the end", () => {
  const approve = [{ ask: "approve" }];
  assert.deepEqual(walked(
    seen("changing_shoe"), seen("ready"), seen("betting"), seen("betting", { wagers: 1 }),
    seen("dealing", { wagers: 1 }),
    seen("players_third", { cards: 4 }), seen("outcome", { cards: 5 }), seen("settling", { cards: 5 }), seen("ready"),
    seen("betting"), seen("dealing", { shoe: "dealing" }), seen("dealing", { cards: 2, shoe: "dealing" }),
    seen("halted", { phase: "dealing", cards: 2, shoe: "dealing" }),
    seen("halted", { phase: "dealing", cards: 2, asks: approve, shoe: "dealing" }),
    seen("ready", { shoe: "dealing" }), seen("ready"),
  ), [
    "load", "open", "wager", "close", "draw", "third", "announce", "pay", "again", "again", "two", "report", "answer",
    "approve",
    "exit", undefined,
  ]);
});

test("a wager is nobody's duty", () => {
  assert.deepEqual(walked(seen("betting"), seen("dealing")), ["wager", "draw"]);
});

test("a round that is lost begins again", () => {
  assert.deepEqual(walked(seen("dealing"), seen("ready")), ["draw", "open"]);
});

test("somebody who comes into a round is led on from there", () => {
  assert.deepEqual(walked(seen("outcome", { cards: 4 })), ["announce"]);
});

test("a halt that was not asked for comes first", () => {
  const held = seen("halted", { phase: "dealing" });
  assert.equal(stepNow(STEPS.findIndex((each) => each.id === "draw"), held)?.id, "detour");
  assert.equal(stepNow(STEPS.findIndex((each) => each.id === "answer"), held)?.id, "answer");
  assert.equal(stepNow(STEPS.length, held), undefined);
});

test("a void that was not planned is cleared away before betting opens", () => {
  const at = (step) => STEPS.findIndex((each) => each.id === step);
  const playing = seen("ready", { isVoid: true, atShoe: { to_be_ended: true } });
  const ended = seen("ready", { isVoid: true, atShoe: { to_be_ended: false } });
  for (const step of ["open", "again"]) {
    assert.equal(stepNow(at(step), playing)?.id, "exit");
    assert.equal(stepNow(at(step), playing)?.where, "shoe");
    assert.equal(stepNow(at(step), ended)?.id, "clearing");
    assert.equal(stepNow(at(step), seen("ready"))?.id, step);
  }
  assert.equal(stepNow(at("wager"), seen("betting", { isVoid: true }))?.id, "wager");
});

test("hands that lie face down are turned on the dealer's page, not at the shoe", () => {
  const third = STEPS.findIndex((each) => each.id === "third");
  const sealed = seen("revealing");
  sealed.view.hands = { player: [null, null], banker: [null, null] };
  assert.equal(stepNow(third, sealed)?.id, "turning");
  assert.equal(stepNow(third, sealed)?.where, "dealer");
  sealed.view.hands = { player: ["9H", "2C"], banker: ["KD", "3S"] };
  assert.equal(stepNow(third, sealed)?.id, "third");
});
