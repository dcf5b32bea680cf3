// Codes with gaps become sentences: each kind of gap, one or several, money, names, other languages.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { beforeEach, describe, test } from "node:test";

import { use } from "../../controller/console/static/js/catalogue.js";
import { BEFORE_CLOSING, TAKES_ROLE } from "../../controller/console/static/js/codes.js";
import {
  coins, money, personName, sentence, units, useMoney, usePeople, useWagers, wagerText,
} from "../../controller/console/static/js/sentences.js";

const file = (language) => {
  const path = new URL(`../../controller/messages/languages/${language}.json`, import.meta.url);
  return JSON.parse(readFileSync(path, "utf-8"));
};
const ENGLISH = file("en");
const CHINESE = file("zh-Hans");

const made = {
  sentences: {
    plain: "All wagers or none",
    gaps: "card {n:number} for the {hand:hand}: {card:card}, says {role:role}, {says:says} ({clause:clause})",
    several: "say which: {limits:limit*}",
    unread: { by: "cards", one: "1 card left unread", other: "{cards:number} cards left unread" },
    asked: "{who:name} asks for {amount:money}",
    lies: "{wagers:wager*}",
    clock: "{s:seconds} s, {bare}",
    nobody: "to {who:name}, {n:number}",
  },
  names: {
    hand: { player: "Player" },
    role: { pit_manager: "pit manager" },
    limit: { minimum: "minimum" },
    wager: { player_pair: "Player pair" },
    nothing: { any: "none", name: "nobody" },
  },
  pages: {},
};
const none = { sentences: {}, names: {}, pages: {} };
const wager = { id: "w1", player: "seat 3", position: 3, wager: "player_pair", amount: 50000 };

beforeEach(() => {
  use("en", made, made);
  useMoney(null);
  useWagers([]);
});

describe("a sentence", () => {
  test("is the text of its code", () => {
    assert.equal(sentence("plain", {}), "All wagers or none");
  });

  test("says what is in each gap as people write it", () => {
    const gaps = { n: 1416, hand: "player", card: "TS", role: "pit_manager", says: "jam_at_3", clause: "5.15" };
    assert.equal(sentence("gaps", gaps), "card 1,416 for the Player: Ten of spades, says pit manager, jam_at_3 (5.15)");
  });

  test("lists several of a kind, and makes a name of an id that has none", () => {
    assert.equal(sentence("several", { limits: ["minimum", "table_differential"] }),
      "say which: minimum, table differential");
  });

  test("is another one for several", () => {
    assert.equal(sentence("unread", { cards: 1 }), "1 card left unread");
    assert.equal(sentence("unread", { cards: 2 }), "2 cards left unread");
    assert.equal(sentence("unread", { cards: 0 }), "0 cards left unread");
  });

  test("says what an empty gap means", () => {
    assert.equal(sentence("nobody", { who: null }), "to nobody, none");
  });

  test("has numbers and seconds that can be read", () => {
    assert.equal(sentence("clock", { s: 2.04, bare: 12345 }), "2 s, 12,345");
  });

  test("without a text is what the console wrote, and else its code", () => {
    assert.equal(sentence("of_tomorrow", { n: 1 }, "the console's English"), "the console's English");
    assert.equal(sentence("of_tomorrow", { n: 1 }), "of_tomorrow");
    assert.equal(sentence(null, {}, "in somebody's own words"), "in somebody's own words");
  });
});

describe("another language", () => {
  test("is spoken, and English where it lacks a code or a name", () => {
    use("zh-Hans", { ...none, sentences: { plain: "全部撤回或全部保留" } }, made);
    assert.equal(sentence("plain"), "全部撤回或全部保留");
    assert.equal(sentence("several", { limits: ["minimum"] }), "say which: minimum");
  });

  test("has its own rule for one and several, and a sentence lent by English keeps the English rule", () => {
    use("zh-Hans", { ...none, sentences: { unread: { by: "cards", one: "一张", other: "{cards:number} 张" } } }, made);
    assert.equal(sentence("unread", { cards: 1 }), "1 张"); // Chinese has one form only
    use("zh-Hans", none, made);
    assert.equal(sentence("unread", { cards: 1 }), "1 card left unread");
  });
});

describe("money", () => {
  test("is in the table's currency, with fractions only where there are some", () => {
    assert.equal(money(500000), "5,000");
    assert.equal(money(1250), "12.50");
    useMoney({ currency: "SGD", minor_units: 2 });
    assert.equal(money(500000), "SGD\u00a05,000");
    assert.equal(money(-1250), "SGD\u00a0-12.50");
  });

  test("counts in the currency's own minor units", () => {
    useMoney({ currency: "KRW", minor_units: 0 });
    assert.equal(money(500000), "KRW\u00a0500,000");
    assert.equal(units(25), 25);
    useMoney({ currency: "KWD", minor_units: 3 });
    assert.equal(coins(1250), "1.250");
    assert.equal(coins(12300), "12.300");
    assert.equal(coins(12000), "12");
    assert.equal(units(25), 25000);
  });
});

describe("names", () => {
  test("people go by their names, players by their seats, devices by what they are", () => {
    usePeople([{ who: "anna", name: "Anna B." }]);
    assert.equal(personName("anna"), "Anna B.");
    assert.equal(personName("seat 3"), "Seat 3");
    assert.equal(personName("behind 12"), "Behind 12");
    assert.equal(personName("mrs lee"), "mrs lee");
    use("zh-Hans", CHINESE, ENGLISH);
    assert.equal(personName("seat 3"), "3 号位");
    assert.equal(personName("shoe"), "牌靴");
    assert.equal(sentence("drawer_has_no_wager", { player: "seat 3" }), "3 号位持牌靴但没有投注");
  });

  test("nobody knows a wager by its id", () => {
    useMoney({ currency: "SGD" });
    useWagers([wager, { ...wager, id: "w2", player: "mrs lee" }]);
    assert.equal(wagerText(wager), "Seat 3 · Player pair SGD\u00a0500");
    assert.equal(sentence("lies", { wagers: ["w1", "w2"] }),
      "Seat 3 · Player pair SGD\u00a0500, mrs lee · Position 3 · Player pair SGD\u00a0500");
    assert.equal(sentence("lies", { wagers: ["player_pair"] }), "Player pair");
  });
});

describe("the catalogues", () => {
  const SAMPLES = { number: 2, card: "9H", money: 100, name: "seat 1", wager: "tie", role: "dealer" };
  const texts = (entry) => (typeof entry === "string" ? [entry] : [entry.one, entry.other]);
  const gapsOf = (entry) => texts(entry).flatMap((text) => [...text.matchAll(/\{(\w+):(\w+)\*?\}/g)]);

  for (const [language, catalogue] of [["en", ENGLISH], ["zh-Hans", CHINESE]]) {
    test(`every sentence of ${language} can be said`, () => {
      use(language, catalogue, ENGLISH);
      for (const [code, entry] of Object.entries(catalogue.sentences)) {
        const gaps = Object.fromEntries(gapsOf(entry).map(([, name, kind]) => [name, SAMPLES[kind] ?? "dealer"]));
        assert.doesNotMatch(sentence(code, gaps), /[{}]|undefined|NaN/, code);
        assert.doesNotMatch(sentence(code, {}), /[{}]|undefined|NaN/, code);
      }
    });
  }

  test("what pages decide by is there", () => {
    assert.match(ENGLISH.sentences[TAKES_ROLE], /\{role:/);
    assert.ok(Object.keys(ENGLISH.sentences).some((code) => code.startsWith(BEFORE_CLOSING)));
  });
});
