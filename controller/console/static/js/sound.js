// Tones when the table stops and when it goes on: off, soft or loud, as each person wants it at this
// screen. They are made here, and only ever say what everybody may see: that the table is held, or not.

import { me } from "./app.js";

/** @typedef {"off" | "soft" | "loud"} Loudness */

/** @type {Loudness[]} */
export const LOUDNESS = ["off", "soft", "loud"];
/** @type {Record<Loudness, number>} */
const GAIN = { off: 0, soft: 0.08, loud: 0.5 };
/**
 * Two falling tones, or two rising ones: hertz, and seconds from the beginning.
 * @type {Record<"halt" | "end", [number, number][]>}
 */
const TONES = { halt: [[660, 0], [440, 0.22], [660, 0.55], [440, 0.77]], end: [[440, 0], [660, 0.18]] };
const TONE_S = 0.2;

/** @returns {Loudness} */
export function loudness() {
  const kept = localStorage.getItem(`sound:${me().who}`);
  return LOUDNESS.find((each) => each === kept) ?? "soft";
}

/** @param {Loudness} chosen */
export function setLoudness(chosen) {
  localStorage.setItem(`sound:${me().who}`, chosen);
  sound("end");
}

/** @type {AudioContext | null} */
let speaker = null;

// A browser lets a page be heard once somebody has touched it.
function open() {
  speaker ??= new AudioContext();
  if (speaker.state === "suspended") speaker.resume().catch(() => {});
}
addEventListener("pointerdown", open);
addEventListener("keydown", open);

/** @param {"halt" | "end"} what */
export function sound(what) {
  const gain = GAIN[loudness()];
  if (!speaker || gain === 0) return;
  for (const [hertz, after] of TONES[what]) tone(speaker, hertz, gain, speaker.currentTime + after);
}

/** @param {AudioContext} audio @param {number} hertz @param {number} gain @param {number} from */
function tone(audio, hertz, gain, from) {
  const voice = audio.createOscillator();
  const level = audio.createGain();
  voice.frequency.value = hertz;
  // Begins and ends gently: a step would click.
  level.gain.setValueAtTime(0, from);
  level.gain.linearRampToValueAtTime(gain, from + 0.02);
  level.gain.linearRampToValueAtTime(0, from + TONE_S);
  voice.connect(level).connect(audio.destination);
  voice.start(from);
  voice.stop(from + TONE_S);
}
