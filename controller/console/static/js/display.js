// What players see: the call, the cards once they lie open, the roads and counts, the limits.

import { both } from "./bilingual.js";
import { drawCall, isHeld, stamp, WINS, winner } from "./call.js";
import { t } from "./catalogue.js";
import { byId, draw, h, must } from "./dom.js";
import { emptyHands, Hands, totals } from "./public_hands.js";
import { limitRows } from "./public_limits.js";
import { begin, follow, Scores, timeLeft, writtenNow } from "./public.js";
import { ring } from "./ring.js";
import { askRoads, counts, road, ROADS } from "./roads.js";

/** @import { PublicView, Road, Roads } from "./types.d.ts" */

const about = await begin();
/** @type {PublicView | null} */
let latest = null;

const [player, banker] = emptyHands();
byId("player").replaceWith(must(player));
byId("banker").replaceWith(must(banker));
const hands = new Hands(byId("hands"), { pips: true });
const scores = new Scores(drawScores);
follow((view, moving) => {
  latest = view;
  head(view);
  drawCall(byId("call"), view, moving);
  hands.draw(view, moving);
  centre(view);
  draw(byId("limits"), limitRows(view.limits, about?.wagers ?? []));
  byId("manual").hidden = !view.manual;
  draw(byId("manual"), both("Card entered by hand"));
  scores.look(view);
  if (scores.latest) drawScores(scores.latest);
  tick();
});
setInterval(tick, 250);
new ResizeObserver(() => scores.latest && drawScores(scores.latest)).observe(byId("board"));
draw(byId("more"), h("a", { href: `/errors${location.search}` }, both("How errors are resolved"),
  " ", h("b", {}, `${location.host}/errors`)));

/** @param {PublicView} view */
function head(view) {
  draw(byId("head"), [
    h("p", { class: "table" }, h("strong", {}, view.table ?? ""), h("span", {}, bookName())),
    h("p", { class: "last" }, lastResult(view)),
    h("p", { class: "numbers" }, view.shoe ? numbered("Shoe {n}", view.shoe) : null,
      view.round ? [" · ", numbered("Round {n}", view.round)] : null),
  ]);
}

function bookName() {
  if (!about) return "";
  return about.version === null ? about.title : t("{title}, version {n}", { title: about.title, n: about.version });
}

/** The words around a number, the number heavier. @param {string} key @param {number} n */
function numbered(key, n) {
  const [before, after] = t(key, { n: "\0" }).split("\0");
  return [before, h("b", {}, String(n)), after];
}

/** @type {Record<string, keyof typeof WINS>} */
const WINNERS = { B: "banker", P: "player", T: "tie" };

// Beside whatever the call says, unless it says that very result.
/** @param {PublicView} view */
function lastResult(view) {
  const side = WINNERS[view.results.at(-1)?.charAt(0) ?? ""];
  if (!side || (winner(view) && !isHeld(view))) return null;
  return [h("i", { class: `disc ${side}` }), t("Last result"), " ", h("b", {}, t(WINS[side]))];
}

// Seconds while bets are open, points afterwards, the stamp over both.
/** @param {PublicView} view */
function centre(view) {
  draw(byId("totals"), totals(view));
  draw(byId("stamp"), stamp(view));
}

/** @param {Roads} found */
function drawScores(found) {
  const newest = writtenNow(found, latest);
  draw(byId("counts"), counts(found));
  draw(byId("ask-title"), both("If next is"));
  draw(byId("ask"), askRoads(found));
  for (const name of /** @type {Road[]} */ (Object.keys(ROADS))) {
    const figure = must(document.querySelector(`[data-road="${name}"]`));
    const frame = must(figure.querySelector("div"));
    const columns = columnsOf(frame);
    draw(must(figure.querySelector("figcaption")), both(ROADS[name]));
    draw(frame, road(name, found, columns, newest));
  }
}

// A cell has its size whatever the shoe is like: the frame shows as many columns as it holds.
/** @param {Element} frame */
function columnsOf(frame) {
  const { width, height } = frame.getBoundingClientRect();
  return Math.max(1, Math.floor((width * 6) / height + 0.05));
}

function tick() {
  const time = timeLeft(latest);
  byId("countdown").hidden = !time;
  byId("totals").hidden = Boolean(time);
  if (time) ring(byId("countdown"), time);
}
