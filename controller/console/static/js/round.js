// One round: what came of it, every step in words with the table as it then lay, what was corrected.

import { card } from "./cards.js";
import { capital, t, titled } from "./catalogue.js";
import { button, day, h, timeMs } from "./dom.js";
import { handName } from "./pickers.js";
import { proofParts } from "./round_proof.js";
import { link, result } from "./rounds_list.js";
import { money, personName, sentence, wagerName } from "./sentences.js";
import { clause, methodName } from "./shell.js";
import { ruler } from "./titles.js";

/**
 * @import { Child, Correction, Proof, Recalled, Recollection, RoundKey, Side, Summary, TableView } from "./types.d.ts"
 */

/**
 * Where one can go from a round.
 * @typedef {object} Ways
 * @property {string} list
 * @property {string} href
 * @property {(by: number) => { key: RoundKey, href: string } | null} beside
 * @property {(key: RoundKey | null) => unknown} go
 */

/** @type {Side[]} */
const SIDES = ["player", "banker"];

/** @param {Recalled} found @param {Proof} proof @param {Ways} ways */
export function round(found, proof, ways) {
  const steps = h("section", { class: "recall" });
  recall(steps, found.phases, Math.max(0, found.phases.length - 1));
  return [
    bar(ways), head(found), ...corrections(found.corrections), steps,
    h("section", { class: "proof" }, proofParts(proof)),
  ];
}

/** @param {Ways} ways */
function bar(ways) {
  /** @param {number} by @param {string} label @param {string} key */
  const other = (by, label, key) => {
    const to = ways.beside(by);
    return to ? link(to.href, () => ways.go(to.key), { class: "button small", "data-key": key }, label)
      : h("span", { class: "button small off", "aria-hidden": "true" }, label);
  };
  return h("nav", { class: "ways", "aria-label": t("Rounds") },
    link(ways.list, () => ways.go(null), { class: "button small", "data-key": "to-list" }, t("To the list")),
    other(-1, `◀ ${t("Previous")}`, "previous"), other(1, `${t("Next")} ▶`, "next"),
    h("a", { class: "button small", href: ways.href, "data-key": "permalink" }, t("Link")),
    button(t("Print"), () => print(), { class: "small", "data-key": "print" }));
}

/** @param {Recalled} found */
function head({ summary, superseded, phases }) {
  const last = phases.at(-1)?.view ?? null;
  return h("header", { class: summary.void ? "round-head is-void" : "round-head" },
    h("h2", {}, t("Shoe {s}, round {n}", { s: summary.shoe, n: summary.round }), " ", result(summary)),
    h("dl", {}, facts(summary, superseded).map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value)))),
    rulings(summary),
    last ? hands(last) : null,
    last ? settled(last) : null);
}

/** @param {Summary} summary @param {number[]} superseded @returns {[string, Child][]} */
function facts(summary, superseded) {
  /** @type {[string, Child | null][]} */
  const all = [
    [t("Began"), moment(summary.began)],
    [t("Ended"), summary.ended === null ? t("in play") : moment(summary.ended)],
    [t("Dealer"), summary.dealer === null ? null : personName(summary.dealer)],
    [t("Method"), summary.method ? methodName(summary.method) : null],
    [t("Deck set"), summary.deck_set ? t(summary.deck_set) : null],
    [t("Reference"), summary.ref],
    [t("Void by"), summary.void ? clause(summary.void) ?? summary.void : null],
    [t("Summary"), superseded.length ? t("Summary: record {n} replaces {was}",
      { n: summary.summary ?? "–", was: superseded.map((seq) => `#${seq}`).join(", ") }) : null],
  ];
  return /** @type {[string, Child][]} */ (all.filter(([, value]) => value !== null));
}

/** @param {number} at */
const moment = (at) => h("time", { datetime: new Date(at * 1000).toISOString() }, `${day(at)} ${timeMs(at)} UTC`);

/** @param {Summary} summary */
function rulings({ rulings: made }) {
  if (!made.length) return null;
  return h("ul", { class: "ruled" },
    made.map((each) => h("li", {}, h("b", {}, titled("irregularity", each.id)), " ", clause(each.clause), " ",
    h("span", { class: "soft" }, [each.decided_by, each.approved_by].filter(Boolean).map((who) => ruler(each, who))
      .join(", ")),
    each.text ? h("q", {}, each.text) : null)));
}

/** @param {TableView} view */
const hands = (view) => h("div", { class: "picture" }, SIDES.map((side) => {
  const other = view.totals[side === "player" ? "banker" : "player"];
  const own = view.totals[side];
  const won = view.over && !view.void && own !== null && other !== null && own > other;
  return h("div", { class: `mini ${side} ${won ? "won" : ""}` }, h("b", {}, handName(side)),
    h("output", {}, own === null ? "–" : String(own)),
    h("div", { class: "cards" }, view.hands[side].map((code) => card(code))));
}));

/** @param {TableView} view */
function settled(view) {
  if (!view.settlements.length) return null;
  const staked = new Map(view.wagers.map((each) => [each.id, each]));
  return h("table", { class: "settled" },
    h("thead", {},
      h("tr", {}, ["Player", "Wager", "Staked", "Result", "Paid",
        "Returned"].map((each, place) => h("th", { scope: "col", class: [2, 4, 5].includes(place) ? "n" : "" },
          each === "Player" ? t("Whose") : t(each))))),
    h("tbody", {}, view.settlements.map((each) => h("tr", {},
      h("td", {}, personName(each.player)), h("td", {}, wagerName(staked.get(each.id)?.wager ?? "")),
      h("td", { class: "n" }, staked.has(each.id) ? money(staked.get(each.id)?.amount ?? 0) : ""),
      h("td", {}, view.void ? t("Returned") : titled("result", each.result)), h("td", { class: "n" }, money(each.pays)),
      h("td", { class: "n" }, money(each.returned))))));
}

// --- step by step ---------------------------------------------------------------------------------

/** @param {HTMLElement} place @param {Recollection[]} phases @param {number} at */
function recall(place, phases, at) {
  const phase = phases[at];
  if (!phase) return;
  /** @param {number} to */
  const go = (to) => {
    recall(place, phases, Math.max(0, Math.min(phases.length - 1, to)));
    place.querySelector("input")?.focus({ preventScroll: true });
  };
  place.replaceChildren(
    h("h3", {}, t("Step by step")),
    h("div", { class: "stepper" },
      button("◀", () => go(at - 1), { "aria-label": t("Step back"), disabled: at === 0 }),
      h("input", { type: "range", min: "0", max: String(phases.length - 1), value: String(at), "aria-label": t("Step"),
        oninput: (event) => go(Number(event.target.value)) }),
      button("▶", () => go(at + 1), { "aria-label": t("Step on"), disabled: at === phases.length - 1 }),
      h("output", {}, t("Step {n} of {m}", { n: at + 1, m: phases.length }))),
    h("div", { class: "phase" }, h("p", { class: "lead" }, told(phase)), phase.view ? hands(phase.view) : null),
    h("ol", { class: "steps" }, phases.map((each, n) => step(each, n === at, () => go(n)))));
}

/** @param {Recollection} each @param {boolean} now @param {() => unknown} go */
const step = (each, now, go) => h("li", { class: `${each.accepted ? "" : "refused"} ${now ? "now" : ""}` },
  h("time", { datetime: new Date(each.at * 1000).toISOString() }, timeMs(each.at)),
  h("div", { class: "what" },
    button(told(each), go, { class: "link", "aria-current": now ? "step" : null }), " ",
    clause(each.clause),
    each.then.map((then) => h("p", { class: "then" }, coloured(sentence(then.code, then.gaps, then.text)))),
    each.accepted ? null : h("p", { class: "why" }, sentence(each.code, each.gaps, each.reason))),
  h("span", { class: "by" }, personName(each.who ?? each.from), h("small", {}, ` #${each.seq}`)));

/** @param {Recollection} each */
const told = (each) => coloured(capital(sentence(each.says.code, each.says.gaps, each.says.text)));

const FACE = /((?:10|[2-9AJQK])[♠♥♦♣])/;
/** @type {Record<string, string>} */
const SUIT = { "♠": "S", "♥": "H", "♦": "D", "♣": "C" };

/** A text with its cards in their colours. @param {string} text @returns {Child} */
const coloured = (text) => h("span", { class: "faces-in-text" }, text.split(FACE).map((part) =>
  (FACE.test(part) ? h("b", { class: `face suit-${SUIT[part.slice(-1)]}` }, part) : part)));

// --- what was corrected ---------------------------------------------------------------------------

/** @param {Correction[]} made */
function corrections(made) {
  if (!made.length) return [];
  return [h("section", { class: "corrections" }, h("h3", {}, t("Corrections")), made.map((each) => h("article", {},
    h("p", {}, t("{by} asked, {who} approved: {why}",
      { by: personName(each.by), who: personName(each.approved_by ?? "–"), why: t(each.reason) }), " ",
        h("span", { class: "soft" }, `#${each.seq}`)),
    h("div", { class: "before-after" },
      h("figure", {}, h("figcaption", {}, t("before")), hands(each.before)),
      h("span", { class: "arrow", "aria-hidden": "true" }, "→"),
      h("figure", {}, h("figcaption", {}, t("after")), hands(each.after))))))];
}
