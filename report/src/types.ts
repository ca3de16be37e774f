/** The data of the page, as report/generate.py wrote it from Python's dataclasses. */

/** Scores by key; null is undefined. */
export type Scores = Record<string, number | null>;

/** All that the page shows. */
export interface PageData {
  version: number;
  question: string;
  command: string;
  behind: string;
  has_gold: boolean;
  item: string;
  summary: Summary;
  sections: Section[];
  agreement: PageColumn[];
  ceiling: PageColumn[];
  by_document: PageColumn[];
  tables: PageTable[];
  notes: string[];
  limits: Limits | null;
  readings: (TranscriptReading | ClockReading | TextReading | TreesReading | SentencesReading | CorrectionsReading | GoldReading | TermsReading)[];
  charts: Charts;
  alignment?: Section;
}

/** The result of scoring: everything that tables, the report and JSON show. */
export interface Summary {
  caesura: string;
  task: string;
  signature: string;
  options: Record<string, unknown>;
  references: string[];
  documents: string[];
  words: number;
  systems: System[];
  sources: Record<string, Version>;
  axes: Record<string, string>;
  agreement?: ReferenceAgreement;
  ceiling?: Ceiling;
  streams?: Streams;
  gold?: Corpus;
  confidence?: Resampled;
  comparison?: Comparisons;
  notes: string[];
  warnings: string[];
  profile?: string;
  skipped: Record<string, string>;
  panels: Partial<Record<number, number>>;
  who: Record<string, boolean[]>;
  curves: RankingCurve[];
}

/** A table of the systems that the page fills itself, for all documents or for one. */
export interface Section {
  id: string;
  title: string;
  columns: PageColumn[];
}

/** A heading, its key, its name where headings repeat, its definition, and its format. */
export interface PageColumn {
  key: string;
  title: string;
  label: string;
  better: "high" | "low" | null;
  help: string;
  format: "text" | "count" | "rate";
  scale: number;
}

/** A table with its values; `best` and `daggers` are cells, by row and column. */
export interface PageTable {
  id: string;
  title: string;
  columns: PageColumn[];
  rows: (string | number | null)[][];
  best: [number, number][];
  daggers: [number, number][];
  is_folded: boolean;
}

/** What the reading view needs to know: the limit of windows, and how far off is near. */
export interface Limits {
  window: number;
  tolerance: number;
}

/** One document: its words, or how many, and the boundaries that count of each version. */
export interface TranscriptReading {
  document: string;
  systems: Record<string, number[]>;
  length: number;
  words: string | null;
  references: Record<string, number[]>;
  marks: Record<string, string>;
  heard: Record<string, Heard>;
  speakers?: Speakers;
  kind: "transcript";
}

/** One document on a clock or on samples: the boundaries that count of each version. */
export interface ClockReading {
  document: string;
  systems: Record<string, string>;
  tolerance: number;
  references: Record<string, string>;
  length: number;
  axis: "time" | "samples";
  spans: Record<string, PackedSpans>;
  scores: Record<string, string>;
  kind: "clock";
}

/** The errors of one system: all blocks, all patterns, and the most frequent of these. */
export interface TextReading {
  system: string;
  blocks: number;
  kinds: number;
  patterns: Pattern[];
  kind: "text";
}

/** The trees of one system that differ: how many, their label errors, and some of them. */
export interface TreesReading {
  system: string;
  sentences: number;
  long: number;
  kinds: number;
  labels: LabelError[];
  cases: TreeError[];
  kind: "trees";
}

/** The segments of one system: how many, how many of them with edits, and some of them. */
export interface SentencesReading {
  system: string;
  segments: number;
  wrong: number;
  cases: AlignedSegment[];
  kind: "sentences";
}

/** The wrong edits of one system: how many, how many patterns, and the most frequent ones. */
export interface CorrectionsReading {
  system: string;
  edits: number;
  kinds: number;
  patterns: EditPattern[];
  kind: "corrections";
}

/** The words of the first recordings. */
export interface GoldReading {
  words: Record<string, SpokenWords>;
  kind: "gold";
}

/** What one system found: its largest clusters, wrong types, and intervals. */
export interface TermsReading {
  system: string;
  count: number;
  clusters: Cluster[];
  wrong_types: WrongType[];
  intervals: Record<string, FoundIntervals>;
  kind: "terms";
}

/** What is drawn; `ranks` and `agreement` name two scores to set against each other. */
export interface Charts {
  windows?: WindowChart;
  offsets?: OffsetChart;
  lengths: UnitLengths[];
  ranks?: [PageColumn, PageColumn];
  agreement?: [PageColumn, PageColumn];
}

/** The scores of one system: of summed counts, their means over documents, and the details. */
export interface System {
  name: string;
  micro: Scores;
  macro: Scores;
  macro_undefined: Record<string, number>;
  by_document: Record<string, Scores>;
  by_reference: Record<string, Against>;
  alignment: Scores;
  spreads: Record<string, Spread>;
  groups: Record<string, Record<string, Scores>>;
  confidence?: Partial<Record<"micro" | "macro", Record<string, [number | null, number | null]>>>;
}

/** What was read of one system or reference, and how its words were aligned. */
export interface Version {
  words: number;
  units: number;
  alignment: Scores;
  by_document: Record<string, Scores>;
}

/** How far the references agree. */
export interface ReferenceAgreement {
  micro: Scores;
  macro: Scores;
  by_document: Record<string, Scores>;
  pairs: ReferencePair[];
  pearson_rgar_fleiss_kappa: number | null;
  typed?: SharedMarks;
  confidence?: Partial<Record<"micro" | "macro", Record<string, [number | null, number | null]>>>;
}

/** Annotators and systems, with one reference left out at a time; `human` is the average. */
export interface Ceiling {
  human: Scores;
  annotators: Record<string, Scores>;
  systems: Record<string, Scores>;
  confidence?: CeilingIntervals;
  beside?: Record<string, Record<string, Scores>>;
  documents?: Record<string, number>;
}

/** The speakers or channels, the largest first. */
export interface Streams {
  kind: string;
  each: Stream[];
}

/** The gold of a corpus of speech. */
export interface Corpus {
  recordings: number;
  words: number;
  phones: number;
}

/** What was resampled and how; every option that can change an interval or a p-value. */
export interface Resampled {
  level: number | null;
  method: string;
  unit: string;
  units: number;
  documents: number;
  resamples: number;
  seed: number;
  exact?: boolean;
  notes: string[];
}

/** The result of `caesura compare`. */
export interface Comparisons {
  caesura: string;
  of: string;
  signature: string;
  references: string[];
  documents: string[];
  confidence: Resampled;
  baseline: string | null;
  systems: System[];
  comparisons: Contrast[];
  ceiling?: Compared;
  task: "compare";
}

/** Scores by threshold of a system that gives a score for each place, from the highest on. */
export interface RankingCurve {
  name: string;
  used: number | null;
  thresholds: (number | null)[];
  precision: (number | null)[];
  recall: (number | null)[];
  f1: (number | null)[];
  bins: CalibrationBin[];
}

/** What a version has where its words differ from those of the axis. */
export interface Heard {
  at: number[];
  words: string;
  before: number[];
  inserted: string;
}

/** Who speaks: for each turn a number into the names (-1 is nobody) and how many words. */
export interface Speakers {
  names: string[];
  codes: number[];
  words: number[];
}

/** The labelled spans of a version, packed: the steps from start to start, lengths, and labels. */
export interface PackedSpans {
  starts: string;
  lengths: string;
  codes: string;
  names: string[];
}

/** Errors of one kind: how many, and the first of them. */
export interface Pattern {
  unit: "token" | "sentence";
  direction: "split" | "merged" | "other";
  system: string;
  gold: string;
  times: number;
  cases: ErrorCase[];
}

/** A label of the system where gold has another, with how many times; `–` is none. */
export interface LabelError {
  system: string;
  gold: string;
  times: number;
}

/** A block of sentences whose brackets differ; `labels` pairs the system's and the gold's. */
export interface TreeError {
  document: string;
  system: TreeSide;
  gold: TreeSide;
  labels: [string, string][];
}

/** A segment in columns: an operation each, and what both sides have written there. */
export interface AlignedSegment {
  document: string;
  number: number;
  units: "words" | "characters";
  words: number;
  edits: number;
  operations: string;
  reference: string[];
  system: string[];
  left: number;
}

/** The same edit in several places: on which side, how many by type, and the first of them. */
export interface EditPattern {
  side: "system" | "gold";
  text: string;
  correction: string;
  times: Record<string, number>;
  cases: EditCase[];
}

/** The words of a recording, with times in milliseconds. */
export interface SpokenWords {
  on: number[];
  off: number[];
  words: string[];
}

/** One cluster: its number in the file, its members, and what they spell. */
export interface Cluster {
  cluster: number;
  size: number;
  types: number;
  purity: number | null;
  spellings: Spelling[];
}

/** A sequence of phones that is not a word, and how often it was found. */
export interface WrongType {
  phones: string;
  times: number;
}

/** The intervals of a recording, in milliseconds. */
export interface FoundIntervals {
  on: number[];
  off: number[];
  cluster: number[];
  right: number[];
}

/** Scores by window limit; `used` is the limit of the summary. */
export interface WindowChart {
  limits: number[];
  used: number;
  scores: WindowScore[];
}

/** How many boundaries of each system are off by each number of words, `-farthest` first. */
export interface OffsetChart {
  farthest: number;
  tolerance: number;
  counts: Record<string, number[]>;
}

/** The units of one version: how many, their mean length and its quantiles. */
export interface UnitLengths {
  name: string;
  is_reference: boolean;
  units: number;
  mean: number | null;
  quantiles: [number, number, number, number, number];
}

/** A system against one reference; `shared` is how much they share, where that varies. */
export interface Against {
  scores: Scores;
  typed?: Typed;
  shared: Scores;
}

/** Scores of parts of a corpus: their mean, their standard deviation, and each of them. */
export interface Spread {
  mean: Scores;
  std: Scores;
  undefined: Record<string, number>;
  each: Record<string, Scores>;
}

/** Two references against each other; `shared` is how much they share, where that varies. */
export interface ReferencePair {
  references: [string, string];
  scores: Scores;
  shared: Scores;
}

/** Places with a boundary, those with the same mark in most or all references, and by mark. */
export interface SharedMarks {
  places: number;
  most: number;
  all: number;
  by_mark: Record<string, Scores>;
}

/** The intervals of the ceiling. */
export interface CeilingIntervals {
  human: Record<string, [number | null, number | null]>;
  annotators: Record<string, Record<string, [number | null, number | null]>>;
  systems: Record<string, Record<string, [number | null, number | null]>>;
}

/** One speaker or channel: its words, each reference's boundaries, and the systems' scores. */
export interface Stream {
  document: string | null;
  name: string;
  words: number | null;
  boundaries: Record<string, number>;
  systems: Record<string, Scores>;
}

/** All about the differences of two systems: the first minus the second. */
export interface Contrast {
  systems: [string, string];
  micro: Record<string, Difference>;
  macro: Record<string, Difference>;
}

/** Systems with intervals, and what differs between them. */
export interface Compared {
  systems: System[];
  comparisons: Contrast[];
}

/** Places with similar scores: their mean score, the share with a boundary, and how many. */
export interface CalibrationBin {
  score: number | null;
  share: number | null;
  places: number;
}

/** One error: where it is, and what is around it; of sentences also both sides in full. */
export interface ErrorCase {
  document: string;
  system_place: string;
  gold_place: string;
  before: string;
  after: string;
  system: string;
  gold: string;
}

/** The trees of one side of a block of sentences: tokens, tags and brackets over them. */
export interface TreeSide {
  place: string;
  words: string[];
  tags: string[];
  ends: number[];
  label: string[];
  first: number[];
  last: number[];
  wrong: number[];
  tags_wrong: number[];
  points: number[];
}

/** One edit: its document, where it is, its type, and what is around it. */
export interface EditCase {
  document: string;
  place: string;
  type: string;
  before: string;
  after: string;
}

/** The phones of some members of a cluster, the word they are, and how many members. */
export interface Spelling {
  phones: string;
  word: string;
  times: number;
}

/** One score of each system for each limit of the windows. */
export interface WindowScore {
  title: string;
  help: string;
  by_system: Record<string, (number | null)[]>;
}

/** Marks at one reference's boundaries: all together, and one by one. */
export interface Typed {
  correct: number;
  substitutions: number;
  deletions: number;
  insertions: number;
  by_mark: Record<string, Scores>;
}

/** One system minus another on one score; `better`, `equal` and `worse` count units. */
export interface Difference {
  difference: number | null;
  low: number | null;
  high: number | null;
  p: number | null;
  effect_size: number | null;
  better: number;
  equal: number;
  worse: number;
  p_holm: number | null;
}

/** What scores of annotators mean, by key, as the report explains them. */
export const HELP: Record<string, string> = {
  rgar: "Shared boundaries / all that could be shared.",
  fleiss_kappa: "Agreement beyond chance, over every word.",
  fleiss_kappa_boundaries: "Fleiss' κ at places where any annotator has a boundary.",
  krippendorff_alpha: "1 - observed / expected disagreement.",
  cohen_kappa_mean: "Agreement of two annotators beyond chance.",
  pairwise_f1_mean: "2·TP / (2·TP + FP + FN).",
  pairwise_boundary_similarity_mean: "Boundary similarity, with credit for near misses.",
  wisebe: "F1 over windows × agreement of the references.",
  window_f1: "Harmonic mean of window precision and recall.",
  f1_mean: "2·TP / (2·TP + FP + FN).",
};
