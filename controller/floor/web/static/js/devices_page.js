// Devices: misreads per thousand by unit and firmware, the worst first.

import { t } from "/static/js/catalogue.js";
import { byId, draw, h } from "/static/js/dom.js";
import { get } from "/static/js/http.js";
import { bar, listing } from "./listing.js";
import { hours, since } from "./periods.js";
import { failed, start } from "./shell.js";

/** @import { UnitRow } from "./types.d.ts" */

const place = h("section", { class: "panel list" });

/** @param {UnitRow} row */
const perThousand = (row) => (row.cards ? (row.misreads / row.cards) * 1000 : 0);

async function load() {
  const found = /** @type {UnitRow[]} */ (await get(`/api/devices?hours=${hours()}`));
  const most = Math.max(...found.map(perThousand), 1);
  draw(place, listing(t("No device activity in this period."),
    [t("Unit"), t("Firmware"), t("Tables"), t("Cards"), t("Misreads per 1,000"), t("Errors"), t("Disconnections")],
    found.map((row) => [
      h("b", {}, row.unit || row.driver), row.firmware || "–", row.tables.join(", "), row.cards.toLocaleString("en-US"),
      bar(perThousand(row) / most, perThousand(row).toFixed(2)), String(row.errors), String(row.link_losses),
    ])));
}

await start("devices", () => {});
byId("work").append(since(load), place);
load().catch(failed);
