// The map by pit: a tile a table. A tile is drawn again only when its table has changed.

import { capital, t, titled } from "/static/js/catalogue.js";
import { h } from "/static/js/dom.js";
import { sentence } from "/static/js/sentences.js";
import { elapsed, floor, short } from "./floor.js";
import { lastResults, octagon } from "./marks.js";

/** @import { MapTile } from "./types.d.ts" */
/** @import { Child } from "/static/js/types.d.ts" */

const FEW = 24;
const MANY = 60;
const CROWD = 300;

/** @type {Map<string, { tile: MapTile, node: HTMLElement }>} */
const drawn = new Map();
/** @type {Map<string, HTMLElement>} */
const pits = new Map();
let crowd = false;
/** What all names of a crowd begin with: it is left out, because the tiles are as narrow as a number. */
let common = "";

/** @param {HTMLElement} place */
export function drawMap(place) {
  const count = floor.tiles.size;
  if (crowd !== count > CROWD) forget(place);
  if (count > CROWD && count !== drawn.size) common = beginning([...floor.tiles.keys()]);
  crowd = count > CROWD;
  for (const [table, { node }] of drawn) {
    if (floor.tiles.has(table)) continue;
    node.remove();
    drawn.delete(table);
  }
  const changed = [...floor.tiles.values()].filter((tile) => drawn.get(tile.table)?.tile !== tile);
  for (const pit of new Set(changed.filter(drawAnew).map((tile) => tile.pit))) settle(place, pit);
  place.classList.toggle("few", count <= FEW);
  place.classList.toggle("many", count > MANY);
  place.classList.toggle("crowd", crowd);
}

/** Up to a dash that all have in the same place. @param {string[]} names */
export function beginning(names) {
  const first = names[0] ?? "";
  let length = first.lastIndexOf("-") + 1;
  while (length && !names.every((name) => name.startsWith(first.slice(0, length)))) {
    length = first.lastIndexOf("-", length - 2) + 1;
  }
  return first.slice(0, length);
}

/** Tiles of another size are other tiles. @param {HTMLElement} place */
function forget(place) {
  drawn.clear();
  pits.clear();
  place.replaceChildren();
}

/** Whether it has to find its place first. @param {MapTile} tile */
function drawAnew(tile) {
  const known = drawn.get(tile.table);
  const node = tileOf(tile);
  drawn.set(tile.table, { tile, node });
  if (known && known.tile.pit === tile.pit) known.node.replaceWith(node);
  else known?.node.remove();
  return !known || known.tile.pit !== tile.pit;
}

/** In the order of their names, all in one go. @param {HTMLElement} place @param {string} pit */
function settle(place, pit) {
  const all = [...drawn.values()].filter(({ tile }) => tile.pit === pit);
  all.sort((a, b) => (a.tile.table < b.tile.table ? -1 : 1));
  pitOf(place, pit).replaceChildren(...all.map(({ node }) => node));
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

/** @param {MapTile} tile */
function tileOf(tile) {
  const { stop } = tile;
  let kind = stop ? "t stop" : "t";
  if (tile.away) kind = "t away";
  else if (!stop && (tile.phase === "closed" || tile.phase === "changing_shoe")) kind = "t off";
  return h("a", { class: kind, href: `/tables/${tile.table}`, title: tile.title, "data-key": `table-${tile.table}`,
    "data-since": stop ? String(stop.since) : null, "aria-label": label(tile) },
      crowd ? tile.table.slice(common.length) : parts(tile));
}

/** @param {MapTile} tile @returns {Child[]} */
function parts(tile) {
  const { stop, min, max } = tile;
  const name = h("span", { class: "a" }, h("b", {}, tile.table),
    stop ? octagon(18, tile.away) : h("span", {}, tile.rounds_hour ? `${tile.rounds_hour}/h` : ""));
  const who = h("span", { class: "p" }, tile.dealer ?? "");
  if (tile.away) {
    return [name, h("span", { class: "p" }, t("offline")),
      h("span", { class: "p since" }, elapsed(tile.heard))];
  }
  if (stop) {
    return [name, h("span", { class: "p" }, capital(sentence(stop.code, stop.gaps, stop.text))), who,
      h("span", { class: "p for" }, elapsed(stop.since))];
  }
  return [name, h("span", { class: "p" }, titled("phase", tile.phase), tile.method ? h("i", {}, tile.method) : null),
    who,
    h("span", { class: "p limits" }, min !== null && max !== null ? `${short(min, tile)}–${short(max, tile)}` : ""),
    lastResults(tile.results)];
}

/** @param {MapTile} tile */
function label(tile) {
  if (tile.away) return `${tile.title}: ${t("offline")}`;
  const { stop } = tile;
  return `${tile.title}: ${stop ? sentence(stop.code, stop.gaps, stop.text) : titled("phase", tile.phase)}`;
}

// What only time changes.
export function tickMap() {
  for (const { tile, node } of drawn.values()) {
    if (!tile.away && !tile.stop) continue;
    const place = node.querySelector(".for, .since");
    if (place) place.textContent = elapsed(tile.away ? tile.heard : tile.stop?.since ?? 0);
  }
}
