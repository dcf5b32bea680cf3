// Windows about wagers, for what a touch on the layout does not say: an exact amount, a standing or
// named player, several players on one spot, all of a stack.

import { app, shown } from "./app.js";
import { t } from "./catalogue.js";
import { chips } from "./chips.js";
import { ask, foot, options } from "./dialog.js";
import { button, h } from "./dom.js";
import { spotKey, stacks } from "./layout_spots.js";
import { choose, word } from "./saying.js";
import { money, personName, units, wagerName, wagerText } from "./sentences.js";

/** @import { Done, Option, Wager } from "./types.d.ts" */
/** @import { SpotId } from "./layout_spots.js" */

// --- one spot ----------------------------------------------------------------------------------------

/** Whatever lies on a spot, whose it is, and who placed it. @param {SpotId} spot */
export async function ofSpot(spot) {
  const lying = stacks(shown().wagers).get(spotKey(spot))?.wagers ?? [];
  if (!lying.length) return place(spot);
  const title = `${t("Seat {n}", { n: spot.position })} · ${wagerName(spot.wager)}`;
  const chosen = await ask(title, (/** @type {Done<string>} */ done) => [
    h("ul", { class: "of-spot" }, lying.map((each) => h("li", {},
      h("button", { type: "button", class: "wager", onclick: () => done(each.id), "data-key": `w-${each.id}` },
        h("b", {}, personName(each.player)), h("small", {}, placing(each)),
        h("span", { class: "amount" }, money(each.amount)))))),
    h("footer", {}, button(t("Another player here"), () => done(""), { class: "plain", "data-key": "another" })),
  ]);
  if (chosen === "") return place(spot, { behind: true });
  const wager = lying.find((each) => each.id === chosen);
  return wager ? change(wager) : null;
}

/** @param {Wager} wager */
function placing({ seated, placed_by: by }) {
  const who = by ? t("placed by {who}", { who: personName(by) }) : t("placed by the player");
  return seated ? who : `${t("Standing behind")} · ${who}`;
}

/** @param {Wager} wager */
export async function change(wager) {
  let more = 0;
  const what = wagerText(wager);
  const chosen = await ask(what, (/** @type {Done<"off" | "raise" | "decrease">} */ done, again) => [
    chips((chip) => { more += chip; again(); }),
    h("p", { class: "lead" }, more ? t("Raise or decrease by {n}", { n: money(more) })
      : t("Tap chips to raise or decrease.")),
    button(t("Decrease"), () => done("decrease"),
      { class: "plain", "data-key": "decrease", disabled: more === 0 || more >= wager.amount }),
    button(t("Take the wager off"), () => done("off"), { class: "plain", "data-key": "off" }),
    foot(done, { label: t("Raise"), ready: more > 0, value: () => /** @type {const} */ ("raise") }),
  ]);
  if (chosen === "raise") await word("raise", { id: wager.id, amount: more }, { what });
  if (chosen === "decrease") await word("decrease", { id: wager.id, amount: more }, { what });
  if (chosen === "off") {
    choose({ word: "withdraw", given: { id: wager.id }, label: t("Take off: {what}", { what }), what });
  }
}

// --- any wager ---------------------------------------------------------------------------------------

/** @typedef {{ position: number, wager: string, amount: number, behind: boolean, player: string }} Placing */

// One window for as many wagers as are put down: it stays until it is closed.
let last = { position: 1, wager: "banker" };

/** @param {SpotId} [spot] @param {{ behind?: boolean }} [more] */
export async function place(spot = last, { behind = false } = {}) {
  /** @type {Placing} */
  const state = { ...spot, amount: 0, behind, player: "" };
  await ask(t("Place a wager"), (/** @type {Done<null>} */ done, again) => {
    /** @param {Partial<Placing>} changed */
    const set = (changed) => { Object.assign(state, changed); again(); };
    return [h("div", { class: "placing" }, whoAndWhat(state, set), howMuch(state, set)), footer(state, set, done)];
  }, "full");
  last = { position: state.position, wager: state.wager };
}

/** @param {Placing} state @param {(changed: Partial<Placing>) => void} set */
function whoAndWhat(state, set) {
  const most = app.about?.positions || 9;
  const ids = app.about?.wagers ?? [];
  return [
    h("section", {}, h("h3", {}, t("Position")),
      options(Array.from({ length: most }, (_, n) => /** @type {Option<number>} */ ([n + 1, String(n + 1)])),
        state.position, (position) => set({ position }), "seats numbers"),
      options([[false, t("Seated")], [true, t("Standing behind")]], state.behind,
        (standing) => set({ behind: standing })),
      h("label", { class: "field" }, t("Player's name, where it is not the seat"),
        h("input", { type: "text", maxlength: 40, autocomplete: "off", value: state.player, "data-key": "player-name",
          oninput: ({ target }) => { state.player = target.value.trim(); } }))),
    h("section", {}, h("h3", {}, t("Wager")),
      options(ids.map((id) => /** @type {Option<string>} */ ([id, wagerName(id)])), state.wager,
        (wager) => set({ wager }), ids.length > 12 ? "kinds many" : "kinds")),
  ];
}

// An amount is tapped, or typed to the last coin.
/** @param {Placing} state @param {(changed: Partial<Placing>) => void} set */
function howMuch(state, set) {
  const typed = h("input", {
    type: "number", min: 0, step: "any", inputmode: "decimal", value: state.amount ? state.amount / units(1) : "",
    "data-key": "amount",
    oninput: ({ target }) => {
      state.amount = Math.max(0, Math.round(Number(target.value || 0) * units(1)));
      named(target.closest("dialog"), state);
    },
  });
  return h("section", {}, h("h3", {}, t("Amount")), chips((chip) => set({ amount: state.amount + chip })),
    h("p", { class: "sum" }, money(state.amount),
      button(t("Clear"), () => set({ amount: 0 }),
        { class: "small", disabled: state.amount === 0, "data-key": "clear" })),
    h("label", { class: "field" }, t("Exact amount"), typed));
}

/** @param {Placing} state */
const placeText = (state) => t("Place {amount} on {wager} at {n}",
  { amount: money(state.amount), wager: wagerName(state.wager), n: state.position });

/** @param {Placing} state @param {(changed: Partial<Placing>) => void} set @param {Done<null>} done */
function footer(state, set, done) {
  return h("footer", {},
    button(t("Done"), () => done(null), { class: "plain", "data-key": "done" }),
    button(placeText(state), () => put(state).then((placed) => placed && set({ amount: 0 })),
      { class: "primary", disabled: state.amount === 0, "data-key": "confirm" }));
}

// While an amount is typed nothing is drawn anew: the keyboard stays where it is.
/** @param {Element | null} window @param {Placing} state */
function named(window, state) {
  const confirm = window?.querySelector('[data-key="confirm"]');
  if (!(confirm instanceof HTMLButtonElement)) return;
  confirm.textContent = placeText(state);
  confirm.disabled = state.amount === 0;
}

/** @param {Placing} state */
async function put(state) {
  const player = state.player || (state.behind ? `behind ${state.position}` : `seat ${state.position}`);
  const given = { wager: state.wager, amount: state.amount, position: state.position, player,
    ...(state.behind ? { seated: false } : {}) };
  return word("place", given, { what: wagerName(state.wager) });
}
