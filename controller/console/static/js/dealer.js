// The dealer's page, in four bands: the bar, the headline, the stage (the felt, and a panel beside it
// when something is asked), the actions. Nothing opens over the table that has to be looked at.

import { app } from "./app.js";
import { panel } from "./asks.js";
import { always } from "./always.js";
import { t } from "./catalogue.js";
import { benchOfShoe, runBar } from "./dealer_bar.js";
import { ask } from "./dialog.js";
import { button, byId, draw, h, press } from "./dom.js";
import { bothHands, shoeBar } from "./hands.js";
import { headline } from "./headline.js";
import { haltState, holdList } from "./halt.js";
import { layout } from "./layout.js";
import { phaseStrip } from "./phases.js";
import { forgetRefusal } from "./refusal.js";
import { takeBack } from "./saying.js";
import { personName, sentence } from "./sentences.js";
import { clause, onKeys, start } from "./shell.js";
import { settleDown, shared, shoeIsNext, slot } from "./slots.js";
import { caseTitle, decidedBy } from "./titles.js";
import { aftermath, hasAftermath, stamp, waitingToOpen } from "./voided.js";

/** @import { Child, Done, StaffView } from "./types.d.ts" */

start("dealer", "dealer", redraw).then(() => app.me && runBar());

function redraw() {
  const view = app.view;
  if (!view) return;
  const open = panel(view);
  // The head says all of a single hold: a list is for more of them, and what is asked stands before it.
  const side = [open, view.held.length > 1 ? holdList(view) : null, aftermath(view)];
  haltState(view);
  const shares = shared(view);
  settleDown(view, shares.main);
  phaseStrip(view);
  headline(view);
  byId("work").dataset.state = view.state;
  byId("work").classList.toggle("void-step", view.held.length === 0 && hasAftermath(view));
  layout(byId("seats"), view);
  draw(byId("hands"), [bothHands(view, shares.byHand), stamp(view)]);
  draw(byId("rail"), rail(view));
  draw(byId("side"), side);
  draw(byId("actions"), [
    slot("left", shares, waiting(view, open), waitingToOpen(view)),
    h("div", { class: "always" }, always(view)),
    slot("right", shares, waitingToOpen(view), waitingToOpen(view)),
  ]);
}

/** @param {StaffView} view @param {Child[]} open @returns {Child} */
function waiting(view, open) {
  if (view.state === "closed" || open.length || view.held.length) return h("div", { class: "trace empty" });
  return shoeIsNext(benchOfShoe());
}

// Below the hands: how far the shoe has gone, who has the device, what was told and ruled.
/** @param {StaffView} view */
function rail(view) {
  const told = view.notes.length + view.rulings.length;
  return [
    shoeBar(view),
    view.rest_passed === null ? null : h("span", { class: "drawer" }, t("{n} have passed", { n: view.rest_passed })),
    view.drawer ? h("span", { class: "drawer" }, t("{who} has the device", { who: personName(view.drawer) })) : null,
    told ? button([lastTold(view), h("b", {}, String(told))], () => notices(view),
      { class: "told", "data-key": "notices" }) : null,
  ];
}

// A ruling outlasts what was told beside it.
/** @param {StaffView} view */
function lastTold(view) {
  const ruled = view.rulings.at(-1);
  const note = view.notes.at(-1);
  if (!ruled) return h("span", { class: "last" }, note ? sentence(note.code, note.gaps, note.text) : "");
  return h("span", { class: "last rulings" }, ruled.clause ? h("b", {}, `§ ${ruled.clause} `) : null,
    caseTitle(ruled.id), ruled.text ? ` · ${sentence(ruled.code, ruled.gaps, ruled.text)}` : "");
}

/** @param {StaffView} view */
const notices = (view) => ask(t("Notices"), (/** @type {Done<null>} */ _done) => [
  view.rulings.length ? h("section", { class: "rulings" }, h("h3", {}, t("Rulings")),
    h("ul", {}, [...view.rulings].reverse().map((each) =>
    h("li", {}, clause(each.clause), " ", h("b", {}, caseTitle(each.id)),
      each.text ? ` · ${sentence(each.code, each.gaps, each.text)}` : "", h("small", {}, decidedBy(each)))))) : null,
  h("ul", { class: "notices" }, [...view.notes].reverse()
    .map((each) => h("li", {}, sentence(each.code, each.gaps, each.text)))),
], "beside");

// Enter does what the prompt names, and nothing else; a number or a letter is always the same act.
onKeys((event) => {
  if (event.key === "Escape") {
    if (app.choice) takeBack();
    else forgetRefusal();
  } else if (event.key === "Enter") {
    if (event.target !== document.body) return;
    event.preventDefault(); // what it opens is not pressed by the same key
    press(app.refusal?.offers.some((each) => each.mends) ? "#refusal .mends" : "#actions .step.primary");
  } else if (/^[0-9a-z]$/i.test(event.key) && !app.choice) {
    press(`#work [data-letter="${CSS.escape(event.key.toUpperCase())}"]`);
  }
});
