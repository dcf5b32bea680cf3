// Where the seats and their spots lie: an arc as the dealer sees it, seats far, dealer near. Pure
// sums, so that a seat is in the same place whether bets are open (all its spots) or closed (one).

/** @typedef {{ x: number, y: number, w: number, h: number, turn: number }} Box middle, size, and turn in degrees */
/** @typedef {{ width: number, seats: number, small: number, least: number }} Bend what the roundness follows from */
/** @typedef {{ kind: string, row: number, at: number, of: number }} Spot the row, and which of so many in it */
/** @typedef {{ spots: Spot[], rows: number, small: number, more: string[] }} Plan */

export const MAIN = ["player", "banker", "tie"];
/** One spot for all the kinds that have none of their own: it asks which. */
export const MORE = "more";
export const HEAD = 28;
const EDGE = 4;
const GAP = 2;
const ROUNDEST = 0.2;
/** How high a row may be, and what roundness counts with: a wide screen is high too. */
const ROWS = { usual: { most: 84, deep: 74 }, wide: { most: 124, deep: 112 } };
const WIDE = 1600;
const MIN_ROW = 40;
/** What lies under the arc in its middle: the tray with its hint, and how far the arc sags over it. */
const BELOW = 108;

/** The least side of a spot on a page so wide. @param {number} width */
export const leastSpot = (width) => (width < 1180 ? 48 : 64);

// Player, Banker and Tie have a row each; every other kind has a part of the last row, or, where they
// would be too small for a finger, one spot for all of them.
/** @param {string[]} kinds @param {number} width @param {number} seats @param {number} least @returns {Plan} */
export function plan(kinds, width, seats, least) {
  const main = MAIN.filter((kind) => kinds.includes(kind));
  const rest = kinds.filter((kind) => !MAIN.includes(kind));
  const room = Math.floor((width - 2 * EDGE) / seats / (least + GAP / 2));
  const small = rest.length <= room ? rest : [MORE];
  const spots = main.map((kind, row) => ({ kind, row, at: 0, of: 1 }));
  small.forEach((kind, at) => spots.push({ kind, row: main.length, at, of: small.length }));
  return { spots, rows: main.length + (small.length ? 1 : 0), small: small.length,
    more: small[0] === MORE ? rest : [] };
}

/** @param {number} width */
const rowsOf = (width) => (width < WIDE ? ROWS.usual : ROWS.wide);

// As round as the least spots of the innermost row allow.
/** @param {Bend} bend */
function circle({ width, seats, small, least }) {
  const chord = width - 2 * EDGE;
  const needed = seats * small * (least + GAP);
  const half = Math.asin(Math.max(0.02, Math.min(ROUNDEST, (chord - needed) / (2 * (HEAD + 4 * rowsOf(width).deep)))));
  return { half, radius: chord / 2 / Math.sin(half), middle: width / 2 };
}

// Numbers that run counter-clockwise, seen from above, begin at the dealer's right.
/** @param {number} seat from 1 @param {number} seats @param {boolean} clockwise */
const fromLeft = (seat, seats, clockwise) => (clockwise ? seat - 1 : seats - seat);

/** A part of a seat between two depths under the arc's top, one of so many beside each other.
   @param {Bend} bend @param {number} place of the seat, from the left @param {number} top @param {number} deep @param
   {{ at: number, of: number }} [part] @returns {Box} */
function box(bend, place, top, deep, { at, of } = { at: 0, of: 1 }) {
  const { half, radius, middle } = circle(bend);
  const each = (2 * half) / (bend.seats * of);
  const angle = -half + each * (place * of + at + 0.5);
  const out = radius - (top + deep) / 2;
  return {
    x: middle + out * Math.sin(angle),
    y: EDGE + radius - out * Math.cos(angle),
    // The inner side is the shorter one: nothing lies over its neighbour.
    w: 2 * (radius - deep) * Math.tan(each / 2) - GAP,
    h: deep - top - GAP,
    turn: (angle * 180) / Math.PI,
  };
}

/**
 * How high a row of the open arc is in a felt so high; 0: there is no room for an arc.
 * @param {number} width
 * @param {number} height
 * @param {number} rows
 */
export function rowHeight(width, height, rows) {
  const found = Math.min(rowsOf(width).most, (height - HEAD - EDGE - BELOW) / rows);
  return found < MIN_ROW + GAP ? 0 : found;
}

/**
 * Whether the spots fit as an arc, or make a list.
 * @param {number} width
 * @param {number} height
 * @param {number} seats
 * @param {Plan} planned
 */
export function fits(width, height, seats, planned) {
  const widest = width / seats;
  return width >= 720 && rowHeight(width, height, planned.rows) > 0 && widest >= leastSpot(width)
    && widest / planned.small >= 48;
}

/** The seat's number. @param {Bend} bend @param {number} seat @param {boolean} clockwise */
export const headBox = (bend, seat, clockwise) => box(bend, fromLeft(seat, bend.seats, clockwise), 0, HEAD);

/**
 * @param {Bend} bend
 * @param {number} seat
 * @param {boolean} clockwise
 * @param {Spot} spot
 * @param {number} high of a row
 */
export function spotBox(bend, seat, clockwise, spot, high) {
  const top = HEAD + spot.row * high;
  return box(bend, fromLeft(seat, bend.seats, clockwise), top, top + high, spot);
}

/**
 * All of a seat, once bets are closed.
 * @param {Bend} bend
 * @param {number} seat
 * @param {boolean} clockwise
 * @param {number} high
 */
export const bandBox = (bend, seat, clockwise, high) =>
  box(bend, fromLeft(seat, bend.seats, clockwise), HEAD, HEAD + high);

/** How much room an arc takes that goes so deep. @param {Bend} bend @param {number} deep */
export function roomFor(bend, deep) {
  const { half, radius } = circle(bend);
  return EDGE + radius - (radius - deep) * Math.cos(half) + GAP;
}

// --- bets closed: an arc of seats, or a strip of those that matter ------------------------------------

const NARROW = 720;
const HALF_OPEN = 1180;
/** Around a figure in its seat: the widest border, and air. */
const AROUND = 10;
const LINE = 22;
const MIN_BAND = 52;
/** Under and over the cards: their frame, the buttons of a hand or its name and points, the shoe's bar. */
const BESIDE_CARDS = { buttons: 136, none: 124 };

/** How high a seat's part of the band is with so many lines. @param {number} lines */
export const bandHeight = (lines) => Math.max(MIN_BAND, lines * LINE + 6);

/** The least height of a card on a felt so wide. @param {number} width */
const leastCard = (width) => (width < HALF_OPEN ? 96 : 140);

// A figure that is cut reads as another one: it counts as wider than it is, never as narrower.
/**
 * How wide a line is: its shape, and a figure of so many characters.
 * @param {number} width of the felt
 * @param {number} characters
 * @param {boolean} twice
 */
export function lineWidth(width, characters, twice) {
  const [each, gap] = width < HALF_OPEN ? [10.9, 5] : [12.2, 7];
  return (twice ? 25 : 16) + gap + characters * each + AROUND;
}

/**
 * @typedef {{ bend: Bend, felt: number, lines: number, widest: number, buttons: boolean }} Folded what the folded
 * layout has to hold
 */

/**
 * Whether the seats stay an arc: every figure has room in its seat, and the cards have theirs under it.
 * @param {Folded} folded
 */
export function staysArc({ bend, felt, lines, widest, buttons }) {
  if (bend.width < NARROW) return false;
  const high = bandHeight(lines);
  const left = felt - roomFor(bend, HEAD + high) - (buttons ? BESIDE_CARDS.buttons : BESIDE_CARDS.none);
  return bandBox(bend, 1, true, high).w >= widest && left >= leastCard(bend.width);
}

/**
 * The seat and row that an arrow key leads to.
 * @param {string} key
 * @param {{ seat: number, at: number }} from
 * @param {{ seats: number, spots: number }} size
 * @param {boolean} clockwise
 */
export function beside(key, { seat, at }, { seats, spots }, clockwise) {
  const right = clockwise ? 1 : -1;
  const along = { ArrowRight: right, ArrowLeft: -right }[key] ?? 0;
  const down = { ArrowDown: 1, ArrowUp: -1 }[key] ?? 0;
  return { seat: Math.min(seats, Math.max(1, seat + along)), at: Math.min(spots - 1, Math.max(0, at + down)) };
}
