// Plots: the share of the drop that was kept against the exact odds, with the band in which 95 of
// 100 such nights lie; and the mix of results.

import { t, titled } from "/static/js/catalogue.js";
import { clock, day, draw, h, svg } from "/static/js/dom.js";

/** @import { BandPoint, BookTrend, TrendsPage } from "./types.d.ts" */

const W = 356;
const H = 240;
const EDGE = { left: 44, right: 10, top: 12, bottom: 26 };

/** @param {number} share */
const percent = (share) => `${(share * 100).toFixed(2)} %`;
const DAY_S = 86_400;
/** An hour of a day, or a day of many. @param {number} at @param {number} span */
const moment = (at, span) => (span > 1.5 * DAY_S ? day(at).slice(5) : clock(at).slice(0, 5));

/**
 * @param {HTMLElement} place
 * @param {TrendsPage | null} found null: they could not be read, and nobody knows what was played
 */
export function drawHold(place, found) {
  draw(place, found?.books.length
    ? found.books.map((book) => h("div", { class: "book" },
      h("h2", {}, t("Win % against theory: {book}", { book: book.title })),
      h("p", { class: "soft" }, verdict(book)),
      holdPlot(book),
      facts(book)))
    : [h("h2", {}, t("Win % against theory")),
      h("p", { class: "soft" }, found ? t("No round completed yet.") : t("Figures are not available now."))]);
}

/** @param {BookTrend} book */
function verdict(book) {
  if (!book.hold.length || !book.enough) return t("Too few rounds to tell.");
  const last = book.hold.at(-1);
  const inside = last && last.value >= last.low && last.value <= last.high;
  return inside ? t("Within the expected range.")
    : t("Outside the expected range: by chance in {p} of 100 such periods.", { p: hundredth(book.chance) });
}

/** @param {number} chance */
const hundredth = (chance) => (chance < 0.0005 ? "< 0.1" : (chance * 100).toFixed(1));

/** @param {BookTrend} book */
const facts = (book) => h("dl", { class: "kv" },
  h("dt", {}, t("Rounds")), h("dd", {}, book.rounds.toLocaleString("en-US")),
  h("dt", {}, t("House win / amount wagered")), h("dd", {}, book.drop ? percent(book.kept / book.drop) : "–"),
  h("dt", {}, t("Theory")), h("dd", {}, percent(book.theory)),
  band95(book.hold.at(-1)),
  book.left_out ? [h("dt", {}, t("Not counted")),
    h("dd", {}, t("{n} rounds with wagers unknown to this release", { n: book.left_out }))] : null);

/** @param {BandPoint | undefined} last */
const band95 = (last) =>
  (last ? [h("dt", {}, t("Expected range (95 %)")), h("dd", {}, `${percent(last.low)} … ${percent(last.high)}`)]
    : null);

/** @param {BookTrend} book */
function holdPlot(book) {
  const points = book.hold;
  if (points.length < 2) {
    return h("p", { class: "empty" },
      t("The plot starts at the second reading."));
  }
  const scale = scales(points, book.theory);
  const { x, y, ticks, from, to } = scale;
  return svg("svg", { viewBox: `0 0 ${W} ${H}`, class: "plot", role: "img",
    "aria-label": t("Win % against theory, with the expected range (95 %)") },
    svg("path", { d: band(points, x, y), class: "band" }),
    ...ticks.map((value) => [svg("path", { d: `M${EDGE.left} ${y(value)}H${W - EDGE.right}`, class: "grid" }),
      svg("text", { x: EDGE.left - 6, y: y(value) + 4, "text-anchor": "end" }, percentTick(value))]).flat(),
    svg("path", { d: `M${x(from)} ${y(book.theory)}H${x(to)}`, class: "theory" }),
    svg("path", { d: points.map((each, place) => `${place ? "L" : "M"}${x(each.at)} ${y(each.value)}`).join(""),
      class: "line" }),
    svg("circle", { cx: x(to), cy: y(points.at(-1)?.value ?? 0), r: 4.5, class: "dot" }),
    svg("text", { x: x(from), y: H - 8 }, moment(from, to - from)),
    svg("text", { x: x(to), y: H - 8, "text-anchor": "end" }, moment(to, to - from)));
}

/** @param {number} value */
const percentTick = (value) => `${Math.round(value * 1000) / 10} %`.replace("-", "−");

/** @param {BandPoint[]} points @param {number} theory */
function scales(points, theory) {
  const last = /** @type {BandPoint} */ (points.at(-1));
  const first = /** @type {BandPoint} */ (points[0]);
  const values = points.map((each) => each.value);
  const high = Math.max(...values, last.high, theory) + 0.005;
  const low = Math.min(...values, last.low, theory) - 0.005;
  const step = niceStep((high - low) / 5);
  const x = (/** @type {number} */ at) => EDGE.left
    + ((at - first.at) / Math.max(last.at - first.at, 1)) * (W - EDGE.left - EDGE.right);
  const y = (/** @type {number} */ value) =>
    EDGE.top + ((high - Math.min(Math.max(value, low), high)) / (high - low)) * (H - EDGE.top - EDGE.bottom);
  const ticks = [];
  for (let value = Math.ceil(low / step) * step; value <= high; value += step) {
    ticks.push(Math.round(value * 1e6) / 1e6);
  }
  return { x, y, ticks, from: first.at, to: last.at };
}

/** @param {number} rough */
function niceStep(rough) {
  const power = 10 ** Math.floor(Math.log10(rough));
  return [1, 2, 5, 10].map((each) => each * power).find((each) => each >= rough) ?? power;
}

/** @param {BandPoint[]} points @param {(at: number) => number} x @param {(value: number) => number} y */
function band(points, x, y) {
  const above = points.map((each) => `${x(each.at)} ${y(each.high)}`);
  const below = points.map((each) => `${x(each.at)} ${y(each.low)}`).reverse();
  return `M${[...above, ...below].join("L")}Z`;
}

/** The mix of results against the book's exact odds. @param {BookTrend} book */
export function mixPlot(book) {
  const most = Math.max(...book.mix.map((each) => Math.max(each.seen, each.high)), 0.01);
  const wide = (/** @type {number} */ share) => 60 + (share / most) * 190;
  return svg("svg", { viewBox: `0 0 ${W} ${book.mix.length * 34 + 8}`, class: "plot mix", role: "img",
    "aria-label": t("results against the exact odds") },
    book.mix.map((each, place) => svg("g", { transform: `translate(0 ${place * 34 + 6})` },
      svg("text", { x: 54, y: 15, "text-anchor": "end" }, titled("hand", each.result)),
      svg("rect", { x: wide(each.low), y: 0, width: Math.max(wide(each.high) - wide(each.low), 2), height: 22,
        class: "band" }),
      svg("path", { d: `M${wide(each.expected)} 0v22`, class: "theory" }),
      svg("circle", { cx: wide(each.seen), cy: 11, r: 6, class: `dot ${each.result}` }),
      svg("text", { x: W, y: 9, "text-anchor": "end", class: "seen" }, percent(each.seen)),
      svg("text", { x: W, y: 23, "text-anchor": "end" }, t("exact {p}", { p: percent(each.expected) })))));
}
