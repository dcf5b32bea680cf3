// Opening a commitment in the browser, with nothing of the console's but its numbers.

const DOMAIN = "sabot card commitment 1\0";

/** @param {string} text */
const fromHex = (text) => Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));
/** @param {Uint8Array} bytes */
const toHex = (bytes) => [...bytes].map((each) => each.toString(16).padStart(2, "0")).join("");

// Was this the card behind the commitment?
/** @param {{ commitment: string, salt: string, card: string }} opened */
export async function checked({ commitment, salt, card }) {
  const encoder = new TextEncoder();
  const parts = [encoder.encode(DOMAIN), fromHex(salt), encoder.encode(card)];
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return toHex(new Uint8Array(await crypto.subtle.digest("SHA-256", whole))) === commitment;
}
