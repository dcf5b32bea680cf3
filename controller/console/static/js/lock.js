// The lock: the table goes on behind it, and no card is lost by it.

import { app, me } from "./app.js";
import { t } from "./catalogue.js";
import { closeAll } from "./dialog.js";
import { button, byId, h } from "./dom.js";
import { post, Problem, signedIn } from "./http.js";
import { pad, wrong } from "./pin.js";

/** @import { Me } from "./types.d.ts" */

const HERE_MS = 20000;

// Nobody acts on an old page, at a locked one, or before the last word has been answered.
export function usable() {
  byId("work").inert = app.stale || app.locked || app.busy > 0;
  byId("bar").inert = app.locked;
}

export async function signOut() {
  await post("/api/sign-out").catch(() => null);
  location.replace("/");
}

/** @param {boolean} locked */
export function lockScreen(locked) {
  if (locked === app.locked) return;
  app.locked = locked;
  const place = byId("lock");
  place.hidden = !locked;
  usable();
  if (!locked) {
    place.replaceChildren(); // nothing of it takes the keyboard from what is asked next
    return;
  }
  closeAll();
  place.replaceChildren(h("section", { role: "dialog", "aria-modal": "true", "aria-labelledby": "lock-title" },
    h("h2", { id: "lock-title" }, t("Locked")),
    h("p", {}, t("{name}, enter your PIN. Play continues.", { name: me().name })),
    pad(unlock),
    button(t("Sign out"), signOut, { class: "plain" })));
  place.querySelector("input")?.focus();
}

/** What was wrong, if anything was. @param {string} secret */
async function unlock(secret) {
  try {
    app.me = signedIn(/** @type {Me} */ (await post("/api/unlock", { secret })));
    lockScreen(app.me.locked);
    app.redraw();
    return null;
  } catch (error) {
    return wrong(Problem.of(error).text);
  }
}

export function stillHere() {
  let said = performance.now();
  const touched = () => {
    if (app.locked || performance.now() - said < HERE_MS) return;
    said = performance.now();
    post("/api/here").catch(() => null);
  };
  for (const kind of ["pointerdown", "keydown"]) addEventListener(kind, touched, { capture: true, passive: true });
}
