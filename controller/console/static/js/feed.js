// The live feed: whole views in order. A page that hears nothing for two seconds says so and is not
// to be acted on; it comes back by itself, from the last step it has.

/** @import { FeedMessage, StaffView } from "./types.d.ts" */

const STALE_MS = 2000;
const LOOK_MS = 200;
const PAUSES_MS = [100, 250, 500, 1000, 2000];

export class Feed {
  // `heard(view, message)` for every view, `beat(message)` for beats, `stale(yes)` when it changes,
  // `refused()` when the feed is not for this person any more.
  /**
   * @param {string} audience
   * @param {{
   *   heard: (view: StaffView, message: FeedMessage) => void,
   *   beat?: (message: FeedMessage) => void,
   *   stale: (stale: boolean) => void,
   *   refused?: (code: number) => void,
   * }} listener
   */
  constructor(audience, { heard, beat = () => {}, stale, refused = () => {} }) {
    this.audience = audience;
    this.heard = heard;
    this.beat = beat;
    this.stale = stale;
    this.refused = refused;
    this.seq = 0;
    /** @type {boolean | null} */
    this.isStale = null;
    /** @type {WebSocket | null} */
    this.socket = null;
    this.opened = 0;
    this.failures = 0;
    this.lastHeard = performance.now();
    this.open();
    setInterval(() => this.look(), LOOK_MS);
  }

  open() {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const after = this.seq ? `?after=${this.seq}` : "";
    const socket = new WebSocket(`${scheme}://${location.host}/feed/${this.audience}${after}`);
    this.socket = socket;
    this.opened = performance.now();
    socket.addEventListener("message", (event) =>
      this.socket === socket && this.take(/** @type {FeedMessage} */ (JSON.parse(event.data))));
    socket.addEventListener("close", (event) => this.socket === socket && this.closed(event.code));
  }

  /** @param {FeedMessage} message */
  take(message) {
    this.lastHeard = performance.now();
    this.failures = 0;
    if (message.type === "beat" && message.seq < this.seq) {
      // Another journal than the one we were following: begin again.
      this.seq = 0;
      this.again();
      return;
    }
    if (message.type !== "beat") {
      this.seq = message.seq;
      this.heard(message.view, message);
    }
    this.beat(message);
    this.say(false);
  }

  /** @param {number} code */
  closed(code) {
    this.socket = null;
    if (code === 4401 || code === 4403) this.refused(code);
    else this.soon();
  }

  soon() {
    const pause = PAUSES_MS[this.failures] ?? PAUSES_MS.at(-1);
    this.failures += 1;
    setTimeout(() => this.socket === null && this.open(), pause);
  }

  again() {
    const old = this.socket;
    this.socket = null;
    old?.close();
    this.soon();
  }

  look() {
    const silent = performance.now() - this.lastHeard > STALE_MS;
    if (silent) this.say(true);
    // A connection that is open and silent is dead, whatever the network says.
    if (silent && this.socket && performance.now() - this.opened > 2 * STALE_MS) this.again();
  }

  /** @param {boolean} stale */
  say(stale) {
    if (stale === this.isStale) return;
    this.isStale = stale;
    this.stale(stale);
  }
}
