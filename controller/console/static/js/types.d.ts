// Short names for what the console sends (sent.d.ts, made from the structs), and what pages pass among themselves.
// Only the type checker reads this file.

import type * as sent from "./sent.d.ts";

export type {
  AskView as Ask, ByHandView as ByHand, CardCode, CardView as Drawn, CaseView as Case, CorrectCard,
  CountdownView as Countdown, DeckCountView as DeckCount, DeckSetView as DeckSet, FloorLink, FoundRounds as Found,
  ShownHold as Hold, IrregularityView as Irregularity, LastWager, LeadView as Lead, LeftAtShoeView as LeftAtShoe,
  LimitsView as Limits, ListedPerson as Person, Me, MethodView as Method, OfferView as Offer,
  OpenedCommitment as Commitment, Paid, Phase as PlayPhase, PlacedWager as Wager, PromptView as Prompt,
  PublicPageView as PublicView, RecalledRound as Recalled, ReportedView as Reported, RequestView as Request,
  ResolvedErrors, ResolvingClause, RoundCorrection as Correction, RoundProof as Proof, RoundRow as Summary,
  RoundStep as Recollection, RulingView as Ruling, SentenceView as Notice, ServedDevice as Device, SetupView as Setup,
  Shift, ShiftDecision as Decided, ShiftReport, ShoeRoads as Roads, ShoeView as Shoe, Side, Staff,
  StaffPageView as StaffView, StaffView as TableView, TakenOff, TallyRow as Tallied, TimesCounted, TurnView as Turn,
} from "./sent.d.ts";

/** The table's own number of a step in its journal. */
export type Seq = number;
/** The phase, or that the table is held in it. */
export type State = sent.PublicPageView["state"];
export type Role = sent.Role | "surveillance";

export type Gap = string | number | null | Gap[];
/** What is in a sentence's gaps: numbers, cards, roles, names, clauses, ids; never a sentence. */
export type Gaps = Record<string, Gap>;

/** A sentence: its code and gaps. */
export interface Coded {
  code: string | null;
  gaps: Gaps;
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

/** What every view and message says of the table. */
export interface About {
  demo: boolean;
  mode?: string;
  table?: string | null;
}

/** A message of a staff feed. */
export type FeedMessage = sent.StaffStep | sent.FeedBeat;

/** Of an error, with what a page can do next; what a floor answers has `outcome`. */
export type ProblemBody = Partial<sent.ProblemBody> & { outcome?: string };

export interface Said {
  seq: Seq;
}

/** What a search asks for, as it stands in an address. */
export type Query = Record<string, string>;

/** A round by its numbers. */
export interface RoundKey {
  shoe: number;
  round: number;
}

/** Column, row, what stands there, and on the big road how many ties. */
export type Cell = [number, number, string, number?];
export type DerivedRoad = "big_eye_boy" | "small_road" | "cockroach_pig";
export type Road = "bead_plate" | "big_road" | DerivedRoad;

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
