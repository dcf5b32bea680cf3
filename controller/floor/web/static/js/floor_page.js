// The floor: exceptions, the map by pit, and how the house stands against theory.

import { t } from "/static/js/catalogue.js";
import { byId, h } from "/static/js/dom.js";
import { get } from "/static/js/http.js";
import { drawExceptions, tickExceptions } from "./exceptions.js";
import { drawMap, tickMap } from "./map.js";
import { start } from "./shell.js";
import { drawHold } from "./trend_plots.js";

/** @import { TrendsPage } from "./types.d.ts" */

const TRENDS_MS = 60_000;
const exceptions = h("section", { class: "exceptions panel", "aria-live": "polite", "aria-label": t("Exceptions") });
const map = h("section", { class: "map panel", "aria-label": t("Tables") });
const trend = h("section", { class: "trend panel", "aria-label": t("Trends") });

byId("work").append(exceptions, h("div", { class: "low" }, map, trend));

function redraw() {
  drawExceptions(exceptions);
  drawMap(map);
}

async function trends() {
  const found = /** @type {TrendsPage | null} */ (await get("/api/trends?hours=24").catch(() => null));
  drawHold(trend, found);
}

await start("floor", redraw);
setInterval(() => { tickExceptions(exceptions); tickMap(); }, 1000);
trends();
setInterval(trends, TRENDS_MS);
