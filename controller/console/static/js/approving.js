// The second person: what exactly is approved, and by whom. Nobody says yes to what they do not see.

import { actButtons, inSlots } from "./acts.js";
import { least, me } from "./app.js";
import { card, cardName } from "./cards.js";
import { named, t } from "./catalogue.js";
import { h } from "./dom.js";
import { followsList, ifApproved, ifRefused } from "./follows.js";
import { handName } from "./pickers.js";
import { roleName, secondPerson } from "./pin.js";
import { choose, mayThemselves, teller, word } from "./saying.js";
import { personName, sentence } from "./sentences.js";
import { caseTitle, outcomeTitle, takenOff } from "./titles.js";

/** @import { Ask, Case, Child, CorrectCard, Request, Side, StaffView, TakenOff } from "./types.d.ts" */
/** @import { Step } from "./steps.js" */

/** @param {StaffView} view @param {Ask} asked @returns {Child} */
export function approve(view, asked) {
  const { request, by } = approvalOf(view, asked);
  if (!by) {
    // A device opened the case: the dealer asks first, then somebody else approves.
    return [h("p", { class: "asks" }, t("A void needs two people: request it first.")),
      actButtons(approvalActs(view, asked))];
  }
  const { role, only, notThese } = approvers(asked, by, request);
  return [
    request ? requested(request) : approving(view, asked),
    h("p", { class: "asked-by" }, t("Requested by {who}", { who: personName(by) })),
    h("h3", {}, t("If it is approved")), followsList(ifApproved(view, request)),
    mayThemselves(role, notThese, only) ? null : h("p", { class: "takes" }, who(role, by, only)),
    actButtons(approvalActs(view, asked), "answers"),
  ];
}

/** @param {StaffView} view @param {Ask} asked */
function approvalOf(view, asked) {
  const request = asked.case === view.request?.what ? view.request : null;
  return { request, by: request ? request.by : view.case?.asker,
    what: request ? requestText(request) : approvedText(view, asked) };
}

/** Who may say yes to it. @param {Ask} asked @param {string} by @param {Request | null} request */
const approvers = (asked, by, request) => ({
  role: asked.role ?? least("void"),
  only: request?.given.type === "vouch_for_shoe" ? request.given.verified_by : null,
  notThese: asked.second ? [by] : [],
});

// Yes and no for whoever may say them; where it takes somebody else, that person speaks at this screen.
/** @param {StaffView} view @param {Ask} asked @returns {Step[]} */
export function approvalActs(view, asked) {
  const { request, by, what } = approvalOf(view, asked);
  if (!by) {
    const label = t("Request void");
    return [{ key: "ask", label, solid: true,
      run: () => choose({ word: "approve", given: {}, role: least("ask_for_a_void"), label, what }) }];
  }
  const { role, only, notThese } = approvers(asked, by, request);
  const about = () => [followsList(ifApproved(view, request))];
  // Whoever asked may take a void back, and nothing else.
  const mayRefuse = request ? notThese : [];
  const no = ifRefused(view, request);
  const yes = { label: yesLabel(view, request), what, about, role, only, notThese };
  const not = { label: t("Refuse"), what: `${t("Refuse")}: ${what}`, about: () => h("p", {}, no), role,
    notThese: mayRefuse };
  /** @type {Step} */
  const refuse = { key: "refuse", label: t("Refuse"), note: no, run: () => word("refuse", {}, not) };
  if (mayThemselves(role, notThese, only)) {
    return [refuse, { key: "approve", label: yes.label, note: t("with your PIN"), solid: true,
      run: () => word("approve", {}, yes) }];
  }
  const other = () => {
    const tell = teller("approve", {}, yes);
    const acts = [{ key: "refuse-it", label: t("Refuse"), note: no, tell: teller("refuse", {}, not), plain: true },
      { key: "say-it", label: yes.label, tell }];
    return secondPerson({ me: me(), what, about, role, only, notThese, tell, acts });
  };
  return [
    ...(mayThemselves(role, mayRefuse) ? [refuse] : []),
    // Where nobody at this screen may, the one act is to let somebody come to it: it is solid in its slot.
    { key: "approve", label: t("A second person is here"), solid: inSlots(), run: other },
  ];
}

/** What exactly is said yes to. @param {StaffView} view @param {Request | null} request */
function yesLabel(view, request) {
  if (request) return request.what === "correct" ? t("Approve the correction") : t("Approve");
  return view.case?.approves === "void" ? t("Approve the void") : t("Approve");
}

/** Whose word it takes. @param {import("./types.d.ts").Role} role @param {string} by @param {string | null} only */
function who(role, by, only) {
  if (only) return t("Only {who} may approve.", { who: personName(only) });
  return by === me().who ? t("You requested it: needs a second approval, {role} or above.", { role: roleName(role) })
    : t("Needs {role} or above.", { role: roleName(role) });
}

// --- what somebody asked for ------------------------------------------------------------------------

/** @param {Request} request */
const asksFor = (request) => sentence(request.code, request.gaps, request.text);

/** @param {Request} request */
function requestText(request) {
  switch (request.given.type) {
    case "correct": return t("Correct card {n}", { n: request.given.n });
    case "load_shoe": return t("Replace the shoe");
    case "vouch_for_shoe": return t("Vouch for the shoe");
    case "first_card": return t("The first card, entered by hand");
    case "swap_device": return t("Replace the {device} with another unit",
      { device: named("device", request.given.device) });
    default: return asksFor(request);
  }
}

// A kind that this page does not know is told in the table's own sentence.
/** @param {Request} request */
function requested(request) {
  switch (request.given.type) {
    case "correct": return corrected(request.given, request.reason);
    case "count": return h("p", { class: "lead" }, requestText(request), ". ",
      t("Count the cards yourself before you approve."));
    case "first_card": return h("div", { class: "before-after" },
      h("figure", {}, card(request.given.card), h("figcaption", {}, requestText(request))));
    case "swap_device": return h("p", { class: "lead" }, requestText(request),
      `: ${request.given.identity} · ${request.given.asset}. `, t(request.reason));
    case "load_shoe": return h("p", { class: "lead" },
      t("Replace the shoe: deck set {set}, verified by {by}",
        { set: t(request.given.deck_set), by: personName(request.given.verified_by) }));
    default: return h("p", { class: "lead" }, asksFor(request));
  }
}

/** @param {CorrectCard} given @param {string} reason */
function corrected(given, reason) {
  return h("div", { class: "before-after" },
    h("figure", {}, card(given.before), h("figcaption", {}, t("before"))), h("span", { "aria-hidden": "true" }, "→"),
    h("figure", {}, card(given.card), h("figcaption", {}, t("after"))),
    h("p", {}, t("Card {n}", { n: given.n }), h("br", {}), t(reason)));
}

// --- what a case rests on ---------------------------------------------------------------------------

/** What is approved, in a few words. @param {StaffView} view @param {Ask} asked */
function approvedText({ case: open }, asked) {
  const outcome = open?.decision?.outcome ?? (open?.approves === "void" ? "void" : null);
  return outcome ? `${caseTitle(asked.case)}: ${outcomeTitle(outcome)}` : caseTitle(asked.case);
}

/** @param {StaffView} view @param {Ask} asked @returns {Child} */
function approving(view, asked) {
  const open = view.case;
  const says = h("p", { class: "lead" }, sentence(asked.code, asked.gaps, asked.says));
  switch (open?.approves) {
    case "void": return [h("p", { class: "lead" }, t("Void round {n}?", { n: view.round })), because(open)];
    case "entered_card": return entered(open);
    case "moved_card":
    case "doubt": return [says, saidCards(view, open)];
    case "strike": return [says, h("h3", {}, t("Not honoured")), wagersOff(view, open.about?.wagers ?? [])];
    case "decision": return [says, decided(view, open), because(open)];
    default: return [says, open ? because(open) : null];
  }
}

/** Why, in the words of whoever decided. @param {Case} open */
const because = ({ text }) => (text ? h("p", { class: "because" }, `${t("Reason")}: ${t(text)}`) : null);

/** @param {Case} open */
function entered({ entered: found }) {
  return h("div", { class: "before-after" },
    h("figure", {}, card(found?.card ?? null),
      h("figcaption", {}, t("Card {n}, entered by hand", { n: found?.n ?? "" }))));
}

/** @param {StaffView} view @param {Case} open @returns {Child} */
function decided(view, { decision }) {
  if (!decision) return null;
  return [
    h("p", { class: "lead" }, h("b", {}, outcomeTitle(decision.outcome))),
    decision.remove.length ? wagersOff(view, decision.remove) : null,
    decision.order.length ? cardRow(view, t("In this order"), decision.order, true) : null,
  ];
}

/** @param {StaffView} view @param {TakenOff[]} wagers */
const wagersOff = (view, wagers) => h("ul", { class: "taken-off" },
  wagers.map((each) => h("li", {}, takenOff(view, each))));

// The cards it is about: in the order that was stated, or where they were said to lie.
/** @param {StaffView} view @param {Case} open @returns {Child} */
function saidCards(view, { about, concerns }) {
  if (about?.order.length) return cardRow(view, t("They came in this order"), about.order, true);
  const lies = about?.lies;
  if (lies) {
    return h("div", { class: "said-cards" }, /** @type {Side[]} */
      (["player", "banker"]).map((side) => cardRow(view, t("Reported on: {hand}", { hand: handName(side) }),
        lies[side] ?? [])));
  }
  const numbers = about?.cards.length ? about.cards : concerns;
  return numbers.length ? cardRow(view, t("Cards concerned"), numbers) : null;
}

/** @param {StaffView} view @param {string} title @param {number[]} numbers @param {boolean} [ordered] */
function cardRow(view, title, numbers, ordered = false) {
  return h("figure", { class: "said-cards" }, h("figcaption", {}, title),
    h("div", { class: "before-after" }, numbers.map((n, at) => {
      const face = view.cards.find((each) => each.n === n)?.card ?? null;
      return h("figure", {}, card(face, { label: `${t("Card {n}", { n })}: ${cardName(face)}` }),
        h("figcaption", {}, ordered ? `${at + 1}. ${t("Card {n}", { n })}` : t("Card {n}", { n })));
    })));
}
