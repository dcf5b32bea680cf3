// What a person saw when they touched: the table's step that was on the screen as the finger or the
// key went down. Whatever they say by it is said of that step, however the table has moved since.

import { app } from "./app.js";

let seen = 0;
let at = 0;

for (const kind of ["pointerdown", "keydown"]) {
  addEventListener(kind, (event) => {
    seen = app.seq;
    at = event.timeStamp;
  }, { capture: true, passive: true });
}

// A screen reader presses without a finger or a key: what it presses is what is shown now.
const LONG_MS = 5000;
addEventListener("click", (event) => {
  if (event.timeStamp - at > LONG_MS) seen = app.seq;
}, { capture: true, passive: true });

/** The step that was shown then. */
export const seenAtTouch = () => seen || app.seq;

/** When it was, on the page's own clock. */
export const touchedAt = () => at;
