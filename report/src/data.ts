/** The data of the page, as `report/payload.py` writes them. */

export type Scores = Record<string, number | null>;
export type Interval = [number | null, number | null];
export type Intervals = Record<string, Interval>;
export type Better = "high" | "low" | null;

export interface Column {
  title: string;
  key: string;
  better: Better;
}

export interface Section {
  title: string;
  columns: Column[];
}

export interface System {
  name: string;
  micro: Scores;
  macro?: Scores;
  by_document?: Record<string, any>;
  by_reference?: Record<string, any>;
  confidence?: { micro?: Intervals; macro?: Intervals };
  [other: string]: any;
}

export interface Summary {
  caesura: string;
  task: "transcript" | "agreement" | "text" | "terms";
  signature: string;
  options: Record<string, any>;
  references: string[];
  documents: string[];
  systems?: System[];
  sources?: Record<string, { words: number; units: number }>;
  agreement?: any;
  ceiling?: {
    human: Scores;
    annotators: Record<string, Scores>;
    systems?: Record<string, Scores>;
    confidence?: any;
  };
  confidence?: { level: number; notes?: string[] };
  gold?: any;
  [other: string]: any;
}

export interface StoredReading {
  document: string;
  length: number;
  words?: string;
  references: Record<string, number[]>;
  systems: Record<string, number[]>;
  marks?: Record<string, string>;
  speakers?: { names: string[]; codes: number[]; words: number[] };
}

export interface Spread {
  units: number;
  mean: number;
  quantiles: number[];
}

export interface Charts {
  windows?: {
    limits: number[];
    wisebe: Record<string, (number | null)[]>;
    window_f1: Record<string, (number | null)[]>;
  };
  offsets?: { farthest: number; counts: Record<string, number[]> };
  lengths?: Record<string, Spread>;
}

export interface Pattern {
  unit: "token" | "sentence";
  kind: "split" | "merged" | "other";
  system: string;
  gold: string;
  times: number;
  cases: Record<string, string>[];
}

export interface TextReading {
  system: string;
  blocks: number;
  kinds: number;
  patterns: Pattern[];
}

export interface Cluster {
  cluster: number;
  size: number;
  types: number;
  purity: number;
  spellings: { phones: string; word: string; times: number }[];
}

export interface TermsReading {
  system: string;
  count: number;
  clusters: Cluster[];
  wrong_types: { phones: string; times: number }[];
  intervals: Record<string, { on: number[]; off: number[]; cluster: number[]; right: number[] }>;
}

export interface GoldReading {
  words: Record<string, { on: number[]; off: number[]; words: string[] }>;
}

export interface Data {
  version: number;
  summary: Summary;
  sections: Section[];
  columns: Record<string, Column[]>;
  tables: {
    title: string;
    heads: { title: string; label: boolean }[];
    rows: (string | number | null)[][];
  }[];
  notes: string[];
  readings: any[];
  charts: Charts;
}

export function load(): Data {
  return JSON.parse(document.getElementById("data")!.textContent!) as Data;
}

/** The scores of a system: of all documents, or of one. */
export function scoresOf(system: System, scope: string): Scores {
  if (scope === "micro") return system.micro;
  if (scope === "macro") return system.macro ?? system.micro;
  const own = system.by_document?.[scope.slice(1)] ?? {};
  return own.sentences ? flattened(own) : own;
}

/** Scores of text: `sentences.f1` is `sentence_f1`. */
function flattened(own: any): Scores {
  const flat: Scores = { aligned: own.aligned };
  for (const unit of ["sentence", "token"]) {
    for (const [name, value] of Object.entries(own[`${unit}s`] as Scores))
      flat[`${unit}_${name}`] = value;
  }
  return flat;
}
