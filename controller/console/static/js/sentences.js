// Sentences of the table in the reader's language: a code with gaps becomes text here and nowhere
// else. What is in a gap is a number, a card, a role, a name ...; the sentence says which.

import { cardName, faceText } from "./cards.js";
import { capital, isNamed, named, t, titled, written } from "./catalogue.js";

/** @import { Entry, Gap, Gaps, LastWager, Person, Wager } from "./types.d.ts" */

let currency = "";
let minorUnits = 2;
/** @type {Map<string, string>} */
const people = new Map();
/** @type {Map<string, string>} */
let wagers = new Map();

/** What the table is set up with. @param {{ currency?: string, minor_units?: number } | null} setup */
export function useMoney(setup) {
  currency = setup?.currency ?? "";
  minorUnits = setup?.minor_units ?? 2;
}

/** Who has an account here. @param {Person[]} staff */
export function usePeople(staff) {
  for (const { who, name } of staff) people.set(who, name);
}

/** The wagers that lie there: nobody knows them by their ids. @param {Wager[]} lying */
export function useWagers(lying) {
  wagers = new Map(lying.map((each) => [each.id, wagerText(each)]));
}

/**
 * The sentence of a code. `text` is what the console says in English: for a code no catalogue has,
 * and for what somebody said in their own words, which has none.
 * @param {string | null | undefined} code
 * @param {Gaps | null} [gaps]
 * @param {string | null} [text]
 */
export function sentence(code, gaps = {}, text = null) {
  const found = code ? written(code) : null;
  if (!found) return text === null ? (code ?? "") : t(text);
  const [entry, language] = found;
  const template = form(entry, gaps ?? {}, language);
  const said = filled(template, gaps ?? {});
  return beginsWithName(template) ? capital(said) : said;
}

/** Whether the first word is the name of an id, which gets a capital there. @param {string} template */
function beginsWithName(template) {
  const kind = /^\{\w+:(\w+)\*?\}/.exec(template)?.[1];
  return kind !== undefined && !(kind in KINDS);
}

// One or several: the language's own rule, asked of the gap that the entry names.
/** @param {Entry} entry @param {Gaps} gaps @param {string} language */
function form(entry, gaps, language) {
  if (typeof entry === "string") return entry;
  const kind = new Intl.PluralRules(language).select(Number(gaps[entry.by]));
  return kind === "one" ? entry.one : entry.other;
}

/** @param {string} template @param {Gaps} gaps */
function filled(template, gaps) {
  return template.replace(/\{(\w+)(?::(\w+)\*?)?\}/g, (_, name, kind = "") => gapText(gaps[name] ?? null, kind));
}

// Several of a kind are a list.
/** @param {Gap} gap @param {string} kind @returns {string} */
function gapText(gap, kind) {
  if (gap === null) return named("nothing", isNamed("nothing", kind) ? kind : "any");
  if (Array.isArray(gap)) return gap.map((each) => gapText(each, kind)).join(", ");
  return KINDS[kind]?.(gap) ?? named(kind, String(gap));
}

/** @param {string | number} gap */
const plain = (gap) => (typeof gap === "number" ? number(gap) : gap);
/** @param {string | number} gap */
const number = (gap) => Number(gap).toLocaleString("en-US", { maximumFractionDigits: 0 });

/**
 * The kinds that are no name; every other kind is a name by its id.
 * @type {Record<string, (gap: string | number) => string>}
 */
const KINDS = {
  "": plain,
  number,
  count: number,
  seconds: (gap) => Number(gap).toLocaleString("en-US", { maximumFractionDigits: 1 }),
  money: (gap) => money(Number(gap)),
  card: (gap) => cardName(String(gap)),
  face: (gap) => faceText(String(gap)),
  name: (gap) => personName(String(gap)),
  wager: (gap) => wagers.get(String(gap)) ?? wagerName(String(gap)),
  clause: String,
  id: String,
  says: String,
};

/** Minor units as people write money, in the table's currency. @param {number} amount */
export function money(amount) {
  return currency ? `${currency}\u00a0${coins(amount)}` : coins(amount);
}

/** The same without the currency, as on a chip; fractions only where there are some. @param {number} amount */
export function coins(amount) {
  const whole = amount % 10 ** minorUnits === 0;
  const digits = whole ? 0 : minorUnits;
  return (amount / 10 ** minorUnits).toLocaleString("en-US",
    { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

/** So many whole units of the currency, in minor ones. @param {number} count */
export const units = (count) => count * 10 ** minorUnits;

/** A person, a player or a unit as people write it. @param {string} who */
export function personName(who) {
  const name = people.get(who);
  if (name !== undefined) return name;
  const [, place, n] = /^(seat|behind) (\d+)$/.exec(who) ?? [];
  if (n) return place === "seat" ? t("Seat {n}", { n }) : t("Behind {n}", { n });
  if (who === "*") return t("every player");
  return isNamed("device", who) ? named("device", who) : who;
}

/** What is wagered on. @param {string} id */
export const wagerName = (id) => titled("wager", id);
/** A wager to its player: on what, how much. @param {{ wager: string, amount: number }} wager */
export const stakeText = ({ wager, amount }) => `${wagerName(wager)} ${money(amount)}`;
/** A wager to everybody else: whose it is first. @param {LastWager} wager */
export function wagerText(wager) {
  const { player, position } = wager;
  const seen = [`seat ${position}`, `behind ${position}`].includes(player);
  return [personName(player), ...(seen ? [] : [`${t("Position")} ${position}`]), stakeText(wager)].join(" · ");
}
