// The lobby: phase, limits, dealer and big road of every table, in one stream.

import { t, titled } from "/static/js/catalogue.js";
import { byId, h } from "/static/js/dom.js";
import { load, remembered } from "/static/js/language.js";
import { road } from "/static/js/roads.js";
import { short } from "./floor.js";

/** @import { LobbyMessage, LobbyRow } from "./types.d.ts" */
/** @import { Roads } from "/static/js/types.d.ts" */

const COLUMNS = 24;
/** @type {Map<string, HTMLElement>} */
const drawn = new Map();

/** @type {Record<string, string>} */
const SHOWN = { paused: "Back in a moment", away: "Not available" };

/** @param {LobbyRow} row */
function cardOf(row) {
  const { min, max } = row.limits;
  const marks = /** @type {Roads} */ (/** @type {unknown} */ ({ big_road: row.big_road, results: [] }));
  return h("article", { class: "guest", "data-table": row.table, "data-state": row.state },
    h("header", {}, h("b", {}, row.title), h("span", { class: "state" },
      SHOWN[row.state] ? t(SHOWN[row.state] ?? "") : titled("phase", row.state))),
    h("p", {},
      h("span", {}, min !== null && max !== null ? `${row.currency} ${short(min, row)}–${short(max, row)}` : ""),
      h("span", {}, row.dealer ?? ""),
      h("span", {}, [row.shoe ? t("Shoe {n}", { n: row.shoe }) : null,
        row.round ? t("Round {n}", { n: row.round }) : null].filter(Boolean).join(" · "))),
    road("big_road", marks, COLUMNS, false),
    h("p", {}, h("span", {}, `${titled("hand", "banker")} ${row.counts.banker}`),
      h("span", {}, `${titled("hand", "player")} ${row.counts.player}`),
      h("span", {}, `${titled("hand", "tie")} ${row.counts.tie}`)));
}

/** @param {LobbyMessage} message */
function take(message) {
  const place = byId("tables");
  if (message.whole) {
    place.replaceChildren();
    drawn.clear();
  }
  for (const table of message.gone) {
    drawn.get(table)?.remove();
    drawn.delete(table);
  }
  for (const row of message.tables) {
    const node = cardOf(row);
    const before = drawn.get(row.table);
    if (before) before.replaceWith(node);
    else place.append(node);
    drawn.set(row.table, node);
  }
  document.documentElement.dataset.revision = String(message.revision);
}

function open() {
  const scheme = location.protocol === "https:" ? "wss" : "ws";
  const socket = new WebSocket(`${scheme}://${location.host}/feed/lobby`);
  socket.addEventListener("message", (event) => take(JSON.parse(event.data)));
  socket.addEventListener("close", () => setTimeout(open, 1000 + Math.random() * 2000));
}

await load(remembered(), true);
open();
