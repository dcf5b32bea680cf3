// The proof of a round: its place in the chain, and each commitment worked out anew in this browser.

import { faceText } from "./cards.js";
import { t } from "./catalogue.js";
import { h } from "./dom.js";
import { checked } from "./proof.js";

/** @import { Child, Proof } from "./types.d.ts" */

/** @param {Proof} proof @returns {Child[]} */
export function proofParts(proof) {
  /** @param {boolean} holds */
  const verdict = (holds) => h("b", { class: holds ? "holds" : "broken" }, holds ? t("valid") : t("NOT VALID"));
  const place = h("tbody", {});
  const table = h("table", {}, h("thead", {},
    h("tr", {}, ["Card", "Commitment", "Salt", "Face",
      "Checked in this browser"].map((each) => h("th", { scope: "col" }, t(each))))), place);
  for (const { n, commitment, salt, card: code } of proof.commitments) {
    const cell = h("td", {}, code && salt ? "…" : t("sealed"));
    place.append(h("tr", {}, h("td", {}, String(n)), h("td", {}, h("code", {}, commitment)),
      h("td", {}, h("code", {}, salt ?? "")), h("td", {}, faceText(code)), cell));
    if (code && salt) checked({ commitment, salt, card: code }).then((holds) => cell.replaceChildren(verdict(holds)));
  }
  return [
    h("h3", {}, t("Proof")),
    h("p", {}, t("Records {a} to {b} of the journal; the chain", { a: proof.first, b: proof.last }), " ",
      verdict(proof.chain_holds), ". ",
      t("Journal head: record {n}.", { n: proof.head.seq })),
    h("p", {}, h("span", { class: "soft" }, t("Head")), " ", h("code", {}, proof.head.digest)),
    proof.commitments.length
      ? [h("p", { class: "soft" },
        t("Each commitment is SHA-256 of “sabot card commitment 1”, a zero byte, the salt and the card code. "
          + "Your browser has recomputed them:")), table]
      : h("p", { class: "soft" }, t("No card of this round was sealed.")),
    h("details", {}, h("summary", {}, t("Records")),
      h("ol", { class: "records" },
        proof.records.map((each) => h("li", {}, `#${each.seq} `, h("code", {}, each.digest), " ",
          verdict(each.fits))))),
  ];
}
