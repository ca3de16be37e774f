/** Segments as they are shown: the words of the reference in columns, each system's beneath. */

import type { AlignedSegment, SentencesReading } from "../../types";

export interface Segment {
  document: string;
  number: number;
  units: AlignedSegment["units"];
  words: number;
  /** What each system has there; a system may lack segments that are not on the page. */
  cases: Map<string, AlignedSegment>;
}

/** Equal, another word, none, one more, or beyond what is shown. */
export type Kind = "same" | "other" | "lacking" | "extra" | "beyond";

export interface Cell {
  text: string;
  kind: Kind;
}

/** A word of the reference, or none where only systems have one. */
export interface Column {
  reference: string;
  cells: Cell[];
}

/** The segments of all systems, in their order. */
export function segmentsOf(readings: SentencesReading[]): Segment[] {
  const found = new Map<string, Map<number, Segment>>();
  for (const { system, cases } of readings) {
    for (const each of cases) {
      const { document, number, units, words } = each;
      const own = found.get(document) ?? new Map<number, Segment>();
      found.set(document, own);
      const segment = own.get(number) ?? { document, number, units, words, cases: new Map() };
      own.set(number, segment);
      segment.cases.set(system, each);
    }
  }
  return [...found.values()].flatMap((own) =>
    [...own.values()].sort((a, b) => a.number - b.number),
  );
}

/** What a system has at a word of the reference, and what it has more before it. */
interface Slot {
  extra: string[];
  reference: string;
  cell: Cell;
}

const BEYOND: Cell = { text: "", kind: "beyond" };

function slotsOf({ operations, reference, system }: AlignedSegment): Slot[] {
  const slots: Slot[] = [];
  let extra: string[] = [];
  [...operations].forEach((operation, at) => {
    const [theirs, ours] = [reference[at] ?? "", system[at] ?? ""];
    if (operation === "i") extra.push(ours);
    else {
      const kind = operation === "=" ? "same" : operation === "s" ? "other" : "lacking";
      const text = kind === "same" ? ours || theirs : ours;
      slots.push({ extra, reference: theirs, cell: { text, kind } });
      extra = [];
    }
  });
  slots.push({ extra, reference: "", cell: BEYOND });
  return slots;
}

/** The words of a segment in columns, with a cell for each of some systems. */
export function columnsOf(cases: (AlignedSegment | undefined)[]): Column[] {
  const every = cases.map((each) => (each ? slotsOf(each) : []));
  const columns: Column[] = [];
  for (let at = 0; at < Math.max(...every.map(({ length }) => length)); at++) {
    const slots = every.map((each) => each[at]);
    const more = Math.max(...slots.map((slot) => slot?.extra.length ?? 0));
    for (let n = 0; n < more; n++) columns.push({ reference: "", cells: slots.map(extraAt(n)) });
    const reference = slots.find((slot) => slot?.reference)?.reference;
    if (reference) columns.push({ reference, cells: slots.map((slot) => slot?.cell ?? BEYOND) });
  }
  return columns;
}

function extraAt(n: number) {
  return (slot: Slot | undefined): Cell => {
    const text = slot?.extra[n];
    return text === undefined ? BEYOND : { text, kind: "extra" };
  };
}

/** The sides of a segment as texts: the reference, and what systems have. */
export function textsOf({ cases }: Segment): string[] {
  const [first] = cases.values();
  const ours = [...cases.values()].map(({ operations, reference, system }) =>
    [...operations]
      .map((sign, at) => system[at] || (sign === "=" ? (reference[at] ?? "") : ""))
      .join(""),
  );
  return [first?.reference.join("") ?? "", ...ours];
}

/** Which of some words a phrase lies on. */
export function hitsOf(words: string[], phrase: string): Set<number> {
  const hits = new Set<number>();
  if (!phrase) return hits;
  const lower = words.map((word) => word.toLowerCase());
  const text = lower.join("");
  const ends: number[] = [];
  lower.reduce((end, word, at) => (ends[at] = end + word.length), 0);
  for (let from = text.indexOf(phrase); from >= 0; from = text.indexOf(phrase, from + 1)) {
    const to = from + phrase.length;
    for (let at = ends.findIndex((end) => end > from); at >= 0 && at < words.length; at++) {
      const start = (ends[at] ?? 0) - (lower[at]?.length ?? 0);
      if (start >= to) break;
      if (words[at]) hits.add(at);
    }
  }
  return hits;
}

/** Word errors by words of the reference; null where it has none. */
export function rateOf({ edits, words }: AlignedSegment): number | null {
  return words ? edits / words : null;
}
