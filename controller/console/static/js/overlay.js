// What a studio lays over its picture: the parts it asks for, on plates, inside the title-safe frame.

import { both } from "./bilingual.js";
import { drawCall, winner } from "./call.js";
import { t } from "./catalogue.js";
import { byId, draw, h, must } from "./dom.js";
import { emptyHands, Hands, SIDES } from "./public_hands.js";
import { limitRows } from "./public_limits.js";
import { asked, begin, follow, now, Scores, timeLeft, writtenNow } from "./public.js";
import { ring } from "./ring.js";
import { road, ROADS } from "./roads.js";

/** @import { PublicView, Roads, Side } from "./types.d.ts" */

const COLUMNS = 24;
const PARTS = ["cards", "result", "roads", "limits", "clock"];
document.documentElement.dataset.roads = "ink"; // unless the address asks for paper
const about = await begin();
const shown = new Set((asked.get("show") ?? PARTS.join(",")).split(",").filter((part) => PARTS.includes(part)));
document.documentElement.dataset.show = [...shown].join(" ");
/** @type {PublicView | null} */
let latest = null;

const [player, banker] = emptyHands();
byId("player").replaceWith(must(player));
byId("banker").replaceWith(must(banker));
byId("line").hidden = !shown.has("clock");
const hands = new Hands(byId("hands"), { pips: false });
const scores = new Scores(drawRoads);
follow((view, moving) => {
  latest = view;
  // Of a void round the call carries what the stamp says: there is no room for both.
  drawCall(byId("call"), view, moving, true);
  hands.draw(view, moving);
  for (const side of SIDES) totalOf(view, side);
  parts(view);
  limits(view);
  line(view);
  if (shown.has("roads")) scores.look(view);
  if (scores.latest) drawRoads(scores.latest);
  tick();
});
setInterval(tick, 250);

// Which parts are there: the hands leave while nothing lies on the table.
/** @param {PublicView} view */
function parts(view) {
  const lies = SIDES.some((side) => view.hands[side].length);
  for (const side of SIDES) hand(side).hidden = !shown.has("cards") || !lies;
  byId("middle").hidden = !shown.has("result");
  byId("hands").hidden = !shown.has("result") && !(shown.has("cards") && lies);
  byId("manual").hidden = !view.manual || !shown.has("cards");
  draw(byId("manual"), both("Card entered by hand"));
}

/** @param {Side} side */
const hand = (side) => /** @type {HTMLElement} */ (must(byId("hands").querySelector(`[data-side="${side}"]`)));

// Beside the cards, towards the middle.
/** @param {PublicView} view @param {Side} side */
function totalOf(view, side) {
  const points = view.totals[side];
  const won = winner(view);
  const place = hand(side).querySelector("output") ?? hand(side).appendChild(h("output"));
  place.className = `${won !== null && won !== side && won !== "tie" ? "lost" : ""} ${points === null ? "none" : ""}`;
  place.textContent = points === null ? "–" : String(points);
}

/** @param {PublicView} view */
function limits(view) {
  byId("limits").hidden = !shown.has("limits");
  draw(byId("limits"), [
    h("header", {}, h("strong", {}, view.table ?? ""), h("span", {}, about?.title ?? "")),
    ...limitRows(view.limits, about?.wagers ?? [])]);
}

/** @param {Roads} found */
function drawRoads(found) {
  const newest = writtenNow(found, latest);
  byId("roads").hidden = !shown.has("roads");
  draw(byId("roads"), [
    h("header", {}, h("span", {}, both(ROADS.big_road)),
      SCORES.map((name) => h("b", {}, h("i", { class: `disc ${name}` }), String(found.counts[name])))),
    road("big_road", found, COLUMNS, newest)]);
}
/** @type {(Side | "tie")[]} */
const SCORES = ["banker", "player", "tie"];

// One line that nothing moves: a recording is searched by it.
/** @param {PublicView} view */
function line(view) {
  draw(byId("place"), [t("Shoe {n}", { n: view.shoe }), " · ", t("Round {n}", { n: view.round })]);
  draw(byId("ref"), [t("Round id"), " ", h("b", {}, view.ref ?? roundId(view))]);
}

/** @param {PublicView} view */
function roundId({ table, shoe, round }) {
  const name = (table ?? "").toUpperCase().replace(/[^\p{L}\p{N}]/gu, "");
  return [name, ...[shoe, round].map((n) => String(n).padStart(4, "0"))].filter(Boolean).join("-");
}

function tick() {
  const time = timeLeft(latest);
  byId("countdown").hidden = !time;
  if (time) ring(byId("countdown"), time);
  draw(byId("clock"), [h("b", {}, new Date(now() * 1000).toISOString().slice(0, 19).replace("T", " ")), " UTC"]);
}
