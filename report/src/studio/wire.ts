/** What the server and the page say to each other. */

export const MARKS = ["", ".", "?", "!", ";"] as const;
export type Mark = (typeof MARKS)[number];
export type Kind = "set" | "comment" | "state" | "decide";

/** What somebody does at a gap; the server keeps it as an event. */
export interface Act {
  document: number;
  kind: Kind;
  gap: number;
  value: string | null;
}

/** An act with the name of its tab and its number there. */
export interface Numbered extends Act {
  client: string;
  sequence: number;
}

export interface Person {
  id: number;
  name: string;
  is_manager: boolean;
  is_revoked: boolean;
}

export interface Me {
  person: Person;
  project: { name: string; id?: string };
}

export interface Progress {
  is_finished: boolean;
  acts: number;
  boundaries: number;
  comments: number;
  /** How many words lie before the last gap that was touched. */
  reached: number;
  /** How long somebody has worked, without breaks. */
  seconds: number;
}

export interface Listed extends Progress {
  id: number;
  name: string;
  words: number;
  has_audio: boolean;
  begins_with: number;
  /** Only managers are told of others, and of decisions. */
  people?: Record<string, Progress>;
  decisions?: number;
}

export interface LayerData {
  boundaries: Record<string, Mark>;
  comments: Record<string, string>;
}

export interface DocumentData {
  id: number;
  name: string;
  shown: string;
  start: number[];
  end: number[];
  speakers: string[];
  turns: number[];
  audio: string | null;
  layer: LayerData & { is_finished: boolean };
  others: Record<string, LayerData> | null;
}

export interface Dispute {
  gap: number;
  marks: Record<string, Mark | null>;
  before: string;
  after: string;
  decision: string | null;
  is_decided: boolean;
  comments?: Record<string, string>;
}

export interface Disputes {
  document: number;
  people: string[];
  disputes: Dispute[];
}

export interface Pattern {
  side: "before" | "after";
  word: string;
  times: number;
  document: string;
  example: Dispute;
}

export interface Scores {
  [key: string]: number | null | undefined;
}

export interface Pair {
  references: [string, string];
  cohen_kappa: number | null;
  f1: number | null;
  boundary_similarity: number | null;
}

export interface Agreement {
  summary: null | {
    references: string[];
    documents: string[];
    agreement: Scores & { pairs: Pair[]; by_document: Record<string, Scores> };
    ceiling?: { human: Scores; annotators: Record<string, Scores> };
  };
  /** On the words that all have reached, if these are not all. */
  so_far: null | { words: number; of: number; agreement: Scores };
  people: Worker[];
  documents: number;
}

export interface Worker {
  name: string;
  is_revoked: boolean;
  acts: number;
  begun: number;
  finished: number;
  boundaries: number;
  reached: number;
  seconds: number;
}

/** A mark as it is shown: a boundary without one is two bars. */
export function signOf(mark: string): string {
  return mark || "‖";
}

const NAMES: Record<string, string> = {
  "": "no mark",
  ".": "full stop",
  "?": "question mark",
  "!": "exclamation mark",
  ";": "semicolon",
};

/** What somebody has at a gap, in words. */
export function told(mark: string | null): string {
  return mark === null ? "no boundary" : `boundary, ${NAMES[mark] ?? mark}`;
}
