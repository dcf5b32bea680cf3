// Trends: each book's hold and results against its exact odds.

import { t, titled } from "/static/js/catalogue.js";
import { byId, draw, h } from "/static/js/dom.js";
import { get } from "/static/js/http.js";
import { hours, since } from "./periods.js";
import { failed, start } from "./shell.js";
import { drawHold, mixPlot } from "./trend_plots.js";

/** @import { TrendsPage } from "./types.d.ts" */

const hold = h("section", { class: "trend panel wide" });
const mix = h("section", { class: "panel mixes" });

async function load() {
  const found = /** @type {TrendsPage | null} */ (await get(`/api/trends?hours=${hours()}`).catch(unread));
  drawHold(hold, found);
  mix.hidden = !found?.books.length;
  if (!found) return;
  draw(mix, found.books.map((book) => [h("h2", {}, t("Results: {book}", { book: book.title })),
    h("p", { class: "soft" },
      t("Bar: expected range (95 %). Line: exact odds. Dot: actual result.")), mixPlot(book),
    h("ul", { class: "chances" }, book.mix.filter((each) => each.chance < 0.05)
      .map((each) =>
        h("li", {}, t("{result}: by chance in {p} of 100",
          { result: titled("hand", each.result), p: (each.chance * 100).toFixed(1) }))))]).flat());
}

/** @param {unknown} error */
function unread(error) {
  failed(error);
  return null;
}

await start("trends", () => {});
hold.append(h("p", { class: "soft" }, t("Calculating odds …")));
mix.hidden = true;
byId("work").append(since(load), h("div", { class: "two" }, hold, mix));
load().catch(failed);
