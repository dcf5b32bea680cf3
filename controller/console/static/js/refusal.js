// A word that was refused: the dealer's page says so in the headline, with what can be done about it;
// a page without such a place, and a window over the page, say it in a toast.

import { app } from "./app.js";
import { isOpen, toast } from "./dialog.js";

/** @import { Refusal } from "./types.d.ts" */

/** @param {Refusal} refusal */
export function refused(refusal) {
  if (document.getElementById("refusal") && !isOpen()) {
    app.refusal = refusal;
    app.redraw();
    return;
  }
  toast(refusal.text, { tone: refusal.tone, clause: refusal.clause, offer: refusal.offers[0] ?? null });
}

// What was refused is settled, or the table has moved on from it.
export function forgetRefusal() {
  document.getElementById("toasts")?.replaceChildren();
  if (app.refusal === null) return;
  app.refusal = null;
  app.redraw();
}
