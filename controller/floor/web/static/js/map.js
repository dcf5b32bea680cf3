// The map by pit: a tile a table. A tile is drawn again only when its table has changed.

import { capital, t, titled } from "/static/js/catalogue.js";
import { h } from "/static/js/dom.js";
import { sentence } from "/static/js/sentences.js";
import { elapsed, floor, short } from "./floor.js";
import { lastResults, octagon } from "./marks.js";

/** @import { Tile } from "./types.d.ts" */
/** @import { Child } from "/static/js/types.d.ts" */

/** @type {Map<string, { tile: Tile, node: HTMLElement }>} */
const drawn = new Map();
/** @type {Map<string, HTMLElement>} */
const pits = new Map();

/** @param {HTMLElement} place */
export function drawMap(place) {
  const tables = [...floor.tiles.values()].sort((a, b) => a.pit.localeCompare(b.pit) || a.table.localeCompare(b.table));
  for (const [table, { node }] of drawn) {
    if (floor.tiles.has(table)) continue;
    node.remove();
    drawn.delete(table);
  }
  for (const tile of tables) {
    const known = drawn.get(tile.table);
    if (known?.tile === tile) continue;
    const node = tileOf(tile);
    if (known && known.tile.pit === tile.pit) known.node.replaceWith(node);
    else {
      known?.node.remove();
      pitOf(place, tile.pit).append(node);
    }
    drawn.set(tile.table, { tile, node });
  }
  place.classList.toggle("few", tables.length <= 24);
  place.classList.toggle("many", tables.length > 60);
  place.classList.toggle("crowd", tables.length > 300);
}

/** @param {HTMLElement} place @param {string} name */
function pitOf(place, name) {
  const known = pits.get(name);
  if (known) return known;
  const row = h("div", { class: "tables" });
  place.append(h("section", { class: "pit" }, h("h2", {}, name || t("Tables")), row));
  pits.set(name, row);
  return row;
}

/** @param {Tile} tile */
function tileOf(tile) {
  const stop = tile.stops[0];
  let kind = stop ? "t stop" : "t";
  if (tile.away) kind = "t away";
  else if (!stop && (tile.phase === "closed" || tile.phase === "changing_shoe")) kind = "t off";
  return h("a", { class: kind, href: `/tables/${tile.table}`, title: tile.title, "data-key": `table-${tile.table}`, "data-since": stop ? String(stop.since) : null, "aria-label": label(tile) }, ...parts(tile));
}

/** @param {Tile} tile @returns {Child[]} */
function parts(tile) {
  const stop = tile.stops[0];
  const name = h("span", { class: "a" }, h("b", {}, tile.table), stop ? octagon(18, tile.away) : h("span", {}, tile.rounds_hour ? `${tile.rounds_hour}/h` : ""));
  const who = h("span", { class: "p" }, tile.dealer ?? "");
  if (tile.away) return [name, h("span", { class: "p" }, t("not heard")), h("span", { class: "p since" }, elapsed(tile.heard))];
  if (stop) return [name, h("span", { class: "p" }, capital(sentence(stop.code, stop.gaps, stop.text))), who, h("span", { class: "p for" }, elapsed(stop.since))];
  const { min, max } = tile.limits;
  return [name, h("span", { class: "p" }, titled("phase", tile.phase), tile.method ? h("i", {}, tile.method) : null), who,
    h("span", { class: "p limits" }, min !== null && max !== null ? `${short(min, tile)}–${short(max, tile)}` : ""), lastResults(tile.results)];
}

/** @param {Tile} tile */
function label(tile) {
  if (tile.away) return `${tile.title}: ${t("not heard")}`;
  const stop = tile.stops[0];
  return `${tile.title}: ${stop ? sentence(stop.code, stop.gaps, stop.text) : titled("phase", tile.phase)}`;
}

// What only time changes.
export function tickMap() {
  for (const { tile, node } of drawn.values()) {
    const stop = tile.stops[0];
    const place = node.querySelector(".for, .since");
    if (!place) continue;
    if (tile.away) place.textContent = elapsed(tile.heard);
    else if (stop) place.textContent = elapsed(stop.since);
  }
}
