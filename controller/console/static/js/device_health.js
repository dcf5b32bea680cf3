// How a device is, in words: the pit's page lists all of them, the dealer's bar has the shoe.

import { app } from "./app.js";
import { t } from "./catalogue.js";

/** @import { Device } from "./types.d.ts" */

/** @param {Device} device */
export const isUp = ({ link }) => link === "up";
/** @param {Device} device */
export const isWell = (device) => isUp(device) && !device.stopped && !(device.errors ?? []).length;

/** How it is, after its name. @param {Device} device */
export function health(device) {
  if (!isUp(device)) return t("not responding");
  if (device.stopped) return t("driver failed");
  if ((device.errors ?? []).length) return t("reports a fault");
  if (device.name !== "shoe") return t("is ready");
  return app.view?.by_hand ? t("cards are entered by hand") : t("OK");
}
