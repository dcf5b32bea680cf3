// What the console sends, made from its structs by `make generate ONLY=page-types`.

/** A card as people write it in records: 9H, TD. */
export type CardCode = string;

export interface Alive {
  lives: boolean;
}

/** The minimum role for an act. */
export interface ApprovalView {
  role: Role;
  /** A person other than the requester must approve. */
  second: boolean;
  clause: string | null;
  /** The approver must enter their own PIN. */
  in_person: boolean;
}

/** The marks that the next hand would add, if Banker or Player wins it. */
export interface AskRoads {
  banker: DerivedMarks;
  player: DerivedMarks;
}

/** A question that must be answered before play continues. */
export interface AskView {
  case: string;
  ask: string;
  says: string;
  code: string;
  gaps: Record<string, string | number | (string | number)[] | null>;
  /** The command that answers it. */
  do: string;
  role: Role | null;
  /** A person other than the requester must answer it. */
  second: boolean;
  /** The approver must have looked at the table in person; approval from a distance is refused. */
  there: boolean;
  clause: string | null;
  /** The device's error that the question is about, in the driver's words. */
  device: SentenceView | null;
  /** Set only for a question of fact. */
  leads: LeadsView | null;
  /** The time since which it is pending, in seconds since 1970. */
  since: number | null;
}

/** One legal command; `mine` is true where the person's own role suffices. */
export interface AvailableCommand {
  word: string;
  title: string;
  role: string;
  mine: boolean;
  next: boolean;
  /** The command needs the speaker's own PIN. */
  pin: boolean;
  fields: FormField[];
}

/** The clauses of the table's rulebook, paraphrased, by number. */
export interface BookClauses {
  rulebook: string;
  title: string;
  clauses: Record<string, string>;
}

/** Manual mode: no device reads the cards, people enter them. */
export interface ByHandView {
  since: number;
  /** The table has no shoe that reads cards. */
  only: boolean;
  by: string;
  approver: string;
  reason: string;
}

export type Card =
  "AS" | "2S" | "3S" | "4S" | "5S" | "6S" | "7S" | "8S" | "9S" | "TS" | "JS" | "QS" | "KS" | "AH" | "2H" | "3H"
  | "4H" | "5H" | "6H" | "7H" | "8H" | "9H" | "TH" | "JH" | "QH" | "KH" | "AD" | "2D" | "3D" | "4D" | "5D" |
  "6D" | "7D" | "8D" | "9D" | "TD" | "JD" | "QD" | "KD" | "AC" | "2C" | "3C" | "4C" | "5C" | "6C" | "7C" | "8C"
  | "9C" | "TC" | "JC" | "QC" | "KC";

/** A card that two people named in another way than the device. */
export interface CardCorrection {
  n: number;
  /** The card the device read, where all have seen it. */
  was: string | null;
  now: string;
  by: string;
  approved_by: string;
  reason: string;
}

/** A card of the round, and its place. */
export interface CardView {
  n: number;
  hand: Side | null;
  /** Null if the card is sealed or was not read. */
  card: CardCode | null;
  exposed: boolean;
}

/** The open irregularity: the answers so far, and what it waits for. */
export interface CaseView {
  id: string;
  reported_by: string;
  asker: string | null;
  facts: Record<string, boolean>;
  clause: string | null;
  role: Role | null;
  waits_for: string | null;
  /** What a second person approves: a void, an entered card, a moved card, ... */
  approves: string | null;
  /** The cards that an open question or approval concerns. */
  concerns: number[];
  card: number | null;
  entered: EnteredView | null;
  kept: number;
  /** The choices of the players. */
  answers: Record<string, string>;
  /** The reason that the decider gave. */
  text: string;
  /** The clause of a void that the second person refused; empty without a clause. */
  disputed: string | null;
  about: ReportedView;
  decision: DecisionView | null;
}

/** The last record of the journal. */
export interface ChainEnd {
  seq: number;
  digest: string;
}

/** The clause by which each choice of an offer is carried out. */
export interface ChoiceClauses {
  play: string;
  withdraw: string;
}

/** Records are missing, and a person who has looked confirms that play goes on. */
export interface ClearJournalLoss {
  type: "journal_loss";
}

/** Bets close although the difference between Player and Banker exceeds the limit. */
export interface CloseOverDifferential {
  type: "close_betting";
  clause: string;
  /** The excess in each such box, when it was requested. */
  excess: number[];
}

/** The legal commands, for the table at `seq`. */
export interface CommandList {
  seq: number;
  state: string;
  words: AvailableCommand[];
}

/** The outcome of cards that one person entered: another person looks at them first. */
export interface ConfirmCards {
  type: "announce";
  /** Their numbers and faces, as they were when it was asked. */
  cards: ([number, Card | null])[];
}

/** More or fewer cards are on the layout than were read. */
export interface ConfirmCount {
  type: "count";
  cards: number;
  /** A card that comes before the second person speaks has it counted again. */
  difference: number;
}

/** A person's count of a deck set after a shoe. */
export interface ConfirmDeckCount {
  type: "reconcile";
  deck_set: string;
  shoe: number;
  /** How many of each card are left; None: only their number was counted. */
  left: Record<string, number> | null;
  cards: number | null;
  /** Cards that had come out unseen, looked at now. */
  unseen: Record<string, number>;
}

/** A misread card is put right. */
export interface CorrectCard {
  type: "correct";
  n: number;
  card: Card;
  before: Card | null;
}

/** The start of a clock, and its length in seconds. */
export interface CountdownView {
  what: "betting" | "option";
  since: number;
  seconds: number;
}

/** The shoe is out of use: people enter the cards. */
export interface DealByHand {
  type: "deal_by_hand";
}

/** The role that decides what the rulebook does not cover. */
export interface DeciderView {
  role: Role;
  clause: string | null;
}

export type Decision =
  "go_on" | "void" | "reconstruct" | "remove";

/** A decision that waits for a second person. */
export interface DecisionView {
  outcome: Decision;
  remove: TakenOff[];
  order: number[];
}

/** The result of the last count of all cards of a set. */
export interface DeckCountView {
  shoe: number;
  at: number;
  by: string;
  cards: number | null;
  full: number;
  missing: string[];
  /** If some cards were never seen: the missing cards are among these. */
  among: string[];
  extra: string[];
  foreign: number;
  approved_by: string | null;
  /** The number of missing cards; negative if there are too many. */
  short: number;
  whole: boolean;
}

/** A set of decks that is kept, shuffled and played together. */
export interface DeckSetView {
  name: string;
  decks: number;
  stage: DeckStage;
  shoes: number;
  /** The last step of the set's life. */
  step: DeckStep | null;
  to_be_counted: boolean;
  count: DeckCountView | null;
}

export type DeckStage =
  "received" | "inspected" | "in_use" | "retired" | "destroyed";

/** One step of its life. */
export interface DeckStep {
  stage: DeckStage;
  at: number;
  by: string;
  approved_by: string | null;
  reason: string;
}

/** The marks of one hand on the three derived roads: R, B, or null for no mark. */
export interface DerivedMarks {
  big_eye_boy: string | null;
  small_road: string | null;
  cockroach_pig: string | null;
}

/** An error of a device: the maker's number and text, and its meaning. */
export interface DeviceErrorView {
  code: number;
  means: ErrorMeaning;
  says: string;
  must_clear: boolean;
}

export interface DeviceLink {
  name: string;
  driver: string;
  link: string;
}

export interface DeviceRow {
  device: string;
  cards: number;
  misreads: number;
  link_losses: number;
  errors: number;
}

export interface Devices {
  devices: ServedDevice[];
  /** Null: this table has no floor. */
  floor: FloorLink | null;
}

/** The difference between the corrected and the first settlement of a wager. */
export interface DifferenceView {
  id: string;
  player: string;
  difference: number;
}

export interface EnrolledKiosk {
  /** The name of the kiosk. */
  kiosk: string;
}

/** The card that sets how many are burned was not read by the device. */
export interface EnterFirstCard {
  type: "first_card";
  card: Card;
}

/** An entered card that a second person approves. */
export interface EnteredView {
  n: number;
  /** Null unless the card is exposed. */
  card: CardCode | null;
}

export type ErrorMeaning =
  "unreadable" | "excess" | "several_at_once" | "does_not_belong" | "jam" | "loading" | "wrong_pack" |
  "content_unknown" | "open" | "notice" | "service" | "other";

export type Fact =
  "initial_deal" | "outcome_established" | "round_in_play" | "after_the_call" | "hands_complete" |
  "number_wrong" | "only_cards_too_many" | "first_card_dealt" | "card_exposed" | "bets_closed" | "player_draws"
  | "order_known" | "reconstructable" | "value_known" | "dealt_face_up" | "belongs" | "unshuffled" |
  "interrupted" | "may_withdraw" | "in_use";

/** A heartbeat, which every feed sends at least once a second. */
export interface FeedBeat {
  type: "beat";
  /** The number of the last step; 0 before the first. */
  seq: number;
  at: null;
  sent: number;
  /** The screen of the client is locked. */
  locked: boolean;
  /** Why the table takes no more steps; null while it runs. */
  stopped: string | null;
  demo: boolean;
  mode: string;
  table: string | null;
}

/** The state of the connection between this table and its floor. */
export interface FloorLink {
  connected: boolean;
  /** Records that the floor has not acknowledged. */
  unsent: number;
  /** asking, sending, diverged or refused. */
  state: string;
  why: string | null;
  /** The network error that prevents a connection. */
  says: string;
  /** Documents of the site that the table refuses, and why. */
  refused: string;
}

/** One field as a page shows it. */
export interface FormField {
  name: string;
  kind: string;
  needed: boolean;
  title: string;
  choices: string[] | null;
}

/** The matching rounds, the newest first. */
export interface FoundRounds {
  rounds: RoundRow[];
  /** The cursor for older rounds; null where there are none. */
  before: string | null;
}

/** Play goes on although a device disagrees, or has not reported that its error is over: over these holds and no
 * others. */
export interface GoOn {
  type: "resume";
  /** The holds at the time of the request, each by its kind and since when. */
  over: [string, number][];
}

/** Both hands; a face-down card is null. */
export interface HandsView {
  player: (CardCode | null)[];
  banker: (CardCode | null)[];
}

export type HoldKind =
  "count" | "restart" | "case" | "latch";

export type HoldReason =
  "lid_open" | "lid_was_open" | "link_lost" | "link_was_lost" | "device_error" | "device_had_error" |
  "driver_failed" | "must_clear" | "device_disagrees" | "place_disagrees" | "excess_discarded" |
  "card_disagrees" | "journal_loss" | "self_test_failed" | "self_test_had_failed" | "paused";

export interface HourRow {
  name: string;
  rounds: number;
  voids: number;
  drop: number;
  hold: number;
  /** The start of the hour, in seconds since 1970. */
  at: number;
}

/** The limits that the house has set; null means no limit. */
export interface HouseLimitsView {
  min: number | null;
  max: number | null;
  differential: number | null;
}

export interface Irregularities {
  irregularities: IrregularityView[];
}

/** An irregularity that can be reported, and its questions. */
export interface IrregularityView {
  id: string;
  title: string;
  /** Whether the rulebook has a rule for it. */
  covered: boolean;
  clauses: string[];
  facts: QuestionView[];
  asks_for: string[];
  fields: FormField[];
}

export interface LanguageName {
  id: string;
  name: string;
}

export interface Languages {
  languages: LanguageName[];
}

/** The wager of the round before, for a player who wants the same again. */
export interface LastWager {
  player: string;
  position: number;
  wager: string;
  amount: number;
  seated: boolean;
}

/** What one answer leads to: steps of a ruling, one more question, or a decision. */
export interface LeadView {
  clause: string | null;
  /** The steps of the ruling that applies. */
  steps: string[];
  /** One more question. */
  asks: SentenceView | null;
  /** The role that decides what the rulebook does not cover. */
  decides: Role | null;
}

/** What each answer to a question of fact leads to. */
export interface LeadsView {
  yes: LeadView;
  no: LeadView;
}

/** The remaining steps of the last round at a shoe that plays rounds by itself. */
export interface LeftAtShoeView {
  round: number;
  since: number;
  /** Cards were never seen: the dealer confirms the end by hand, because the shoe's own message would reveal them. */
  by_hand: boolean;
  ended_by: string | null;
  aside_by: string | null;
  reason: string;
  to_be_ended: boolean;
}

/** The limits of the current round, otherwise those of the next; null means no limit. */
export interface LimitsView {
  min: number | null;
  max: number | null;
  differential: number | null;
  /** The maximum number of wagers in one area. */
  per_area: number | null;
  wagers: Record<string, WagerLimitsView>;
}

/** A person who can sign in. */
export interface ListedPerson {
  who: string;
  name: string;
  role: Role | "surveillance";
  language: string;
  /** Whether the account is locked at the place of this page. */
  locked: boolean;
  /** Whether it is locked here or at any other address. */
  locked_anywhere: boolean;
  /** A demonstration's PIN. */
  secret?: string;
}

/** The signed-in person. */
export interface Me {
  who: string;
  name: string;
  role: Role | "surveillance";
  language: string;
  csrf: string;
  locked: boolean;
  /** False: signed in from another address, with a second factor. */
  at_table: boolean;
  /** An authenticator is enrolled. */
  second_factor: boolean;
  /** Seconds without activity after which the screen locks. */
  idle_s: number;
  feeds: string[];
  demo: boolean;
  table: string;
  rulebook: string;
}

/** A method of dealing in the rulebook. */
export interface MethodView {
  id: string;
  name: string;
  clause: string;
  chosen_by: Role;
  player_draws: boolean;
  offered: boolean;
}

/** A card that reconstruction laid somewhere else: before and after. */
export interface Moved {
  n: number;
  was: Side | null;
  now: Side | null;
}

/** Chips to move since the first settlement: from whom, to whom, how much. */
export interface MovedChipsView {
  id: string;
  player: string;
  /** A player, or the house. */
  from: string;
  to: string;
  amount: number;
  clause: string | null;
}

/** A reportable irregularity; the name is null if the rulebook has none. */
export interface NamedIrregularity {
  id: string;
  name: string | null;
}

/** A kind of wager, and its own limits if it has any. */
export interface NamedLimits {
  id: string;
  min?: number | null;
  max?: number | null;
}

/** The command that carries out the prompt. */
export interface NextActView {
  word: string;
  hand: Side | null;
  player: string | null;
  /** The command names the card, because the card is exposed. */
  face: boolean;
}

/** An option that a player has not answered yet. */
export interface OfferView {
  /** A player, or `*` for every one. */
  to: string;
  choices: string[];
  kind: RulingStep;
  clause: string;
  by: ChoiceClauses;
}

/** The key for an authenticator, typed or as a link; shown only once. */
export interface OfferedFactor {
  key: string;
  uri: string;
}

/** The commitment of a card; the other fields are null while the card is sealed. */
export interface OpenedCommitment {
  n: number;
  commitment: string;
  /** Null also where the card was not read. */
  card: string | null;
  salt: string | null;
  holds: boolean | null;
}

export type Outcome =
  "player" | "banker" | "tie";

/** The settlement of one wager. */
export interface Paid {
  id: string;
  player: string;
  result: string;
  odds: string;
  pays: number;
  returned: number;
  clause: string | null;
}

/** A part of a wager that was rejected or not honoured, and went back at once. */
export interface PartBack {
  amount: number;
  /** By which; None where the book is silent. */
  clause: string | null;
}

export type Phase =
  "closed" | "changing_shoe" | "ready" | "betting" | "dealing" | "revealing" | "players_third" | "bankers_third"
  | "outcome" | "settling";

/** A stake that lies on the layout. */
export interface PlacedWager {
  id: string;
  player: string;
  position: number;
  wager: string;
  amount: number;
  seated: boolean;
  /** The member of staff who placed it on the player's behalf. */
  placed_by: string | null;
  /** The clause by which it was given back, empty where the book is silent; None: it takes part in the settlement. */
  returned_by: string | null;
  /** The change of the round's wagers since which it has this amount. */
  since: number;
  /** Smaller amounts it had before it was raised, each with since when. */
  lower: [number, number][];
  /** Reductions of `amount` against the player's will. */
  parts_back: PartBack[];
}

/** The body of every error; `code` and `gaps` are the translatable form of the English `detail`. */
export interface ProblemBody {
  type: string;
  title: string;
  status: number;
  detail: string;
  code: string | null;
  gaps: Record<string, string | number | (string | number)[] | null> | null;
  clause: string | null;
  next: string[];
  /** With `refused` and `moved_on`: the step, or where the table stands. */
  seq?: number;
  /** With `moved_on`: the table as it is now. */
  view?: StaffPageView;
}

/** The progress of a shuffler: cards in, cards out, and the total. */
export interface ProgressView {
  in: number;
  out: number;
  total: number;
}

/** The next action and announcement of the dealer. */
export interface PromptView {
  do: string;
  say: string | null;
  clause: string | null;
  code: string;
  gaps: Record<string, string | number | (string | number)[] | null>;
  /** Null without an announcement. */
  say_code: string | null;
  say_gaps: Record<string, string | number | (string | number)[] | null> | null;
  /** Null if the next act is at a device, or a question. */
  act: NextActView | null;
  /** The hand that receives the next card of the shoe, if the prompt asks for a card. */
  card_to: Side | null;
}

/** A record of the round, and whether it fits the hash chain. */
export interface ProvedRecord {
  seq: number;
  digest: string;
  fits: boolean;
}

/** The public view as a page receives it. */
export interface PublicPageView {
  state: "closed" | "changing_shoe" | "ready" | "betting" | "dealing" | "revealing" | "players_third" | "bankers_third" | "outcome" | "settling" | "halted" | "suspended";
  /** The present phase, also while the table is held. */
  phase: Phase;
  round: number;
  /** The round's external reference. */
  ref: string | null;
  shoe: number;
  method: string;
  hands: HandsView;
  totals: TotalsView;
  tags: TagsView;
  /** Null if the house has set no time, and while the table is held. */
  countdown: CountdownView | null;
  /** The clause by which the round is void. */
  void: string | null;
  /** A card was corrected. */
  corrected: boolean;
  over: boolean;
  /** The road of the shoe: B, P or T, then b, p or bp for pairs. */
  results: string[];
  /** Cards are entered by hand; the display must show this. */
  manual: boolean;
  limits: LimitsView;
  demo: boolean;
  mode: string;
  table: string | null;
}

/** A message of the feed `public`. */
export interface PublicStep {
  type: "snapshot" | "step";
  /** The number of the step's record in the journal. */
  seq: number;
  /** When the step happened, in seconds since 1970. */
  at: number;
  /** When the server sent it. */
  sent: number;
  /** The command or event. */
  what: string;
  demo: boolean;
  mode: string;
  table: string | null;
  view: PublicPageView;
}

export interface PublicTable {
  seq: number;
  at: number;
  sent: number;
  audience: string;
  view: PublicPageView;
}

/** A question of fact that a report may lead to. */
export interface QuestionView {
  fact: Fact;
  code: string;
  gaps: Record<string, string | number | (string | number)[] | null>;
  asks: string;
}

/** Whether the table has posted a snapshot and accepts steps. */
export interface Readiness {
  ready: boolean;
  seq: number;
  /** The reason for a hold, as a sentence. */
  stopped_by: string | null;
  devices: DeviceLink[];
}

/** One round, step by step. */
export interface RecalledRound {
  summary: RoundRow;
  /** Earlier summaries of the round, which are no longer valid. */
  superseded: number[];
  phases: RoundStep[];
  corrections: RoundCorrection[];
}

/** A part of a wager that was rejected or not honoured; the totals cover the rest. */
export interface RejectedPart {
  id: string;
  player: string;
  wager: string;
  amount: number;
  clause: string | null;
}

/** Cards that could still be played are replaced. */
export interface ReplaceShoe {
  type: "load_shoe";
  deck_set: string;
  decks: number;
  verified_by: string;
}

/** Another unit takes a device's place. */
export interface ReplaceUnit {
  type: "swap_device";
  device: "shoe" | "shuffler";
  identity: string;
  asset: string;
}

/** What a person reported of a case: cards by number and never by face. */
export interface ReportedView {
  cards: number[];
  order: number[];
  /** The actual places of the cards; null until a person reports them. */
  lies: Partial<Record<Side, number[]>> | null;
  wagers: TakenOff[];
  round: number | null;
  /** A description, if no rule names the event. */
  text: string;
}

/** A request that another person has to approve. */
export interface RequestView {
  what: string;
  by: string;
  given: CorrectCard | ReplaceShoe | VouchForShoe | EnterFirstCard | ConfirmCount | ReplaceUnit | ClearJournalLoss | GoOn | CloseOverDifferential | TakeDeckStep | ConfirmDeckCount | DealByHand | UseShoe | ConfirmCards;
  /** The reason that the requester gave. */
  reason: string;
  code: string;
  gaps: Record<string, string | number | (string | number)[] | null>;
  /** The question to the second person. */
  text: string;
}

/** An irregularity, and the clauses that resolve it. */
export interface ResolvedError {
  id: string;
  name: string;
  clauses: ResolvingClause[];
}

/** The error handling of the table's rulebook. */
export interface ResolvedErrors {
  rulebook: string;
  title: string;
  version: string | null;
  errors: ResolvedError[];
  /** The role that decides a case that the rulebook does not cover. */
  uncovered_by: string;
  /** The clause that names this role, or null. */
  uncovered: ResolvingClause | null;
}

/** A clause paraphrased, by language; English is always present. */
export interface ResolvingClause {
  clause: string;
  says: Record<string, string>;
}

export type Role =
  "player" | "dealer" | "pit_supervisor" | "pit_manager" | "assistant_casino_manager" | "gaming_shift_manager" |
  "table_game_shift_manager";

/** A manual change: who requested it, who approved it, and the table before and after. */
export interface RoundCorrection {
  seq: number;
  by: string;
  approved_by: string | null;
  reason: string;
  before: StaffView;
  after: StaffView;
}

/** The position of the round in the chain, and its opened commitments. */
export interface RoundProof {
  first: number;
  last: number;
  /** The digest of the record before the round's first. */
  previous: string;
  records: ProvedRecord[];
  commitments: OpenedCommitment[];
  chain_holds: boolean;
  head: ChainEnd;
}

/** One round in the list: its summary, or the known fields of an open round. */
export interface RoundRow {
  shoe: number;
  round: number;
  ref: string | null;
  began: number;
  ended: number | null;
  method: string;
  /** The dealer who opened the betting. */
  dealer: string | null;
  deck_set: string;
  /** The result in road notation; None for a void round. */
  result: string | null;
  /** The clause by which the round is void; `void` without a clause. */
  void: string | null;
  /** The cards of each hand; None for a card that was never exposed. */
  player: (string | null)[];
  banker: (string | null)[];
  /** Cards that were on neither hand. */
  aside: (string | null)[];
  rulings: Ruled[];
  corrected: boolean;
  corrections: CardCorrection[];
  /** By kind of wager. */
  wagers: Record<string, WagerTotals>;
  /** The number of the record that opened the betting. */
  first: number;
  /** The number of the record that ended the round, or corrected it. */
  last: number;
  /** The number of the summary that this one replaces. */
  supersedes: number | null;
  rejected: RejectedPart[];
  over: boolean;
  /** The record of the summary; None for an open round. */
  summary: number | null;
}

/** One step of a round: the event, its results, and the table after it. */
export interface RoundStep {
  seq: number;
  at: number;
  /** The command's name. */
  what: string;
  from: string;
  who: string | null;
  role: string | null;
  with: Record<string, unknown>;
  card: string | null;
  accepted: boolean;
  /** The step as a sentence: "9♥ to the Player". */
  says: SentenceView;
  /** The table's reaction: a stop, a corrected card, a void round. */
  then: SentenceView[];
  /** The reason for a refusal; its code and gaps are separate fields. */
  reason: string | null;
  code: string | null;
  gaps: Record<string, string | number | (string | number)[] | null> | null;
  clause: string | null;
  state: "closed" | "changing_shoe" | "ready" | "betting" | "dealing" | "revealing" | "players_third" | "bankers_third" | "outcome" | "settling" | "halted" | "suspended";
  /** The table after the step, as the dealer saw it. */
  view: StaffView;
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

export type RulingStep =
  "void" | "void_if_settled_too" | "go_on" | "play_on" | "refuse" | "stands" | "no_effect" | "reconstruct" |
  "set_aside" | "say_order" | "take_back" | "dealer_exposes" | "rebet" | "as_they_lie" | "strike" | "decide" |
  "may_replace_cards" | "must_replace_cards" | "keep_two" | "sort" | "missing_cards" | "take_equal_cards" |
  "enter_card" | "enter_unread" | "put_right" | "offer_each" | "offer_all" | "offer_remaining" |
  "offer_dealing_error";

/** A ruling. `text` is the decider's own text; texts of the table itself have a code. */
export interface RulingView {
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
  code: string | null;
  gaps: Record<string, string | number | (string | number)[] | null> | null;
}

/** A sealed card: its number and its commitment. */
export interface SealedView {
  n: number;
  commitment: string | null;
}

/** A sentence: its code, and its English text. */
export interface SentenceView {
  code: string;
  gaps: Record<string, string | number | (string | number)[] | null>;
  text: string;
}

/** A device, with the page of its emulator. */
export interface ServedDevice {
  name: string;
  driver: string;
  port: string;
  link: string;
  /** The number of events of each type. */
  counts: Record<string, number>;
  errors: DeviceErrorView[];
  /** The identity of the connected unit. */
  identity: string;
  /** The kind of error its driver failed with; empty while it works. */
  stopped: string;
  /** The commands that the device accepts. */
  takes: string[];
  state?: string;
  progress?: ProgressView;
  maker?: string;
  model?: string;
  serial?: string;
  firmware?: string;
  bench: string | null;
}

/** The setup of the table. */
export interface SetupView {
  rulebook: string;
  /** The title of the rulebook. */
  title: string;
  version: string | null;
  decks: number;
  /** The table is in the high limit area. */
  hlga: boolean;
  /** Only sets that were received, inspected and counted can be loaded. */
  deck_control: boolean;
  track_wagers: boolean;
  /** Two people may close betting over the differential: the rulebook settles it pro rata. */
  closes_over_differential: boolean;
  /** One tap pays and opens the next betting. */
  open_after_paying: boolean;
  /** 0 means that the rulebook sets no number. */
  positions: number;
  /** The direction in which the table positions are numbered, seen from above. */
  numbered: "clockwise" | "counter_clockwise";
  /** The currency sign in texts: SGD, $. */
  currency: string;
  minor_units: number;
  wagers: string[];
  methods: MethodView[];
  limits: HouseLimitsView;
  irregularities: NamedIrregularity[];
  roles: Role[];
  /** Rungs in ascending order. */
  ladder: Role[][];
  uncovered: DeciderView;
  /** Commands that require the sender's own PIN. */
  in_person: string[];
  /** By act. */
  approvals: Record<string, ApprovalView>;
  demo: boolean;
  mode: string;
  table: string | null;
  /** The smallest chip, in minor units. */
  chip_unit: number;
}

/** The figures of a shift. Money is in minor units. */
export interface Shift {
  /** The start of the first round; None without rounds. */
  since: number | null;
  rounds: number;
  an_hour: number | null;
  voids: number;
  corrections: number;
  staked: number;
  /** Winnings and returned stakes. */
  paid: number;
  /** The decisions in the shoe in use, the newest first. */
  decisions: ShiftDecision[];
}

/** A decision of people in this shoe: a ruling, or a corrected card. */
export interface ShiftDecision {
  at: number;
  round: number;
  /** The irregularity, or `correct`. */
  id: string;
  clause: string | null;
  reported_by: string;
  decided_by: string;
  approved_by: string;
  /** The text of the person who decided or requested it. */
  text: string;
  /** The round became void before the decision was applied. */
  moot: boolean;
  /** The number of a corrected card; its old and new face follow. */
  n: number | null;
  was: string | null;
  now: string | null;
  /** The people who acted from the floor and not at the table. */
  from_floor: string[];
}

/** The totals of a period. A round belongs to the hour in which it ended, and to the dealer who opened its betting.
 * */
export interface ShiftReport {
  since: number;
  until: number;
  /** Whether wagers are tracked; without tracking there is no money. */
  tracked: boolean;
  total: TallyRow;
  shoes: number;
  corrections: number;
  refused: number;
  /** The counts of B, P and T. */
  results: Record<string, number>;
  voids: TimesCounted[];
  halts: TimesCounted[];
  hours: HourRow[];
  dealers: TallyRow[];
  deck_sets: TallyRow[];
  wagers: WagerRow[];
  devices: DeviceRow[];
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

/** The shoe as a display draws it, including the round that is being paid. */
export interface ShoeRoads {
  seq: number;
  shoe: number;
  results: string[];
  bead_plate: [number, number, string][];
  big_road: [number, number, string, number][];
  big_eye_boy: [number, number, string][];
  small_road: [number, number, string][];
  cockroach_pig: [number, number, string][];
  counts: ShoeCounts;
  ask: AskRoads;
}

/** The shoe for staff. */
export interface ShoeView {
  number: number;
  deck_set: string;
  decks: number;
  verified_by: string;
  burn_left: number | null;
  /** The dealt part of the shoe in tenths, rounded down. */
  gone: number;
  cut_card_out: boolean;
  rounds_after_cut: number;
}

/** A cause that holds the table: what happened, since when, who can end it, what to do. */
export interface ShownHold {
  kind: HoldKind;
  /** The id of the irregularity, or of the device's hold. */
  what: string;
  code: string;
  gaps: Record<string, string | number | (string | number)[] | null>;
  text: string;
  since: number;
  /** Null if no person can end it, only the device or the machine. */
  role: Role | null;
  /** The command that ends it. */
  word: string | null;
  clause: string | null;
  /** A person other than the requester must approve. */
  second: boolean;
  /** The round it concerns; null if it happened between rounds. */
  round: number | null;
  /** The action to take now. */
  remedy: SentenceView;
  /** The persons who can end it. */
  ends: SentenceView;
  /** The maker's text and number. */
  detail: SentenceView | null;
}

export type Side =
  "player" | "banker";

/** The people who can sign in; empty for a stranger away from the table. */
export interface Staff {
  demo: boolean;
  table: string;
  at_table: boolean;
  staff: ListedPerson[];
  /** A demo's pages of the emulated devices, by device. */
  benches?: Record<string, string>;
}

/** The view of the dealer and the pit as a page receives it. */
export interface StaffPageView {
  state: "closed" | "changing_shoe" | "ready" | "betting" | "dealing" | "revealing" | "players_third" | "bankers_third" | "outcome" | "settling" | "halted" | "suspended";
  /** The present phase, also while the table is held. */
  phase: Phase;
  round: number;
  /** The round's external reference. */
  ref: string | null;
  shoe: number;
  method: string;
  hands: HandsView;
  totals: TotalsView;
  tags: TagsView;
  /** Null if the house has set no time, and while the table is held. */
  countdown: CountdownView | null;
  /** The clause by which the round is void. */
  void: string | null;
  /** A card was corrected. */
  corrected: boolean;
  over: boolean;
  /** The road of the shoe: B, P or T, then b, p or bp for pairs. */
  results: string[];
  /** Cards are entered by hand; the display must show this. */
  manual: boolean;
  limits: LimitsView;
  /** The commands that people may send in the present state. */
  can: string[];
  /** Every card of the round in drawn order. */
  cards: CardView[];
  /** Each hand that can be handled. */
  passing: Partial<Record<Side, TurnView>>;
  case: CaseView | null;
  /** By player. */
  withdrawable: Record<string, WithdrawableView>;
  /** The payout of every wager, once the outcome is announced. */
  payouts: Paid[];
  /** The outcome, once every card is exposed; null before, and for a void round. */
  outcome: Outcome | null;
  shoe_in_use: ShoeView | null;
  /** Another shoe is due. */
  shoe_due: boolean;
  /** The shuffler has verified cards that are not yet loaded. */
  verified: boolean;
  /** Every deck set on hand. */
  deck_sets: DeckSetView[];
  /** How many cards of a finished shoe have passed through it for the count. */
  rest_passed: number | null;
  /** The holds set by devices, the machine and the pit. */
  latches: HoldReason[];
  left_at_shoe: LeftAtShoeView | null;
  /** Manual mode: no device reads the cards. Null while the shoe reads them. */
  by_hand: ByHandView | null;
  /** When the last round ended. */
  ended_at: number | null;
  prompt: PromptView;
  asks: AskView[];
  offers: OfferView[];
  wagers: PlacedWager[];
  settlements: Paid[];
  /** The wagers that staff placed in the previous round; empty unless wagers are taken. */
  last_wagers: LastWager[];
  /** The player who draws the cards (Method C). */
  drawer: string | null;
  /** The dealer who opened the betting of the round. */
  dealer: string | null;
  /** The person who handles each hand; the dealer by default. */
  handlers: Partial<Record<Side, string>>;
  /** Notices of the table, the latest last. */
  notes: SentenceView[];
  /** Everything that holds the table; the hold to end first comes first. */
  held: ShownHold[];
  /** The same as one sentence. */
  stopped_by: string | null;
  /** Irregularities that are queued. */
  queue: string[];
  rulings: RulingView[];
  request: RequestView | null;
  /** The changes by a corrected settlement. */
  differences: DifferenceView[];
  /** The chips to move because a settled round was corrected or made void. */
  chips: MovedChipsView[];
  /** The table closes after this round. */
  close_after: boolean;
  /** Cards that reconstruction moved. */
  moved: Moved[];
  demo: boolean;
  mode: string;
  table: string | null;
}

/** A message of the feeds `dealer` and `pit`. */
export interface StaffStep {
  type: "snapshot" | "step";
  /** The number of the step's record in the journal. */
  seq: number;
  /** When the step happened, in seconds since 1970. */
  at: number;
  /** When the server sent it. */
  sent: number;
  /** The command or event. */
  what: string;
  demo: boolean;
  mode: string;
  table: string | null;
  view: StaffPageView;
}

export interface StaffTable {
  seq: number;
  at: number;
  sent: number;
  audience: string;
  view: StaffPageView;
}

/** The view of the dealer and the pit. */
export interface StaffView {
  state: "closed" | "changing_shoe" | "ready" | "betting" | "dealing" | "revealing" | "players_third" | "bankers_third" | "outcome" | "settling" | "halted" | "suspended";
  /** The present phase, also while the table is held. */
  phase: Phase;
  round: number;
  /** The round's external reference. */
  ref: string | null;
  shoe: number;
  method: string;
  hands: HandsView;
  totals: TotalsView;
  tags: TagsView;
  /** Null if the house has set no time, and while the table is held. */
  countdown: CountdownView | null;
  /** The clause by which the round is void. */
  void: string | null;
  /** A card was corrected. */
  corrected: boolean;
  over: boolean;
  /** The road of the shoe: B, P or T, then b, p or bp for pairs. */
  results: string[];
  /** Cards are entered by hand; the display must show this. */
  manual: boolean;
  limits: LimitsView;
  /** The commands that people may send in the present state. */
  can: string[];
  /** Every card of the round in drawn order. */
  cards: CardView[];
  /** Each hand that can be handled. */
  passing: Partial<Record<Side, TurnView>>;
  case: CaseView | null;
  /** By player. */
  withdrawable: Record<string, WithdrawableView>;
  /** The payout of every wager, once the outcome is announced. */
  payouts: Paid[];
  /** The outcome, once every card is exposed; null before, and for a void round. */
  outcome: Outcome | null;
  shoe_in_use: ShoeView | null;
  /** Another shoe is due. */
  shoe_due: boolean;
  /** The shuffler has verified cards that are not yet loaded. */
  verified: boolean;
  /** Every deck set on hand. */
  deck_sets: DeckSetView[];
  /** How many cards of a finished shoe have passed through it for the count. */
  rest_passed: number | null;
  /** The holds set by devices, the machine and the pit. */
  latches: HoldReason[];
  left_at_shoe: LeftAtShoeView | null;
  /** Manual mode: no device reads the cards. Null while the shoe reads them. */
  by_hand: ByHandView | null;
  /** When the last round ended. */
  ended_at: number | null;
  prompt: PromptView;
  asks: AskView[];
  offers: OfferView[];
  wagers: PlacedWager[];
  settlements: Paid[];
  /** The wagers that staff placed in the previous round; empty unless wagers are taken. */
  last_wagers: LastWager[];
  /** The player who draws the cards (Method C). */
  drawer: string | null;
  /** The dealer who opened the betting of the round. */
  dealer: string | null;
  /** The person who handles each hand; the dealer by default. */
  handlers: Partial<Record<Side, string>>;
  /** Notices of the table, the latest last. */
  notes: SentenceView[];
  /** Everything that holds the table; the hold to end first comes first. */
  held: ShownHold[];
  /** The same as one sentence. */
  stopped_by: string | null;
  /** Irregularities that are queued. */
  queue: string[];
  rulings: RulingView[];
  request: RequestView | null;
  /** The changes by a corrected settlement. */
  differences: DifferenceView[];
  /** The chips to move because a settled round was corrected or made void. */
  chips: MovedChipsView[];
  /** The table closes after this round. */
  close_after: boolean;
  /** Cards that reconstruction moved. */
  moved: Moved[];
}

/** The answer of a running table, which has the step in its journal. */
export interface StepAnswer {
  accepted: boolean;
  reason: string | null;
  code: string | null;
  gaps: Record<string, string | number | (string | number)[] | null> | null;
  clause: string | null;
  state: "closed" | "changing_shoe" | "ready" | "betting" | "dealing" | "revealing" | "players_third" | "bankers_third" | "outcome" | "settling" | "halted" | "suspended";
  phase: Phase;
  /** The round's external reference, if it has one. */
  ref: string | null;
  held: ShownHold[];
  prompt: PromptView;
  asks: AskView[];
  offers: OfferView[];
  hands: HandsView;
  settlements: Paid[];
  /** Notices since the round commenced, for example which card went where. */
  notes: SentenceView[];
  /** The sequence number of the step's record. */
  seq: number;
}

/** The surveillance view as a page receives it. */
export interface SurveillancePageView {
  state: "closed" | "changing_shoe" | "ready" | "betting" | "dealing" | "revealing" | "players_third" | "bankers_third" | "outcome" | "settling" | "halted" | "suspended";
  /** The present phase, also while the table is held. */
  phase: Phase;
  round: number;
  /** The round's external reference. */
  ref: string | null;
  shoe: number;
  method: string;
  hands: HandsView;
  totals: TotalsView;
  tags: TagsView;
  /** Null if the house has set no time, and while the table is held. */
  countdown: CountdownView | null;
  /** The clause by which the round is void. */
  void: string | null;
  /** A card was corrected. */
  corrected: boolean;
  over: boolean;
  /** The road of the shoe: B, P or T, then b, p or bp for pairs. */
  results: string[];
  /** Cards are entered by hand; the display must show this. */
  manual: boolean;
  limits: LimitsView;
  /** The commands that people may send in the present state. */
  can: string[];
  /** Every card of the round in drawn order. */
  cards: CardView[];
  /** Each hand that can be handled. */
  passing: Partial<Record<Side, TurnView>>;
  case: CaseView | null;
  /** By player. */
  withdrawable: Record<string, WithdrawableView>;
  /** The payout of every wager, once the outcome is announced. */
  payouts: Paid[];
  /** The outcome, once every card is exposed; null before, and for a void round. */
  outcome: Outcome | null;
  shoe_in_use: ShoeView | null;
  /** Another shoe is due. */
  shoe_due: boolean;
  /** The shuffler has verified cards that are not yet loaded. */
  verified: boolean;
  /** Every deck set on hand. */
  deck_sets: DeckSetView[];
  /** How many cards of a finished shoe have passed through it for the count. */
  rest_passed: number | null;
  /** The holds set by devices, the machine and the pit. */
  latches: HoldReason[];
  left_at_shoe: LeftAtShoeView | null;
  /** Manual mode: no device reads the cards. Null while the shoe reads them. */
  by_hand: ByHandView | null;
  /** When the last round ended. */
  ended_at: number | null;
  prompt: PromptView;
  asks: AskView[];
  offers: OfferView[];
  wagers: PlacedWager[];
  settlements: Paid[];
  /** The wagers that staff placed in the previous round; empty unless wagers are taken. */
  last_wagers: LastWager[];
  /** The player who draws the cards (Method C). */
  drawer: string | null;
  /** The dealer who opened the betting of the round. */
  dealer: string | null;
  /** The person who handles each hand; the dealer by default. */
  handlers: Partial<Record<Side, string>>;
  /** Notices of the table, the latest last. */
  notes: SentenceView[];
  /** Everything that holds the table; the hold to end first comes first. */
  held: ShownHold[];
  /** The same as one sentence. */
  stopped_by: string | null;
  /** Irregularities that are queued. */
  queue: string[];
  rulings: RulingView[];
  request: RequestView | null;
  /** The changes by a corrected settlement. */
  differences: DifferenceView[];
  /** The chips to move because a settled round was corrected or made void. */
  chips: MovedChipsView[];
  /** The table closes after this round. */
  close_after: boolean;
  /** Cards that reconstruction moved. */
  moved: Moved[];
  sealed: SealedView[];
  demo: boolean;
  mode: string;
  table: string | null;
}

/** A message of the feed `surveillance`. */
export interface SurveillanceStep {
  type: "snapshot" | "step";
  /** The number of the step's record in the journal. */
  seq: number;
  /** When the step happened, in seconds since 1970. */
  at: number;
  /** When the server sent it. */
  sent: number;
  /** The command or event. */
  what: string;
  demo: boolean;
  mode: string;
  table: string | null;
  view: SurveillancePageView;
}

export interface SurveillanceTable {
  seq: number;
  at: number;
  sent: number;
  audience: string;
  view: SurveillancePageView;
}

/** The limits of the current round, or of the next one between rounds. */
export interface TableLimitsView {
  min: number | null;
  max: number | null;
  differential: number | null;
  per_area: number | null;
  wagers: NamedLimits[];
  chip_unit: number;
  positions: number;
  track_wagers: boolean;
}

/** The tags of each hand whose first two cards are exposed. */
export interface TagsView {
  player: ("natural" | "pair")[];
  banker: ("natural" | "pair")[];
}

/** A deck set is inspected, or destroyed. */
export interface TakeDeckStep {
  type: "deck_set";
  deck_set: string;
  stage: DeckStage;
  decks: number;
}

/** A wager that comes off, or so much of it. */
export interface TakenOff {
  id: string;
  amount: number | null;
}

/** Rounds and money of a dealer, a deck set or an hour; money in minor units. */
export interface TallyRow {
  name: string;
  rounds: number;
  voids: number;
  drop: number;
  hold: number;
}

/** The count of a clause, an irregularity or a hold, by its id. */
export interface TimesCounted {
  what: string;
  times: number;
}

/** The total of each hand, once all of its cards are exposed. */
export interface TotalsView {
  player: number | null;
  banker: number | null;
}

/** The person who takes a hand next, and the clause. */
export interface TurnView {
  to: string | null;
  clause: string | null;
  named_by_supervisor: boolean;
  /** The player who has requested the squeeze and waits for permission. */
  asked_by: string | null;
  may_take: boolean;
  may_leave: boolean;
}

/** The shoe reads the cards again. */
export interface UseShoe {
  type: "use_shoe";
}

/** Cards come to the table on the word of one person, who confirms it in person. */
export interface VouchForShoe {
  type: "vouch_for_shoe";
  deck_set: string;
  decks: number;
  /** Who is asked: no other person approves in their place. */
  verified_by: string;
}

/** Limits of one kind of wager. */
export interface WagerLimitsView {
  min: number | null;
  max: number | null;
}

/** All wagers of one kind in the rounds that were settled, in minor units. */
export interface WagerRow {
  wager: string;
  wagers: number;
  staked: number;
  won: number;
  returned: number;
  hold: number;
}

/** The totals of one kind of wager, in minor units. */
export interface WagerTotals {
  wagers: number;
  staked: number;
  /** Winnings paid. */
  won: number;
  /** Stakes returned. */
  returned: number;
}

/** The wagers that a player with an open option may withdraw. */
export interface WithdrawableView {
  wagers: string[];
  /** They may be withdrawn one by one. */
  each: boolean;
}
