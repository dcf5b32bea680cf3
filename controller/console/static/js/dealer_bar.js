// What the dealer's bar has besides: how the shoe is, and the time.

import { app } from "./app.js";
import { titled } from "./catalogue.js";
import { health, isWell } from "./device_health.js";
import { byId, clock, draw, h } from "./dom.js";
import { get } from "./http.js";
import { icon } from "./signs.js";

/** @import { Device } from "./types.d.ts" */

const LOOK_MS = 5000;
const TICK_MS = 1000;

/** @type {Device | null} */
let shoe = null;

/** Where an emulated shoe has its own page: that is where a newcomer draws the cards. */
export const benchOfShoe = () => shoe?.bench ?? null;

// From now on the shoe is looked at, and the clock runs.
export function runBar() {
  place("health");
  tick();
  setInterval(tick, TICK_MS);
  look();
}

async function look() {
  try {
    const { devices } = /** @type {{ devices: Device[] }} */ (await get("/api/devices"));
    const before = benchOfShoe();
    shoe = devices.find((each) => each.name === "shoe") ?? null;
    drawShoe();
    if (benchOfShoe() !== before) app.redraw();
  } catch {
    // The banner says so when the console is away.
  }
  setTimeout(look, LOOK_MS);
}

function drawShoe() {
  const now = shoe;
  const says = now && `${titled("device", now.name)} ${health(now)}`;
  draw(place("health"), now ? [icon(isWell(now) ? "shoe" : "warn"), h("span", {}, says)] : null);
}

function tick() {
  place("clock").textContent = clock(Date.now() / 1000 - app.skew).slice(0, 5);
}

/** @param {string} id */
function place(id) {
  const made = document.getElementById(id) ?? h("span", { id });
  if (!made.isConnected) byId("bar").querySelector("nav")?.before(made);
  return made;
}
