// What the console sends, as the pages read it. Only the type checker reads this file.

export type Side = "player" | "banker";
export type CardCode = string;
/** The table's own number of a step in its journal. */
export type Seq = number;

export type PlayPhase =
  | "closed" | "changing_shoe" | "ready" | "betting" | "dealing" | "revealing" | "players_third" | "bankers_third"
  | "outcome" | "settling";
/** The phase, or that the table is held in it. */
export type State = PlayPhase | "halted" | "suspended";

export type Role =
  | "player" | "dealer" | "pit_supervisor" | "pit_manager" | "assistant_casino_manager" | "gaming_shift_manager"
  | "table_game_shift_manager" | "surveillance";

// --- sentences --------------------------------------------------------------------------------------

export type Gap = string | number | null | Gap[];
/** What is in a sentence's gaps: numbers, cards, roles, names, clauses, ids; never a sentence. */
export type Gaps = Record<string, Gap>;

/** A sentence: its code and gaps, and the same in English. What somebody said in their own words has no code. */
export interface Coded {
  code: string | null;
  gaps: Gaps;
}

export interface Notice extends Coded {
  text: string;
}

/** A text, or one for one thing and one for several, by the number in the gap `by`. */
export type Entry = string | { one: string; other: string; by: string };

/** By kind of gap and id; `nothing` has what is said where a gap of a kind is empty. */
export type Names = Record<string, Record<string, string>>;

/** A language file. */
export interface Catalogue {
  sentences: Record<string, Entry>;
  names: Names;
  /** What pages say, by the English of it. */
  pages: Record<string, string>;
}

// --- views ------------------------------------------------------------------------------------------

/** What every view and message says of the table. */
export interface About {
  demo: boolean;
  mode?: string;
  table?: string | null;
}

export interface PublicView extends About {
  state: State;
  round: number;
  /** What the round is called elsewhere. */
  ref: string | null;
  shoe: number;
  method: string;
  hands: Record<Side, (CardCode | null)[]>;
  totals: Record<Side, number | null>;
  countdown: Countdown | null;
  void: string | null;
  corrected: boolean;
  settlements: Paid[];
  over: boolean;
  results: string[];
  manual: boolean;
  /** Not in the dealer's view. */
  limits?: Limits;
}

/** What the dealer sees; the pit sees the limits as well. */
export interface StaffView extends PublicView {
  can: string[];
  cards: Drawn[];
  passing: Partial<Record<Side, Turn>>;
  case: Case | null;
  withdrawable: Record<string, { wagers: string[]; each: boolean }>;
  payouts: Paid[];
  shoe_in_use: Shoe | null;
  shoe_due: boolean;
  verified: boolean;
  /** The phase underneath, while the table is held too. */
  phase: PlayPhase | null;
  /** Everything that holds the table, in order. */
  held: Hold[];
  prompt: Prompt;
  asks: Ask[];
  offers: Offer[];
  wagers: Wager[];
  drawer: string | null;
  handlers: Partial<Record<Side, string>>;
  notes: Notice[];
  queue: string[];
  rulings: Ruling[];
  request: Request | null;
  differences: { id: string; player: string; difference: number }[];
  close_after: boolean;
}

export interface Limits {
  min: number | null;
  max: number | null;
  differential: number | null;
  per_area: number | null;
  wagers: Record<string, { min: number | null; max: number | null }>;
}

export interface Countdown {
  what: "betting" | "option";
  since: number;
  seconds: number;
}

export interface Drawn {
  n: number;
  hand: Side | null;
  /** Null: sealed, or not read. */
  card: CardCode | null;
  exposed: boolean;
}

export interface Turn {
  to: string | null;
  clause: string | null;
  named_by_supervisor: boolean;
}

export interface Wager {
  id: string;
  player: string;
  position: number;
  wager: string;
  amount: number;
  seated: boolean;
  placed_by: string | null;
  returned_by: string | null;
}

export interface Paid {
  id: string;
  player: string;
  result: "win" | "lose" | "push";
  odds: string;
  pays: number;
  returned: number;
  clause: string | null;
}

export interface Shoe {
  number: number;
  deck_set: string;
  decks: number;
  verified_by: string;
  burn_left: number | null;
  cut_card_out: boolean;
  rounds_after_cut: number;
}

export interface Prompt extends Coded {
  do: string;
  say: string | null;
  /** Null when nothing is said. */
  say_code: string | null;
  say_gaps: Gaps | null;
  clause: string | null;
}

/** Why the table is held, since when, and who ends it with which word. */
export interface Hold extends Coded {
  kind: "count" | "restart" | "case" | "latch";
  /** The irregularity, or the latch: an id. */
  what: string;
  text: string;
  since: number | null;
  /** Null: nobody, the device or the machine has to end it. */
  role: Role | null;
  word: string | null;
  clause: string | null;
}

export interface Ask extends Coded {
  case: string;
  ask: string;
  says: string;
  do: string;
  role: Role | null;
  /** It takes somebody else than whoever asked for it. */
  second: boolean;
  clause: string | null;
  /** The device's error that it is about, in the driver's words. */
  device: (Coded & { text: string }) | null;
}

export interface Offer {
  /** A player, or `*` for every one. */
  to: string;
  choices: string[];
  kind: string;
  clause: string;
}

export interface Case {
  id: string;
  reported_by: string;
  asker: string | null;
  facts: Record<string, boolean>;
  clause: string | null;
  role: Role | null;
  waits_for: string;
  /** What a second person approves: a void, an entered card, a moved card, ... */
  approves: string | null;
  concerns: number[];
  card: number | null;
  entered: { n: number; card: CardCode | null } | null;
  kept: number;
  answers: Record<string, string>;
  /** Why, in the words of whoever decided. */
  text: string;
  about: Reported | null;
  /** What was decided and waits for a second person. */
  decision: { outcome: string; remove: TakenOff[]; order: number[] } | null;
}

/** What was said of a case: cards by number. */
export interface Reported {
  cards: number[];
  order: number[];
  /** Where cards lie in fact; null: nobody has said it. */
  lies: Record<Side, number[]> | null;
  wagers: TakenOff[];
  round: number | null;
}

/** A wager that comes off; the amount is null where it is the whole of it. */
export interface TakenOff {
  id: string;
  amount: number | null;
}

/** Its text is the decision in somebody's own words, or a sentence. */
export interface Ruling extends Coded {
  id: string;
  clause: string | null;
  reported_by: string;
  decided_by: string;
  /** Empty: it took nobody else. */
  approved_by: string;
  text: string;
}

interface Asked extends Coded {
  by: string;
  /** What the second person is asked. */
  text: string;
  /** Why, in the words of whoever asked. */
  reason: string;
}

/** Something one person asked for and another has to approve. */
export type Request =
  | (Asked & { what: "correct"; given: { n: number; before: CardCode; card: CardCode } })
  | (Asked & { what: "load_shoe"; given: { deck_set: string; verified_by: string } })
  | (Asked & { what: "vouch_for_shoe"; given: { deck_set: string; verified_by: string } })
  | (Asked & { what: "count"; given: object })
  | (Asked & { what: "first_card"; given: { card: CardCode } })
  | (Asked & { what: "swap_device"; given: { device: string; identity: string; asset: string } })
  /** These say all of it in their sentence, as does whatever else a table may ask for. */
  | (Asked & { what: "resume" | "close_betting" | "journal_loss"; given: object });

// --- the feed ---------------------------------------------------------------------------------------

export interface FeedMessage extends About {
  type: "snapshot" | "step" | "beat";
  seq: Seq;
  /** When it was sent, in seconds since 1970. */
  sent: number;
  /** Of a beat: whether the screen is locked. */
  locked?: boolean;
  view?: StaffView;
}

// --- requests ---------------------------------------------------------------------------------------

/** RFC 9457, with what a page can do next. */
export interface ProblemBody {
  type?: string;
  title?: string;
  detail?: string;
  /** Of a refusal. */
  code?: string;
  gaps?: Gaps;
  clause?: string | null;
  next?: string[];
  seq?: Seq;
}

export interface Person {
  who: string;
  name: string;
  role: Role;
  language: string;
  locked: boolean;
  /** A demonstration's PIN. */
  secret?: string;
}

export interface Me extends About {
  who: string;
  name: string;
  role: Role;
  language: string;
  csrf: string;
  locked: boolean;
  feeds: string[];
}

export interface Staff extends About {
  staff: Person[];
}

/** The table as it was set up. */
export interface Setup extends About {
  /** As people write it: SGD, $. */
  currency?: string;
  minor_units?: number;
  track_wagers: boolean;
  /** Two people may close over the differential: the rulebook settles it pro rata. */
  closes_over_differential: boolean;
  /** 0: the rulebook does not say. */
  positions: number;
  wagers: string[];
  methods: Method[];
  irregularities: { id: string; name: string | null }[];
  /** Rungs from the lowest up. */
  ladder: Role[][];
  /** Words that take the speaker's own PIN. */
  in_person: string[];
  /** Who may do what at least, by the act. */
  approvals: Record<string, { role: Role; second: boolean; clause: string | null }>;
}

export interface Method {
  id: string;
  name: string;
  clause: string;
  chosen_by: Role;
  offered: boolean;
}

export interface Irregularity {
  id: string;
  title: string;
}

export interface Device {
  /** What it reports, in its maker's own number and words. */
  errors?: { code: number, means: string, says: string, must_clear: boolean }[];
  name: string;
  driver: string;
  /** What the unit calls itself. */
  model?: string | null;
  link: string;
  identity: string | null;
  counts?: Record<string, number>;
  bench: string | null;
}

export interface Said {
  seq: Seq;
}

// --- rounds -----------------------------------------------------------------------------------------

export interface Summary {
  shoe: number;
  round: number;
  /** What the round is called elsewhere. */
  ref: string | null;
  began: number;
  /** Who opened the betting. */
  dealer: string | null;
  result: string | null;
  void: string | null;
  corrected: boolean;
  player: (CardCode | null)[];
  banker: (CardCode | null)[];
  rulings: Ruling[];
  over: boolean;
  /** The record it stands in; null while the round is open. */
  summary: Seq | null;
}

/** One step of a round as it is recalled. */
export interface Recollection extends Coded {
  seq: Seq;
  at: number;
  what: string;
  from: string;
  who: string | null;
  accepted: boolean;
  reason: string | null;
  clause: string | null;
  view: StaffView | null;
}

export interface Correction {
  seq: Seq;
  by: string;
  approved_by: string | null;
  reason: string;
  before: StaffView;
  after: StaffView;
}

export interface Recalled {
  summary: Summary;
  /** Earlier summaries of the round, which hold no longer. */
  superseded: Seq[];
  phases: Recollection[];
  corrections: Correction[];
}

export interface Commitment {
  n: number;
  commitment: string;
  /** Null: still sealed. */
  card: CardCode | null;
  salt: string | null;
}

export interface Proof {
  first: Seq;
  last: Seq;
  records: { seq: Seq; digest: string; fits: boolean }[];
  commitments: Commitment[];
  chain_holds: boolean;
  head: { seq: Seq; digest: string };
}

/** Column, row, what stands there, and on the big road how many ties. */
export type Cell = [number, number, string, number?];
export type Roads = Record<"bead_plate" | "big_road" | "big_eye_boy" | "small_road" | "cockroach_pig", Cell[]>;

// --- what pages pass among themselves ---------------------------------------------------------------

export type Child = Node | string | null | undefined | false | Child[];
export type Values = Record<string, string | number>;

type Aimed<E, T> = E & { target: T };
export interface Attributes {
  onclick?: (event: MouseEvent) => unknown;
  oninput?: (event: Aimed<Event, HTMLInputElement>) => unknown;
  onsubmit?: (event: Aimed<SubmitEvent, HTMLFormElement>) => unknown;
  [name: string]: string | number | boolean | null | undefined | ((event: never) => unknown);
}

export type Done<T> = (value: T | null) => void;
export type Again = () => void;
export type Option<T> = [value: T, label: string];

/** A second person who speaks at a screen. */
export interface Second {
  who: string;
  secret: string;
}

/** Who says a word: a second person, or whoever is signed in, once more with their own PIN. */
export interface Speaker {
  second?: Second;
  secret?: string;
}

/** Says a word as this person: whether it was carried out; null: the PIN is wrong, once more. */
export type Tell = (speaker: Speaker) => Promise<boolean | null>;

/** How a word is said: see `word` in shell.js. */
export interface Saying {
  role?: Role | null;
  what?: string;
  notThese?: string[];
  only?: string | null;
  instead?: (problem: import("./http.js").Problem) => Remedy | null;
}

/** What can be done about a refusal. */
export interface Remedy {
  label: string;
  run: () => unknown;
}

/** Chosen and not yet confirmed. */
export interface Choice extends Saying {
  word: string;
  given: object;
  label: string;
  seen?: Seq;
}
