// What the pages of staff decide by themselves from a view: the verb of a halt, what an answer leads
// to, how a device is, what marks and mends a wager, which button a prompt names.

import "./globals.js";

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { beforeEach, describe, test } from "node:test";

const PAGES = "../../controller/console/static/js";
const { app } = await import(`${PAGES}/app.js`);
const { use } = await import(`${PAGES}/catalogue.js`);
const { health, isWell } = await import(`${PAGES}/device_health.js`);
const { ifApproved, ifRefused, leadNote } = await import(`${PAGES}/follows.js`);
const { haltVerb, isHalted } = await import(`${PAGES}/halt.js`);
const { flags } = await import(`${PAGES}/layout_marks.js`);
const { mendings } = await import(`${PAGES}/layout_words.js`);
const { usePeople } = await import(`${PAGES}/sentences.js`);
const { promptedKey, stepsOf } = await import(`${PAGES}/steps.js`);

const ENGLISH = JSON.parse(readFileSync(new URL("../../controller/messages/languages/en.json", import.meta.url),
  "utf-8"));
const wager = (id, position, amount, kind = "banker") =>
  ({ id, player: `seat ${position}`, position, wager: kind, amount, returned_by: null });
const VIEW = {
  state: "halted", held: [], asks: [], offers: [], case: null, round: 1, cards: [],
  wagers: [wager("w1", 1, 200000), wager("w2", 2, 50000)],
  void: null, over: false, phase: "betting", left_at_shoe: null, close_after: false, can: [],
};
const texts = (follows) => follows.map(([, text]) => text);

beforeEach(() => {
  use("en", ENGLISH, ENGLISH);
  usePeople([{ who: "pia", name: "Pia" }]);
  Object.assign(app, { me: { who: "dana" }, view: VIEW, about: null, refusal: null });
});

describe("the verb of a halt", () => {
  const paused = { code: "held_paused", remedy: { code: "remedy_paused", gaps: { by: "pia" }, text: "ask" } };
  const lid = { code: "held_lid_open", remedy: { code: "remedy_close_lid", gaps: { device: "shoe" }, text: "close" } };

  test("is the remedy of the first hold", () => {
    assert.match(haltVerb({ ...VIEW, held: [lid, paused] }), /Close the shoe/);
  });

  test("does not send a person to themselves", () => {
    assert.match(haltVerb({ ...VIEW, held: [paused] }), /Pia/);
    app.me = { who: "pia" };
    assert.equal(haltVerb({ ...VIEW, held: [paused] }), "Resume play when ready");
  });

  test("gives way to a question, and a closed table has none", () => {
    assert.equal(haltVerb({ ...VIEW, held: [lid], asks: [{}] }), null);
    assert.equal(haltVerb({ ...VIEW, held: [lid], offers: [{}] }), null);
    assert.equal(isHalted({ ...VIEW, held: [lid], state: "closed" }), false);
    assert.equal(haltVerb({ ...VIEW, held: [lid], state: "closed" }), null);
  });
});

describe("what follows an approval", () => {
  test("of a void: the wagers, the round and the cards", () => {
    const view = { ...VIEW, case: { approves: "void" }, cards: [{}, {}] };
    assert.deepEqual(texts(ifApproved(view, null)), [
      "Return 2,500 to 2 players", "Round 1 is cancelled", "2 cards out of play", "Recorded with both names",
    ]);
    const one = { ...view, wagers: [wager("w1", 1, 1000), { ...wager("w2", 2, 900), returned_by: "round" }],
      cards: [{}] };
    assert.deepEqual(texts(ifApproved(one, null)).slice(0, 3),
      ["Return 10 to one player", "Round 1 is cancelled", "1 card out of play"]);
    app.about = { track_wagers: false };
    assert.equal(texts(ifApproved(one, null))[0], "All wagers returned");
  });

  test("of a correction: settled again once the round is over", () => {
    const request = { what: "correct", given: { type: "correct" } };
    assert.match(texts(ifApproved({ ...VIEW, over: true }, request))[0], /pay or collect the difference/);
    assert.match(texts(ifApproved(VIEW, request))[0], /corrected card/);
  });

  test("of a refusal: who decides then, or who may ask again", () => {
    assert.equal(ifRefused({ ...VIEW, case: { approves: "entered_card" } }, null), "The card is entered again");
    assert.equal(ifRefused(VIEW, { what: "correct", by: "pia" }), "Nothing changes; Pia may request again");
    assert.equal(ifRefused(VIEW, null), "The table stays stopped");
    app.about = { uncovered: { role: "gaming_shift_manager" } };
    assert.match(ifRefused(VIEW, null), /^Gaming shift manager then decides$/i);
  });

  test("of a yes and of a no is on their buttons", () => {
    const lead = (more) => ({ asks: null, decides: null, steps: [], ...more });
    const asked = { case: "simultaneous", leads: { yes: lead({ steps: ["offer_withdrawal"] }),
      no: lead({ steps: ["void_round"] }) } };
    assert.equal(leadNote(asked, "yes"), "offer withdrawal");
    assert.equal(leadNote(asked, "no"), "request void");
    assert.equal(leadNote({ ...asked, leads: { yes: lead({ asks: {} }) } }, "yes"), "one more question");
    assert.equal(leadNote({ case: "restarted" }, "yes"), "apply the power-failure rule");
    assert.equal(leadNote({ case: "restarted" }, "no"), "play continues");
    assert.equal(leadNote(asked, "maybe"), undefined);
  });
});

test("a device is told by its worst: no link, a driver that failed, a fault", () => {
  const shoe = { name: "shoe", link: "up", stopped: false, errors: [] };
  for (const [more, says] of [
    [{}, "OK"], [{ link: "down", stopped: true }, "not responding"],
    [{ stopped: true, errors: [{}] }, "driver failed"],
    [{ errors: [{}] }, "reports a fault"], [{ name: "shuffler" }, "is ready"],
  ]) {
    assert.equal(health({ ...shoe, ...more }), says);
    assert.equal(isWell({ ...shoe, ...more }), ["OK", "is ready"].includes(says));
  }
  app.view = { ...VIEW, by_hand: true };
  assert.equal(health(shoe), "cards are entered by hand");
});

describe("a refused wager", () => {
  const refused = (gaps) => { app.refusal = { tone: "bad", given: {}, gaps }; };
  const small = wager("w1", 3, 500);

  test("is marked with what it is and what it may be", () => {
    for (const [gaps, says] of [
      [{ limit: 2500 }, "5, minimum 25"], [{ limit: 100 }, "5, maximum 1"], [{ excess: 50000 }, "500 too much"],
      [{ most: 3 }, "3 at most"],
      [{ multiple: 500 }, "multiples of 5"], [{}, "not taken"],
    ]) {
      refused({ ...gaps, wagers: ["w1"] });
      assert.deepEqual([...flags([small]).values()], [says]);
    }
    app.refusal = null;
    assert.equal(flags([small]).size, 0);
  });

  test("is mended by as much as the heavier side is too heavy: the largest two are offered", () => {
    app.view = { ...VIEW, wagers: [wager("w1", 1, 60000), wager("w2", 2, 90000), wager("w3", 3, 70000)] };
    const found = mendings({ code: "close_ask_heavy_side", gaps: { excess: 50000, wagers: ["w1", "w2", "w3"] } });
    assert.deepEqual(found.map((each) => each.label), ["Take 500 off Seat 2", "Take 500 off Seat 3"]);
  });
});

describe("the buttons", () => {
  const keys = (more) => stepsOf({ ...VIEW, shoe_in_use: null, passing: {}, handlers: {}, prompt: {}, ...more })
    .map((each) => each.key);

  test("go by the state of the table", () => {
    assert.deepEqual(keys({ state: "closed" }), ["open_table"]);
    assert.deepEqual(keys({ state: "outcome" }), ["announce"]);
    assert.deepEqual(keys({ state: "settling" }), ["settle"]);
  });

  test("open the next round at one tap where the house wants it, unless the table closes", () => {
    app.about = { open_after_paying: true };
    assert.deepEqual(keys({ state: "settling" }), ["settle-open", "settle"]);
    assert.deepEqual(keys({ state: "settling", close_after: true }), ["settle"]);
  });

  test("are named by the prompt", () => {
    const named = (act, steps = []) => promptedKey({ act }, steps);
    assert.equal(named(null), null);
    assert.equal(named({ word: "settle" }), "settle");
    assert.equal(named({ word: "settle" }, [{ key: "settle-open" }]), "settle-open");
    assert.equal(named({ word: "accept_cards", player: "seat 1", hand: "banker" }), "take-banker");
    assert.equal(named({ word: "accept_cards", player: null, hand: "banker" }), "pass-banker");
    assert.equal(named({ word: "expose", hand: "player" }), "expose-player");
    assert.equal(named({ word: "method" }), "device");
  });
});
