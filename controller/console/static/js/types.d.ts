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
  /** The phase underneath, while the table is held too. */
  phase: PlayPhase | null;
  round: number;
  /** What the round is called elsewhere. */
  ref: string | null;
  shoe: number;
  method: string;
  hands: Record<Side, (CardCode | null)[]>;
  totals: Record<Side, number | null>;
  /** What is worth a word of a hand whose first two cards lie open. */
  tags: Record<Side, ("natural" | "pair")[]>;
  countdown: Countdown | null;
  void: string | null;
  corrected: boolean;
  over: boolean;
  results: string[];
  manual: boolean;
  limits: Limits;
}

/** What the dealer and the pit see. */
export interface StaffView extends PublicView {
  can: string[];
  cards: Drawn[];
  passing: Partial<Record<Side, Turn>>;
  case: Case | null;
  withdrawable: Record<string, { wagers: string[]; each: boolean }>;
  payouts: Paid[];
  settlements: Paid[];
  /** Who has won the round, once every card lies open; null before, and of a void round. */
  outcome: Side | "tie" | null;
  shoe_in_use: Shoe | null;
  shoe_due: boolean;
  verified: boolean;
  /** Every deck set that is still there. */
  deck_sets: DeckSet[];
  /** How many cards of a shoe that is over have passed through it to be counted. */
  rest_passed: number | null;
  /** Everything that holds the table, in order. */
  held: Hold[];
  prompt: Prompt;
  asks: Ask[];
  offers: Offer[];
  wagers: Wager[];
  /** What staff placed in the round before; empty unless wagers are taken. */
  last_wagers: LastWager[];
  drawer: string | null;
  /** Who opened the betting of the round. */
  dealer: string | null;
  handlers: Partial<Record<Side, string>>;
  notes: Notice[];
  queue: string[];
  rulings: Ruling[];
  request: Request | null;
  differences: { id: string; player: string; difference: number }[];
  /** Which chips change hands because a settled round was corrected, or made void. */
  chips: { id: string; player: string; from: string; to: string; amount: number; clause: string | null }[];
  close_after: boolean;
  left_at_shoe: LeftAtShoe | null;
  /** Manual mode: no device reads the cards. Null: the shoe does. */
  by_hand: { since: number; only: boolean; by: string; approver: string; reason: string } | null;
  /** When the last round ended. */
  ended_at: number | null;
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
  /** Who has asked to squeeze it and waits for permission. */
  asked_by: string | null;
  may_take: boolean;
  may_leave: boolean;
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
  parts_back?: { amount: number; clause: string | null }[];
}

export interface LastWager {
  player: string;
  position: number;
  wager: string;
  amount: number;
  seated: boolean;
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
  /** Tenths of the shoe that have been dealt, rounded down. */
  gone: number;
  cut_card_out: boolean;
  rounds_after_cut: number;
}

/** A set of decks that is kept, shuffled and played together. */
export interface DeckSet {
  name: string;
  decks: number;
  stage: string;
  shoes: number;
  step: { stage: string; at: number; by: string; approved_by: string | null; reason: string } | null;
  to_be_counted: boolean;
  count: DeckCount | null;
}

/** What the last count of all its cards found. */
export interface DeckCount {
  shoe: number;
  cards: number | null;
  full: number;
  missing: CardCode[];
  among: CardCode[];
  extra: CardCode[];
  foreign: number;
  short: number;
  whole: boolean;
}

export interface Prompt extends Coded {
  do: string;
  say: string | null;
  /** Null when nothing is said. */
  say_code: string | null;
  say_gaps: Gaps | null;
  clause: string | null;
  /** The word of a person that does it; null: the next act is at a device, or a question. */
  act: { word: string; hand: Side | null; player: string | null; /** It says which card it is. */ face?: boolean } | null;
  /** Where the next card of the shoe goes, where that is asked for. */
  card_to: Side | null;
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
  /** It takes somebody else than whoever asks. */
  second: boolean;
  /** The round it concerns; null: it came between rounds. */
  round: number | null;
  /** What to do now. */
  remedy: Notice;
  /** Who can end it. */
  ends: Notice;
  /** The maker's own words and number. */
  detail: Notice | null;
}

/** What the last round has left to be done at a shoe that plays rounds by itself. */
export interface LeftAtShoe {
  round: number;
  to_be_ended: boolean;
  /** Cards were never seen: the dealer says that it is done, because the shoe's word would tell of them. */
  by_hand: boolean;
  ended_by: string | null;
  aside_by: string | null;
  reason: string;
}

export interface Ask extends Coded {
  case: string;
  ask: string;
  says: string;
  do: string;
  role: Role | null;
  /** It takes somebody else than whoever asked for it. */
  second: boolean;
  /** Whoever approves it has looked at the table itself: nobody does so from the floor. */
  there: boolean;
  clause: string | null;
  /** The device's error that it is about, in the driver's words. */
  device: (Coded & { text: string }) | null;
  /** What each answer leads to, of a question of fact. */
  leads: { yes: Lead; no: Lead } | null;
  /** Since when it waits. */
  since: number | null;
}

/** Where an answer leads: steps of a ruling, one more question, or somebody's decision. */
export interface Lead {
  clause: string | null;
  steps: string[];
  asks: (Coded & { text: string }) | null;
  decides: Role | null;
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
  /** The clause of a void that the second person has refused; empty: no document's. */
  disputed: string | null;
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
  /** What happened, where no rule has a name for it. */
  text: string;
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
  /** Who of these two was not at the table. */
  from_floor?: string[];
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
  | (Asked & { what: "deck_set"; given: { deck_set: string; stage: string } })
  | (Asked & { what: "reconcile"; given: { deck_set: string; left: Record<string, number> | null; cards: number | null } })
  /** These say all of it in their sentence, as does whatever else a table may ask for. */
  | (Asked & { what: "resume" | "close_betting" | "journal_loss" | "deal_by_hand" | "use_shoe" | "announce"; given: object });

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
  /** Of an order that a floor carried. */
  outcome?: string;
  clause?: string | null;
  next?: string[];
  seq?: Seq;
}

export interface Person {
  who: string;
  name: string;
  role: Role;
  language: string;
  /** Where this page is. */
  locked: boolean;
  /** Here or at any other address. */
  locked_anywhere?: boolean;
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
  /** False: signed in from elsewhere, with a second factor. */
  at_table?: boolean;
  /** Whether an authenticator is enrolled. */
  second_factor?: boolean;
  feeds: string[];
}

export interface Staff extends About {
  /** Nobody who is not signed in, elsewhere than at the table. */
  staff: Person[];
  at_table?: boolean;
  /** Of a demo: the pages of the emulated devices, by the device. */
  benches?: Record<string, string>;
}

/** The table as it was set up. */
export interface Setup extends About {
  /** The rulebook's. */
  title: string;
  version: string | null;
  /** As people write it: SGD, $. */
  currency?: string;
  minor_units?: number;
  decks: number;
  /** Only sets that were received, inspected and counted are loaded. */
  deck_control: boolean;
  track_wagers: boolean;
  /** Two people may close over the differential: the rulebook settles it pro rata. */
  closes_over_differential: boolean;
  /** One tap pays and opens the next betting. */
  open_after_paying: boolean;
  /** 0: the rulebook does not say. */
  positions: number;
  /** Which way round the table positions are numbered, seen from above. */
  numbered: "counter_clockwise" | "clockwise";
  /** The smallest chip, in minor units. */
  chip_unit: number;
  wagers: string[];
  methods: Method[];
  irregularities: { id: string; name: string | null }[];
  /** Rungs from the lowest up. */
  ladder: Role[][];
  /** Who decides what the book does not cover. */
  uncovered: { role: Role; clause: string | null };
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

/** How it stands between this table and its floor. */
export interface FloorLink {
  connected: boolean;
  /** Records that the floor has not acknowledged. */
  unsent: number;
  /** asking, sending, diverged or refused. */
  state: string;
  why: string | null;
  says: string;
  /** Documents of the site that the table does not take, and why. */
  refused: string;
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
  /** The kind of error its driver failed with; empty while it works. */
  stopped?: string;
  /** Commands it can be given. */
  takes?: string[];
}

/** How the shift goes; money in minor units. */
export interface Shift {
  since: number | null;
  rounds: number;
  an_hour: number | null;
  voids: number;
  corrections: number;
  staked: number;
  paid: number;
  decisions: Decided[];
}

/** A ruling, or a card put right, in this shoe. */
export interface Decided {
  at: number;
  round: number;
  /** The irregularity, or `correct`. */
  id: string;
  clause: string | null;
  reported_by: string;
  decided_by: string;
  approved_by: string;
  from_floor?: string[];
  text: string;
  moot: boolean;
  n: number | null;
  was: CardCode | null;
  now: CardCode | null;
}

export interface Said {
  seq: Seq;
}

// --- rounds -----------------------------------------------------------------------------------------

/** What a search asks for, as it stands in an address. */
export type Query = Record<string, string>;

/** A round by its numbers. */
export interface RoundKey {
  shoe: number;
  round: number;
}

/** The rounds that fit, the newest first, and where older ones begin. */
export interface Found {
  rounds: Summary[];
  before: string | null;
}

export interface Summary extends RoundKey {
  /** What the round is called elsewhere. */
  ref: string | null;
  began: number;
  /** Null while it is open. */
  ended: number | null;
  method: string;
  deck_set: string;
  /** Who opened the betting. */
  dealer: string | null;
  result: string | null;
  void: string | null;
  corrected: boolean;
  /** Cards that two people named otherwise than the device. */
  corrections: { n: number; was: CardCode | null; now: CardCode; by: string; approved_by: string }[];
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
  /** What happened, in words. */
  says: Notice;
  /** What the table did about it. */
  then: Notice[];
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

/** Rounds and money of a dealer, a deck set or an hour. */
export interface Tallied {
  name: string;
  rounds: number;
  voids: number;
  drop: number;
  hold: number;
}

/** A clause, an irregularity or a hold by its id. */
export interface TimesCounted {
  what: string;
  times: number;
}

/** What a stretch of time came to; money in minor units. */
export interface ShiftReport {
  since: number;
  until: number;
  tracked: boolean;
  total: Tallied;
  shoes: number;
  corrections: number;
  refused: number;
  results: Record<string, number>;
  voids: TimesCounted[];
  halts: TimesCounted[];
  hours: (Tallied & { at: number })[];
  dealers: Tallied[];
  deck_sets: Tallied[];
  wagers: { wager: string; wagers: number; staked: number; won: number; returned: number; hold: number }[];
  devices: { device: string; cards: number; misreads: number; link_losses: number; errors: number }[];
}

/** Column, row, what stands there, and on the big road how many ties. */
export type Cell = [number, number, string, number?];
export type DerivedRoad = "big_eye_boy" | "small_road" | "cockroach_pig";
export type Road = "bead_plate" | "big_road" | DerivedRoad;
export interface Roads extends Record<Road, Cell[]> {
  results: string[];
  counts: Record<"rounds" | Side | "tie" | "banker_pair" | "player_pair", number> & { naturals: number | null };
  /** The marks that the next hand would write: R, B, or none. */
  ask: Record<Side, Record<DerivedRoad, string | null>>;
}

/** A clause in our words, by language. */
export interface ResolvingClause {
  clause: string;
  says: Record<string, string>;
}

/** What the table's book does about errors. */
export interface ResolvedErrors {
  rulebook: string;
  title: string;
  version: string | null;
  errors: { id: string; name: string; clauses: ResolvingClause[] }[];
  uncovered_by: Role;
  uncovered: ResolvingClause | null;
}

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
  /** Away from the table. */
  code?: string;
}

/** Who says a word: a second person, or whoever is signed in, once more with their own PIN. */
export interface Speaker {
  second?: Second;
  secret?: string;
}

/** Says a word as this person: whether it was carried out; a problem: it is the PIN, once more. */
export type Tell = (speaker: Speaker) => Promise<boolean | import("./http.js").Problem>;

/** How a word is said: see `word` in shell.js. */
export interface Saying {
  role?: Role | null;
  what?: string;
  notThese?: string[];
  only?: string | null;
  /** What the button says that says it. */
  label?: string;
  /** What will happen, for whoever is asked for a PIN. */
  about?: () => Child;
  instead?: (problem: import("./http.js").Problem) => Remedy | Remedy[] | null;
  seen?: Seq;
  quiet?: boolean;
  heard?: (seq: Seq) => void;
}

/** What can be done about a refusal. */
export interface Remedy {
  label: string;
  run: () => unknown;
  /** It puts right what was refused, as against saying it all the same: this one is solid. */
  mends?: boolean;
}

/** A word that was refused, as the headline says it. */
export interface Refusal extends Coded {
  word: string;
  /** What it is called on the button. */
  what: string;
  given: object;
  text: string;
  clause: string | null;
  tone: "bad" | "note";
  offers: Remedy[];
}

/** Chosen and not yet confirmed. */
export interface Choice extends Saying {
  word: string;
  given: object;
  label: string;
}
