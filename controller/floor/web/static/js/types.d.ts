// What the floor sends, made from its structs by `make generate ONLY=page-types`.

export interface Acknowledged {
  /** How many were still open and unacknowledged. */
  acknowledged: number;
}

export interface ArchiveRow {
  table: string;
  epoch: number;
  month: string;
  first: number;
  last: number;
  file: string;
  verified: number | null;
}

/** The decision that the table waits for, and by whom. */
export interface Ask {
  do: string;
  says: string;
  code: string;
  gaps: Record<string, string | number | (string | number)[] | null>;
  role: string | null;
  clause: string | null;
  second: boolean;
  /** Whether it needs an approval at the table. */
  there: boolean;
  since: number | null;
}

/** The share of the drop that was kept up to a moment, and its range in 95 of 100 cases. */
export interface BandPoint {
  at: number;
  value: number;
  low: number;
  high: number;
}

/** The cards on the layout; null for a face-down card. */
export interface BoardHands {
  player: (string | null)[];
  banker: (string | null)[];
}

export interface BoardLimits {
  min: number | null;
  max: number | null;
  differential: number | null;
}

/** The prompt of the table's own screen; `code` is null if there is nothing to do. */
export interface BoardPrompt {
  do: string;
  code: string | null;
  gaps: Record<string, string | number | (string | number)[] | null>;
}

export interface BoardTotals {
  player: number | null;
  banker: number | null;
}

/** The part of a table's pit view that the floor uses. */
export interface BoardView {
  state: string;
  phase: string;
  round: number | null;
  shoe: number | null;
  method: string | null;
  dealer: string | null;
  limits: BoardLimits;
  results: string[];
  held: Stop[];
  asks: Ask[];
  can: string[];
  close_after: boolean;
  void: string | null;
  hands: BoardHands;
  totals: BoardTotals;
  prompt: BoardPrompt | null;
  methods: OfferedMethod[];
  /** The commands that the table accepts from the floor; None: not given. */
  floor_may: string[] | null;
}

export interface BookTrend {
  rulebook: string;
  title: string;
  rounds: number;
  drop: number;
  kept: number;
  /** The expected share of the drop, by the stakes on each wager. */
  theory: number;
  /** The probability that luck alone leads as far off. */
  chance: number;
  hold: BandPoint[];
  mix: MixRow[];
  /** Whether there are enough rounds for the band and the probability of the hold. */
  enough: boolean;
  /** Rounds in stretches with a wager that this release of the book does not know. */
  left_out: number;
}

/** The counts at the head of the page. */
export interface Counts {
  stopped: number;
  in_play: number;
  changing_shoe: number;
  closed: number;
  away: number;
  tables: number;
}

/** Totals of one dealer. */
export interface DealerRow {
  dealer: string;
  rounds: number;
  /** Hours in which they dealt at all. */
  hours: number;
  voids: number;
  corrections: number;
  irregularities: Record<string, number>;
}

/** One device in a beat. */
export interface DeviceBeat {
  name: string;
  driver: string;
  link: string;
  unit: string;
  firmware: string;
  cards: number;
  misreads: number;
}

export interface EventRow {
  at: number;
  who: string;
  what: string;
  says: string;
}

/** One row of the list of exceptions. */
export interface ExceptionRow {
  table: string;
  title: string;
  pit: string;
  kind: string;
  since: number;
  text: string;
  code: string | null;
  gaps: Record<string, string | number | (string | number)[] | null>;
  clause: string | null;
  /** The role that can decide; higher ones may too. */
  role: string | null;
  order: number;
  /** The command that ends the wait; None if there is nothing to decide yet. */
  waits_for: string | null;
  /** Whether it needs an approval by somebody at the table. */
  there: boolean;
  then: string;
  then_code: string | null;
  /** The instruction, as the table sends it. */
  then_gaps: Record<string, string | number | (string | number)[] | null>;
  ids: number[];
  acknowledged_by: string | null;
  seq: number;
  /** The number of further ones of the same table that this row represents. */
  more: number;
}

/** `whole`: these are all tables; else those that have changed. */
export interface FloorMessage {
  type: "floor";
  revision: number;
  whole: boolean;
  now: number;
  tiles: MapTile[];
  counts: Counts;
  /** None: unchanged. */
  exceptions: ExceptionRow[] | null;
  store_down: string | null;
}

/** The board, for clients without a feed. */
export interface FloorPage {
  revision: number;
  now: number;
  tiles: Tile[];
  counts: Counts;
  exceptions: ExceptionRow[];
  /** Why the database is down; null while it is up. */
  store_down: string | null;
}

/** Who is signed in. */
export interface FloorPerson {
  who: string;
  name: string;
  role: string;
  language: string;
  csrf: string;
  locked: boolean;
  idle_s: number;
  /** The site's time zone, as the tz database names it. */
  zone: string;
  site: string;
  title: string;
  demo: boolean;
  /** The floor's acts that they may do, by the rows of the approvals. */
  may: string[];
  /** The roles, lowest first. */
  ladder: string[][];
}

/** One round as stored at the floor. */
export interface FloorRound {
  table: string;
  epoch: number;
  summary: number;
  shoe: number;
  round: number;
  ref: string | null;
  began: number;
  ended: number;
  dealer: string | null;
  deck_set: string;
  rulebook: string;
  method: string;
  result: string | null;
  void: string | null;
  corrected: boolean;
  rulings: Ruled[];
  drop_minor: number;
  hold_minor: number;
  first: number;
  last: number;
  supersedes: number | null;
  superseded: boolean;
}

/** The staff of a demonstration; empty on a live floor. */
export interface FloorStaff {
  demo: boolean;
  title: string;
  staff: FloorStaffMember[];
}

/** A person who can sign in at a demonstration. */
export interface FloorStaffMember {
  who: string;
  name: string;
  role: string;
  language: string;
  locked: boolean;
  /** The PIN, shown to everybody. */
  secret: string | null;
}

export interface Health {
  lives: boolean;
}

export interface LanguageList {
  languages: SpokenLanguage[];
}

/** One person of the site. */
export interface LicensedPerson {
  who: string;
  name: string;
  role: string;
  /** Seconds since 1970; from then on this person opens no betting. */
  until: number;
  /** Rulebooks by id; `*` for all. */
  games: string[];
}

export interface LimitsDocument {
  kind: "limits";
  /** Empty for all tables of the site. */
  table: string;
  version: number;
  made: number;
  made_by: string;
  document: SiteLimits;
}

/** A sentence by its code; `text` is English with the table's own currency. */
export interface LiveSentence {
  code: string;
  gaps: Record<string, string | number | (string | number)[] | null>;
  text: string;
}

/** `whole`: these are all tables; else those that have changed, and the names of removed ones. */
export interface LobbyMessage {
  type: "lobby";
  revision: number;
  whole: boolean;
  now: number;
  tables: LobbyRow[];
  gone: string[];
}

/** One table for guests. */
export interface LobbyRow {
  table: string;
  title: string;
  /** The phase; `paused` while it is stopped, `away` while it is silent. */
  state: string;
  rulebook: string;
  shoe: number | null;
  round: number | null;
  limits: BoardLimits;
  currency: string;
  minor_units: number;
  /** Set if the site shows the names of dealers. */
  dealer: string | null;
  big_road: [number, number, string, number][];
  counts: ShoeCounts;
}

/** The first hold of a table, as its tile shows it. */
export interface MapStop {
  code: string;
  gaps: Record<string, string | number | (string | number)[] | null>;
  text: string;
  since: number;
}

/** The data that the map draws of a table, and no more: a screen gets a thousand of them at once. */
export interface MapTile {
  table: string;
  title: string;
  pit: string;
  phase: string;
  method: string | null;
  dealer: string | null;
  min: number | null;
  max: number | null;
  minor_units: number;
  /** One letter for each result. */
  results: string;
  stop: MapStop | null;
  seq: number;
  away: boolean;
  heard: number;
  rounds_hour: number;
}

/** One result: its actual and expected frequency, and the probability of such a deviation. */
export interface MixRow {
  result: string;
  seen: number;
  expected: number;
  low: number;
  high: number;
  chance: number;
}

/** An order that a table rejected unjudged, from its journal. */
export interface NotTakenRow {
  table: string;
  at: number;
  who: string;
  /** None if the table only counted them. */
  outcome: string | null;
  orders: number;
  seq: number;
}

/** The body of a request without fields. */
export interface Nothing {
}

/** A method of dealing that can be chosen at a table. */
export interface OfferedMethod {
  id: string;
  clause: string;
  /** The role that may choose it. */
  chosen_by: string;
}

/** The table's answer; `seq` is the number of its record. */
export interface OrderAnswer {
  id: string;
  outcome: OrderOutcome;
  seq: number;
  code: string | null;
  text: string;
  clause: string | null;
}

export type OrderOutcome =
  "accepted" | "refused" | "forged" | "replayed" | "expired" | "wrong_table" | "not_from_floor" | "moved_on" |
  "not_a_word" | "busy" | "stopped";

export interface OrderRow {
  id: string;
  table: string;
  word: string;
  who: string;
  role: string;
  seen: number;
  made: number;
  outcome: string | null;
  answer: OrderAnswer | null;
  answered: number | null;
}

export interface People {
  licences: LicensedPerson[];
}

export interface PeopleDocument {
  kind: "people";
  /** Empty for all tables of the site. */
  table: string;
  version: number;
  made: number;
  made_by: string;
  document: People;
}

/** What the floor can prove: its head of each table, and its roots. */
export interface ProofPage {
  heads: ProofRow[];
  roots: RootRow[];
  archives: ArchiveRow[];
}

export interface ProofRow {
  table: string;
  epoch: number;
  seq: number;
  digest: string;
  received: number;
  revoked: boolean;
  title: string;
  /** As the table reports it; -1 if it is away. */
  unsent: number;
  /** Records on the table's disk beyond what the floor has. */
  ahead: number;
}

export interface Published {
  version: number;
}

export interface RootRow {
  hour: number;
  root: string;
  stamped: boolean;
}

/** An irregularity that has been dealt with. */
export interface Ruled {
  id: string;
  clause: string | null;
  reported_by: string;
  decided_by: string;
  /** The text of the person who decided it. */
  text: string;
  /** It was answered with the round being void. */
  moot: boolean;
  /** A void by it was refused, and it was found that it had not happened. */
  not_established: boolean;
  /** The cards it was about, by number, where it named any. */
  cards: number[];
  /** Who approved, where the act took a second person and was not theirs to decide. */
  approved_by: string;
  /** Which of these two people acted from the floor, and not at the table. */
  from_floor: string[];
}

/** Totals of one shift. */
export interface ShiftRow {
  begins: number;
  ends: number;
  /** These three by the site's own clock. */
  day: string;
  from_hour: string;
  to_hour: string;
  dealers: number;
  tables: number;
  /** The sum of the hours in which each of them dealt. */
  hours: number;
  rounds: number;
  voids: number;
  corrections: number;
  irregularities: Record<string, number>;
}

/** Counts over the rounds of this shoe with a result; void rounds are excluded. */
export interface ShoeCounts {
  rounds: number;
  banker: number;
  player: number;
  tie: number;
  banker_pair: number;
  player_pair: number;
  /** Rounds with a natural on either hand; null if the rounds cannot be read. */
  naturals: number | null;
}

/** Limits for a table, in its minor units, in the form of its command `limits`. */
export interface SiteLimits {
  minimum: number;
  maximum: number;
  differential: number | null;
}

/** The documents in force, and the tables that have applied them. */
export interface SitePage {
  documents: (PeopleDocument | LimitsDocument)[];
  /** By table: the applied versions, by kind. */
  taken: Record<string, Record<string, number>>;
  games: string[];
}

export interface SpokenLanguage {
  id: string;
  name: string;
}

/** One hold of a table, as its own pit page shows it. */
export interface Stop {
  kind: string;
  code: string;
  gaps: Record<string, string | number | (string | number)[] | null>;
  text: string;
  since: number;
  role: string | null;
  clause: string | null;
  second: boolean;
  remedy: LiveSentence | null;
  ends: LiveSentence | null;
}

/** One table: its tile, its own pit view, what is wrong with it. */
export interface TablePage {
  tile: Tile;
  /** Null before the table's first view. */
  view: BoardView | null;
  exceptions: ExceptionRow[];
}

/** One table on the map. */
export interface Tile {
  table: string;
  title: string;
  pit: string;
  /** The phase, `halted` while it is held; `unknown` before the first view. */
  state: string;
  phase: string;
  shoe: number | null;
  round: number | null;
  method: string | null;
  dealer: string | null;
  limits: BoardLimits;
  currency: string;
  minor_units: number;
  results: string[];
  stops: Stop[];
  asks: Ask[];
  can: string[];
  close_after: boolean;
  methods: OfferedMethod[];
  floor_may: string[] | null;
  seq: number;
  at: number;
  /** Whether three beats are missing. */
  away: boolean;
  /** The time of the last message, by the floor's clock; changes without a new revision. */
  heard: number;
  unsent: number;
  mode: string;
  rulebook: string;
  release: string;
  /** How far the table's clock is ahead of the floor's, to a tenth of a second. */
  clock_off: number;
  devices: DeviceBeat[];
  rounds_hour: number;
  documents: Record<string, number>;
  /** It sent a view that this release cannot read: its state is unknown. */
  unread: boolean;
}

export interface TrendsPage {
  since: number;
  now: number;
  books: BookTrend[];
}

export interface UndeliveredRow {
  subscriber: string;
  url: string;
  table: string;
  seq: number;
  failing_since: number;
  tries: number;
  last_error: string | null;
}

/** Totals of one unit with one firmware, over all its tables. */
export interface UnitRow {
  driver: string;
  unit: string;
  firmware: string;
  tables: string[];
  cards: number;
  misreads: number;
  errors: number;
  link_losses: number;
}
