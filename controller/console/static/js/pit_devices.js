// The devices as a pit needs them: whether each works, in a sentence. Ports, drivers and counters are a
// technician's, who has `sabot device`.

import { app } from "./app.js";
import { named, t, titled } from "./catalogue.js";
import { health, isUp, isWell } from "./device_health.js";
import { ask, foot } from "./dialog.js";
import { button, byId, draw, h } from "./dom.js";
import { get } from "./http.js";
import { mayConfirm, reasons } from "./pickers.js";
import { word } from "./saying.js";
import { icon } from "./signs.js";

/** @import { Device, Done, FloorLink } from "./types.d.ts" */

/** @type {Device[] | null} null: not looked yet */
let devices = null;
/** @type {FloorLink | null} */
let floor = null;

export async function lookAtDevices() {
  try {
    ({ devices, floor } = /** @type {{ devices: Device[], floor: FloorLink | null }} */ (await get("/api/devices")));
    drawDevices();
  } catch {
    // The banner says so when the console is away.
  }
}

export function drawDevices() {
  if (devices === null) return;
  const ill = devices.filter((each) => !isWell(each)).length;
  draw(byId("devices"), [
    h("header", { class: "task" }, h("h2", {}, t("Devices")),
      devices.length ? h("p", { class: "soft" },
        ill ? t("{n} of {all} need a look", { n: ill, all: devices.length }) : t("all OK")) : null),
    devices.length === 0 && h("p", { class: "soft" }, t("No devices: cards are entered by hand.")),
    h("ul", {}, devices.map(one), floor ? toTheFloor(floor) : null),
  ]);
}

/** @param {Device} device */
function one(device) {
  const well = isWell(device);
  return h("li", { class: well ? "up" : "down" }, icon(well ? "done" : "warn"),
    h("div", {}, h("p", {}, h("b", {}, titled("device", device.name)), " ",
      h("span", { class: "link" }, health(device))),
      h("small", {}, work(device)),
      (device.errors ?? []).map((error) => h("small", { class: "error" }, `${error.code}: ${error.says}`,
        error.must_clear ? ` · ${t("clear it at the device")}` : null)),
      h("p", { class: "row" },
        device.name === "shoe" ? readBy() : null,
        startable(device) ? button(t("Start a shuffle"), startShuffle, { class: "small", "data-key": "start-shuffle" })
          : null,
        app.view?.can.includes("swap_device")
          ? button(t("Swap the unit"), () => swapDevice(device.name, device.identity),
            { class: "small", "data-key": `swap-${device.name}` }) : null,
        device.bench ? h("a", { href: device.bench, target: "_blank", rel: "noreferrer" }, t("Emulator panel"))
          : null)));
}

/** The link to the floor: it never stops play, and says what waits. @param {FloorLink} link */
function toTheFloor(link) {
  const well = link.connected && ["asking", "sending"].includes(link.state);
  return h("li", { class: well ? "up" : "down" }, icon(well ? "done" : "warn"),
    h("div", {}, h("p", {}, h("b", {}, t("Floor")), " ", h("span", { class: "link" }, linkWords(link))),
      link.unsent ? h("small", {}, link.unsent === 1 ? t("1 record not yet received")
        : t("{n} records not yet received", { n: link.unsent })) : null,
      link.refused ? h("small", { class: "error" }, link.refused) : null));
}

/** @param {FloorLink} link */
function linkWords(link) {
  if (link.state === "diverged") return t("its history of this table differs");
  if (link.state === "refused") return t("it refuses this table's records");
  return link.connected ? t("connected") : t("not connected; play continues");
}

/** Whether the pit can have it begin from here. @param {Device} device */
const startable = (device) => isUp(device) && !device.stopped && (device.takes ?? []).includes("StartShuffle")
  && app.view?.can.includes("start_shuffle");

// It moves cards: confirmed once, then the machine says itself how it gets on.
async function startShuffle() {
  const what = t("The shuffler starts");
  await ask(what, (/** @type {Done<boolean>} */ done) => [
    h("p", {}, t("Keep hands and cards clear. A verified pack inside is shuffled again.")),
    foot(done, { label: t("Start a shuffle"), ready: true, value: () => true }),
  ], "", () => word("start_shuffle", {}, { what, label: what }));
}

/** What it has done, where that tells a pit anything. @param {Device} device */
function work({ model, counts = {} }) {
  const read = counts.CardRead ?? 0;
  const missed = counts.ReadFailed ?? 0;
  const unread = missed === 0 ? t("none unread") : t("{n} unread", { n: missed });
  return [model ?? "", read || missed ? `${t("{n} cards read", { n: read })}, ${unread}` : ""].filter(Boolean)
    .join(" · ");
}

// Who reads the cards: the shoe, or people. Either way it takes two, and a reason.
function readBy() {
  const manual = app.view?.by_hand ?? null;
  if (manual?.only || !app.view?.can.includes(manual ? "use_shoe" : "deal_by_hand")) return null;
  const what = manual ? t("The shoe reads the cards again") : t("Enter cards by hand");
  const given = manual ? ["Repaired", "Replaced"] : ["Faulty", "Due for service"];
  const run = () => {
    /** @type {import("./pickers.js").Reasoned} */
    const state = { reason: null, ready: () => Boolean(state.reason) };
    return ask(what, (/** @type {Done<typeof state>} */ done, again) => [
      h("h3", {}, t("Reason")), reasons(given, state, again),
      foot(done, { label: t("Confirm"), ready: state.ready(), value: () => state }),
    ], "", (told) => word(manual ? "use_shoe" : "deal_by_hand", { reason: told.reason }, { what, label: what }));
  };
  return button(what, run, { class: "small", "data-key": "read-by" });
}

// Another unit in a device's place: which one, by the plate on it. A second person approves.
/** @param {string} device @param {string | null} identity */
async function swapDevice(device, identity) {
  /** @type {import("./pickers.js").Reasoned & { identity: string, asset: string }} */
  const state = { identity: identity ?? "", asset: "", reason: null,
    ready: () => Boolean(state.identity && state.asset && state.reason) };
  const what = t("Replace the {device} with another unit", { device: named("device", device) });
  /** @param {"identity" | "asset"} name @param {string} label */
  const field = (name, label) => h("label", { class: "field" }, h("span", {}, t(label)), h("input", {
    type: "text", maxlength: "64", value: state[name], "data-key": name,
    oninput: (event) => {
      state[name] = event.target.value.trim();
      mayConfirm(event.target, state.ready());
    },
  }));
  await ask(what, (/** @type {Done<typeof state>} */ done, again) => [
    field("identity", "Identity of new unit"), field("asset", "Asset number on its plate"),
    h("h3", {}, t("Reason")), reasons(["Faulty", "Due for service", "Moved to another table"],
      state, again),
    foot(done, { label: t("Confirm"), ready: state.ready(), value: () => state }),
  ], "", (told) => word("swap_device", { device, identity: told.identity, asset: told.asset, reason: told.reason },
    { what, label: what }));
}
