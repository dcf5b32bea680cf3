// The robot that plays at a console with this shoe: four buttons, here and on the page that frames this
// one. Whoever frames it is the table's own demo page, by the policy this page is served with.
"use strict";

(() => {
  const LOOK_MS = 500;
  /**
   * @typedef {{ table: string, manners: Record<string, string>, playing: string | null, rounds: number, why: string }}
   * Seen
   */

  /** @type {Record<string, string>} */
  const WHY = {
    taken_over: "You have taken over. The robot has stopped.",
    stopped: "Robot stopped. The table is as it left it.",
    stuck: "The robot cannot continue. See the dealer's page.",
  };

  /** @type {Record<string, string>} */
  const MANNERS = { normal: "Normal", fast: "Fast", mistakes: "With mistakes" };

  const section = /** @type {HTMLElement} */ (document.getElementById("dealer"));
  const says = /** @type {HTMLElement} */ (document.getElementById("dealer-says"));
  const buttons = [...section.querySelectorAll("button")];
  let told = "";

  /** @param {Seen} seen */
  function sentence({ playing, manners, rounds, why }) {
    if (!playing) return say(WHY[why] ?? "Let a robot deal at your table.");
    return say("Robot dealing: {how}. Rounds: {n}",
      { how: isChinese ? say(MANNERS[playing] ?? playing) : manners[playing] ?? playing, n: rounds });
  }

  /** @param {Seen} seen */
  function show(seen) {
    section.hidden = false;
    section.classList.toggle("plays", seen.playing !== null);
    for (const button of buttons) {
      const { manner } = button.dataset;
      if (manner === "stop") button.disabled = seen.playing === null;
      else button.setAttribute("aria-pressed", String(manner === seen.playing));
    }
    const text = sentence(seen);
    if (says.textContent !== text) says.textContent = text;
  }

  // Only what is no secret of the table leaves this page: that the shoe is in a round, who plays.
  /** @param {Seen} seen @param {string | null} phase */
  function tell(seen, phase) {
    const asked = told && new URL(told).port === new URL(seen.table).port;
    if (asked) parent.postMessage({ shoe: { phase, playing: seen.playing, why: seen.why } }, told);
  }

  /** @param {string} path @param {RequestInit} [request] */
  async function ask(path, request) {
    const reply = await fetch(path, request);
    return reply.ok ? reply.json() : null;
  }

  /** @param {string} manner */
  async function play(manner) {
    const request = { method: "POST", headers: { "Content-Type": "application/json" }, body: "{}" };
    const seen = /** @type {Seen | null} */ (await ask(`/robot/${manner}`, request));
    if (seen) show(seen);
  }

  async function look() {
    try {
      const [seen, state] = await Promise.all([ask("/robot"), ask("/state")]);
      if (seen) {
        show(seen);
        tell(seen, state?.device?.phase ?? null);
      }
    } catch { /* the page itself says that the emulator is gone */ }
    setTimeout(look, LOOK_MS);
  }

  // The page around this one has the same buttons. Its address is looked at before it is believed.
  addEventListener("message", (event) => {
    const { hostname } = new URL(event.origin);
    if (event.source !== parent || !["127.0.0.1", "localhost"].includes(hostname)) return;
    told = event.origin;
    const wanted = /** @type {{ robot?: unknown }} */ (event.data).robot;
    if (typeof wanted === "string" && buttons.some((each) => each.dataset.manner === wanted)) play(wanted);
  });

  for (const button of buttons) button.addEventListener("click", () => play(button.dataset.manner ?? ""));
  look();
})();
