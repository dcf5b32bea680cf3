// What the floor's server says: kept beside the structs of `controller/floor/web`.

import type { Gaps, Role } from "/static/js/types.d.ts";

export interface SaidSentence { code: string; gaps: Gaps; text: string }
export interface StopHold extends SaidSentence {
  kind: string; since: number; role: Role | null; clause: string | null; second: boolean;
  remedy: SaidSentence | null; ends: SaidSentence | null;
}
export interface TableAsk {
  do: string; says: string; code: string; gaps: Gaps; role: Role | null; clause: string | null;
  second: boolean; there: boolean; since: number | null;
}
export interface DeviceBeat { name: string; driver: string; link: string; unit: string; firmware: string; cards: number; misreads: number }
export interface OfferedMethod { id: string; clause: string; chosen_by: Role }
export interface Tile {
  table: string; title: string; pit: string; state: string; phase: string;
  shoe: number | null; round: number | null; method: string | null; dealer: string | null;
  limits: { min: number | null; max: number | null; differential: number | null };
  currency: string; minor_units: number; results: string[]; stops: StopHold[]; asks: TableAsk[]; can: string[];
  close_after: boolean; seq: number; at: number; away: boolean; heard: number; unsent: number; mode: string;
  rulebook: string; release: string; clock_off: number; devices: DeviceBeat[]; rounds_hour: number;
  documents: Record<string, number>; unread: boolean; methods: OfferedMethod[]; floor_may: string[] | null;
}
export interface MapTile {
  table: string; title: string; pit: string; phase: string; method: string | null; dealer: string | null;
  min: number | null; max: number | null; minor_units: number; results: string;
  stop: (SaidSentence & { since: number }) | null; seq: number; away: boolean; heard: number; rounds_hour: number;
}
export interface Counts { stopped: number; in_play: number; changing_shoe: number; closed: number; away: number; tables: number }
export interface ExceptionRow {
  table: string; title: string; pit: string; kind: string; since: number; text: string; code: string | null; gaps: Gaps;
  clause: string | null; role: Role | null; order: number; waits_for: string | null; there: boolean; then: string;
  then_code: string | null; then_gaps: Gaps; ids: number[]; acknowledged_by: string | null; seq: number; more: number;
}
export interface FloorMessage {
  type: "floor"; revision: number; whole: boolean; now: number; tiles: MapTile[]; counts: Counts;
  exceptions: ExceptionRow[] | null; store_down: string | null;
}
export interface FloorPerson {
  who: string; name: string; role: Role; language: string; csrf: string; locked: boolean; idle_s: number; zone: string;
  site: string; title: string; demo: boolean; may: string[]; ladder: string[][];
}
export interface FloorStaff { demo: boolean; title: string; staff: { who: string; name: string; role: Role; language: string; locked: boolean; secret: string | null }[] }
export interface OrderAnswer { id: string; outcome: string; seq: number; code: string | null; text: string; clause: string | null }
export interface RoundRow {
  table: string; epoch: number; summary: number; shoe: number; round: number; ref: string | null; began: number; ended: number;
  dealer: string | null; deck_set: string; rulebook: string; method: string; result: string | null; void: string | null;
  corrected: boolean; rulings: import("/static/js/types.d.ts").Ruling[]; drop_minor: number; hold_minor: number; first: number; last: number;
  supersedes: number | null; superseded: boolean;
}
export interface DeviceRow { driver: string; unit: string; firmware: string; tables: string[]; cards: number; misreads: number; errors: number; link_losses: number }
export interface DealerRow { dealer: string; rounds: number; hours: number; voids: number; corrections: number; irregularities: Record<string, number> }
export interface ShiftRow {
  begins: number; ends: number; day: string; from_hour: string; to_hour: string; dealers: number; tables: number; hours: number;
  rounds: number; voids: number; corrections: number; irregularities: Record<string, number>;
}
export interface ProofRow { table: string; title: string; epoch: number; seq: number; digest: string; received: number; revoked: boolean; unsent: number; ahead: number }
export interface ProofPage {
  heads: ProofRow[]; roots: { hour: number; root: string; stamped: boolean }[];
  archives: { table: string; epoch: number; month: string; first: number; last: number; file: string; verified: number | null }[];
}
export interface OrderRow { id: string; table: string; word: string; who: string; role: Role; seen: number; made: number; outcome: string | null; answer: OrderAnswer | null; answered: number | null }
export interface NotTakenRow { table: string; at: number; who: string; outcome: string | null; orders: number; seq: number }
export interface EventRow { at: number; who: string; what: string; says: string }
export interface Undelivered { subscriber: string; url: string; table: string; seq: number; failing_since: number; tries: number; last_error: string | null }
export interface BandPoint { at: number; value: number; low: number; high: number }
export interface MixRow { result: string; seen: number; expected: number; low: number; high: number; chance: number }
export interface BookTrend { rulebook: string; title: string; rounds: number; hold: BandPoint[]; theory: number; drop: number; kept: number; chance: number; mix: MixRow[]; enough: boolean; left_out: number }
export interface TrendsPage { since: number; now: number; books: BookTrend[] }
export interface TableView { [name: string]: unknown }
export interface TablePage { tile: Tile; view: import("/static/js/types.d.ts").StaffView | null; exceptions: ExceptionRow[] }
export interface Licence { who: string; name: string; role: Role; until: number; games: string[] }
export interface SiteDocument { table: string; kind: "people" | "limits"; version: number; made: number; made_by: string; document: object }
export interface SitePage { documents: SiteDocument[]; taken: Record<string, Record<string, number>>; games: string[] }
export interface LobbyRow {
  table: string; title: string; state: string; rulebook: string; shoe: number | null; round: number | null;
  limits: { min: number | null; max: number | null }; currency: string; minor_units: number; dealer: string | null;
  big_road: [number, number, string, number][]; counts: { banker: number; player: number; tie: number };
}
export interface LobbyMessage { type: "lobby"; revision: number; whole: boolean; now: number; tables: LobbyRow[]; gone: string[] }
