// The rounds that were found: one line each, like a ledger.

import { card, faceText } from "./cards.js";
import { t, titled } from "./catalogue.js";
import { button, day, h, timeMs } from "./dom.js";
import { personName } from "./sentences.js";
import { caseTitle } from "./titles.js";

/** @import { CardCode, RoundKey, Summary } from "./types.d.ts" */

/**
 * What the list leads to.
 * @typedef {object} Leads
 * @property {RoundKey | null} open
 * @property {(key: RoundKey) => string} href
 * @property {(key: RoundKey) => unknown} go
 * @property {(() => unknown) | null} older
 */

const COLUMNS = ["Round", "Began (UTC)", "Player", "Banker", "Result", "Dealer"];

/** @param {Summary[]} rounds @param {Leads} leads */
export function list(rounds, leads) {
  return [
    h("h2", {}, counted(rounds.length, leads.older !== null)),
    rounds.length === 0 ? h("p", { class: "soft" }, t("No matching rounds.")) : h("table", { class: "ledger" },
      h("thead", {}, h("tr", {}, COLUMNS.map((each) => h("th", { scope: "col" }, t(each))))),
      rounds.map((each, place) => h("tbody", { class: isOpen(each, leads) ? "chosen" : "" },
        dayLine(each, rounds[place - 1]), line(each, leads), notes(each)))),
    leads.older ? button(t("Older rounds"), leads.older, { class: "plain", "data-key": "older" }) : null,
  ];
}

/** @param {number} n @param {boolean} more whether there are older ones */
function counted(n, more) {
  if (more) return t("The latest {n} rounds", { n });
  return n === 1 ? t("1 round") : t("{n} rounds", { n });
}

/** @param {Summary} each @param {Leads} leads */
const isOpen = (each, { open }) => open?.shoe === each.shoe && open.round === each.round;

// A day's name where a day begins.
/** @param {Summary} each @param {Summary | undefined} before */
function dayLine(each, before) {
  if (before && day(before.began) === day(each.began)) return null;
  return h("tr", { class: "day" }, h("th", { colspan: String(COLUMNS.length), scope: "colgroup" }, day(each.began)));
}

/** @param {Summary} each @param {Leads} leads */
function line(each, leads) {
  const name = t("Shoe {s}, round {n}", { s: each.shoe, n: each.round });
  return h("tr", {},
    h("td", {}, link(leads.href(each), () => leads.go(each),
      { class: "link", "aria-label": name, "aria-current": isOpen(each, leads) ? "true" : null,
        "data-key": `round-${each.round}` },
      h("span", { class: "shoe" }, `${each.shoe}/`), String(each.round))),
    h("td", {}, h("time", { datetime: new Date(each.began * 1000).toISOString() }, timeMs(each.began))),
    h("td", {}, small(each.player)), h("td", {}, small(each.banker)),
    h("td", {}, result(each)),
    h("td", {}, each.dealer === null ? "" : personName(each.dealer)));
}

/**
 * A link that the page follows by itself; with a key held the browser does.
 * @param {string} href
 * @param {() => unknown} go
 * @param {import("./types.d.ts").Attributes} attributes
 * @param {import("./types.d.ts").Child[]} children
 */
export function link(href, go, attributes, ...children) {
  return h("a", { href, ...attributes, onclick: (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey || event.button !== 0) return;
    event.preventDefault();
    go();
  } }, ...children);
}

/** @param {(CardCode | null)[]} codes */
const small = (codes) => h("span", { class: "small-cards" }, codes.map((code) => card(code)));

/** @type {Record<string, string>} */
const WINNERS = { B: "banker", P: "player", T: "tie" };

/** @param {Summary} each */
export function result(each) {
  if (each.void) return h("b", { class: "stamp" }, t("Void"));
  const side = WINNERS[each.result?.charAt(0) ?? ""];
  return side ? h("b", { class: `pill ${side}` }, titled("hand", side))
    : h("span", { class: "soft" }, each.over ? "–" : t("in play"));
}

/** @param {Summary} each */
function notes(each) {
  if (!each.corrected && !each.rulings.length && each.ref === null) return null;
  return h("tr", { class: "notes" }, h("td", { colspan: String(COLUMNS.length) },
    each.ref === null ? null : h("span", { class: "tag ref" }, each.ref),
    each.corrected ? h("span", { class: "tag changed" }, t("Corrected"),
      each.corrections.map((made) => h("span", { class: "was-now" }, h("s", {}, faceText(made.was)), " → ",
        h("b", {}, faceText(made.now))))) : null,
    each.rulings.map((ruled) => h("span", { class: "tag" }, caseTitle(ruled.id),
      ruled.clause ? ` § ${ruled.clause}` : ""))));
}
