/** What the server and the page say to each other. */

export const MARKS = ["", ".", "?", "!", ";"] as const;
export type Mark = (typeof MARKS)[number];
/** What follows the mark of a boundary of which somebody is unsure. */
export const UNSURE = "~";
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

export const ROLES = ["annotator", "adjudicator", "manager"] as const;
export type Role = (typeof ROLES)[number];

export interface Person {
  id: number;
  name: string;
  role: Role;
  is_revoked: boolean;
}

/** A person, and how many documents and words they have been given. */
export interface Known extends Person {
  assigned: number;
  words: number;
}

/** How annotators get their documents. */
export type Arrangement = "listed" | "random";

export interface Me {
  person: Person;
  project: {
    name: string;
    id?: string;
    language?: string;
    arrangement: Arrangement;
    /** Whether units end with a mark, and not only with a boundary. */
    marks: boolean;
  };
  guidelines: { version: number; seen: number };
}

export interface Guidelines {
  version: number;
  text: string;
  at: number | null;
  seen: number;
  before: string | null;
}

/** An act of the project: a role, an assignment, its order, … */
export interface ProjectAct {
  kind: string;
  [says: string]: unknown;
}

export interface Progress {
  is_finished: boolean;
  /** Whether nothing of others was shown to its person before it began. */
  is_blind: boolean;
  /** Where it was imported from. */
  source: string;
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
  is_closed: boolean;
  /** Of an annotator’s own: how often they annotate it. */
  pass?: number;
}

/** What came of a file that was sent. */
export interface Uploaded {
  documents: unknown[];
  added: number;
  sound: boolean;
  notes: string[];
}

export type Step = "assign" | "wait" | "adjudicate" | "close" | "done";

/** A document as managers and adjudicators see it in the list. */
export interface Managed extends Omit<Listed, keyof Progress> {
  people: (Progress & { person: number; name: string; pass: number })[];
  disputes: number;
  open: number;
  next: Step;
  /** Files in the project’s folder that are deleted with it. */
  files: string[];
}

export interface LayerData {
  boundaries: Record<string, Mark>;
  comments: Record<string, string>;
  unsure: number[];
  is_blind?: boolean;
}

/** What is decided of a gap; one that is not decided yet has no decision. */
export type Decision = Mark | null | "majority" | "discuss";
/** As an act, it takes a decision back. */
export const OPEN = "open";

export interface AdjudicationData {
  decisions: Record<string, { value: Decision; by: string }>;
  /** Who has not finished, by number. */
  unfinished: Record<string, string>;
  closed: null | { by: string; boundaries: number };
}

/** What somebody did in a document before, the last acts last. */
export interface Past {
  steps: { kind: Kind; gap: number; value: string | null; before: string | null }[];
}

export interface DocumentData {
  id: number;
  name: string;
  shown: string;
  start: number[];
  end: number[];
  speakers: string[];
  turns: number[];
  /** The first and the last word of each cue whose words have no times of their own. */
  cues: [first: number, last: number][];
  audio: string | null;
  layer: LayerData & Pick<Progress, "is_finished" | "reached">;
  /** Of judges, those who have finished; of annotators, null until the document is closed. */
  others: Record<string, LayerData> | null;
  result: Record<string, Mark> | null;
  is_closed: boolean;
  is_readonly: boolean;
  /** Of judges only. */
  adjudication: AdjudicationData | null;
}

export interface Pattern {
  side: "before" | "after";
  word: string;
  times: number;
  document: string;
  example: { before: string; after: string };
}

export type Scores = Record<string, number | null | undefined>;

/** The figures of two annotators, or of one with themselves. */
export interface OfTwo {
  documents: number;
  f1: number | null;
  boundary_similarity: number | null;
  cohen_kappa: number | null;
}

export interface Agreement {
  summary: null | {
    signature: string;
    references: string[];
    documents: string[];
    agreement: Scores & {
      pairs: (OfTwo & { references: [string, string] })[];
      by_document: Record<string, Scores>;
      confidence?: { micro?: Record<string, [number | null, number | null]> };
    };
    /** How many documents have how many annotators. */
    panels: Record<string, number>;
    ceiling?: { human: Scores; annotators: Record<string, Scores> };
  };
  /** On the words that all have reached, if these are not all. */
  so_far: null | { gaps: number; agreement: Scores };
  /** Annotators with themselves, where they have two passes. */
  again: (OfTwo & { name: string })[];
  people: Worker[];
  /** How many layers do not count, by the reason. */
  left_out: Record<string, number>;
}

export interface Worker {
  name: string;
  assigned: number;
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
  ".": "full stop",
  "?": "question mark",
  "!": "exclamation mark",
  ";": "semicolon",
};

/** What somebody has at a gap, in words. */
export function told(mark: string | null, isUnsure = false): string {
  if (mark === null) return "no boundary";
  return `${isUnsure ? "unsure boundary" : "boundary"}${mark && `, ${NAMES[mark]}`}`;
}
