// The floor's feed: all tables once, then those that have changed. It comes back by itself.

/** @import { FloorMessage } from "./types.d.ts" */

const STALE_MS = 4000;
const LOOK_MS = 500;
const PAUSES_MS = [200, 500, 1000, 2000, 4000];

export class FloorFeed {
  /**
   * @param {{ heard: (message: FloorMessage) => void, stale: (stale: boolean) => void, refused: () => void }} listener
   */
  constructor({ heard, stale, refused }) {
    this.heard = heard;
    this.stale = stale;
    this.refused = refused;
    this.failures = 0;
    this.lastHeard = performance.now();
    this.isStale = true;
    this.open();
    setInterval(() => this.look(), LOOK_MS);
  }

  open() {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}/feed/floor`);
    this.socket = socket;
    socket.addEventListener("message", (event) => {
      this.lastHeard = performance.now();
      this.failures = 0;
      this.heard(JSON.parse(event.data));
      this.say(false);
    });
    socket.addEventListener("close", (event) => {
      if (event.code === 4401) {
        this.refused();
        return;
      }
      setTimeout(() => this.open(), PAUSES_MS[this.failures] ?? PAUSES_MS.at(-1));
      this.failures += 1;
    });
  }

  look() {
    if (performance.now() - this.lastHeard < STALE_MS) return;
    this.say(true);
    this.lastHeard = performance.now() - STALE_MS / 2;
    // A connection that is open and silent is dead, whatever the network says.
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.close();
  }

  /** @param {boolean} stale */
  say(stale) {
    if (stale === this.isStale) return;
    this.isStale = stale;
    this.stale(stale);
  }
}
