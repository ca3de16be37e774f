/** A transcript with all its boundaries, and what each of them is worth. */

import { entries, own } from "../../data";
import type { Limits, TranscriptReading } from "../../types";
import { type Hearings, hearingsOf } from "./heard";

export const NONE = 0;
export const RIGHT = 1;
export const NEAR = 2;
export const WRONG = 3;
export const MISSED = 4;
export const KINDS = ["", "right", "near", "wrong", "missed"] as const;

export interface Lane {
  name: string;
  positions: Int32Array;
  /** For each gap (after a word), what the system does there. */
  kinds: Uint8Array;
  /** How many of each kind. */
  counts: number[];
}

export interface Model {
  document: string;
  /** As they were written; an empty one belongs to the word before it. */
  words: string[];
  hearings: Hearings;
  length: number;
  references: { name: string; has: Uint8Array }[];
  votes: Uint8Array;
  /** The window each gap lies in, counted from 1; 0 is none. */
  windowOf: Int32Array;
  windows: { start: number; end: number }[];
  lanes: Lane[];
  /** The gaps at which there is anything to see. */
  gaps: Int32Array;
  marks: Map<string, Map<number, string>>;
  questions: Uint8Array;
  /** The name of who speaks from a word on. */
  turns: Map<number, string>;
}

/** Names in the order of the summary; a record would put those that are numbers first. */
export interface Names {
  references: string[];
  systems: string[];
}

export function modelOf(stored: TranscriptReading, names: Names, limits: Limits): Model {
  const length = stored.length;
  const references = entries(stored.references, names.references).map(([name, steps]) => ({
    name,
    has: flags(positions(steps), length),
  }));
  const votes = new Uint8Array(length);
  for (const { has } of references)
    has.forEach((each, at) => (votes[at] = (votes[at] ?? 0) + each));
  const windows = windowsOf(votes, limits.window);
  const windowOf = new Int32Array(length);
  windows.forEach(({ start, end }, index) => windowOf.fill(index + 1, start, end + 1));
  const near = closeTo(votes, limits.tolerance);
  const lanes = entries(stored.systems, names.systems).map(([name, steps]) =>
    laneOf(name, positions(steps), votes, near, windows, limits.tolerance),
  );
  const gaps: number[] = [];
  for (let at = 0; at < length; at++)
    if (votes[at] || lanes.some((lane) => lane.kinds[at])) gaps.push(at);
  const marks = marksOf(stored);
  const words =
    stored.words === null ? new Array<string>(length).fill("·") : stored.words.split(" ");
  return {
    document: stored.document,
    words,
    hearings: hearingsOf(stored, words),
    length,
    references,
    votes,
    windowOf,
    windows,
    lanes,
    gaps: Int32Array.from(gaps),
    marks,
    questions: questionsOf(stored, marks, length),
    turns: turnsOf(stored),
  };
}

function positions(steps: number[]): Int32Array {
  const found = new Int32Array(steps.length);
  let at = 0;
  steps.forEach((step, index) => (found[index] = at += step));
  return found;
}

function flags(places: Int32Array, length: number): Uint8Array {
  const has = new Uint8Array(length);
  for (const at of places) has[at] = 1;
  return has;
}

/** Boundaries of references; gaps longer than the limit start a new window. */
export function windowsOf(votes: Uint8Array, limit: number): { start: number; end: number }[] {
  const windows: { start: number; end: number }[] = [];
  for (let at = 0; at < votes.length; at++) {
    if (!votes[at]) continue;
    const last = windows.at(-1);
    if (last && at - last.end <= limit) last.end = at;
    else windows.push({ start: at, end: at });
  }
  return windows;
}

/** Which gaps are within `tolerance` words of a boundary of any reference. */
function closeTo(votes: Uint8Array, tolerance: number): Uint8Array {
  const near = new Uint8Array(votes.length);
  for (let at = 0; at < votes.length; at++)
    if (votes[at]) near.fill(1, Math.max(0, at - tolerance), at + tolerance + 1);
  return near;
}

function laneOf(
  name: string,
  places: Int32Array,
  votes: Uint8Array,
  near: Uint8Array,
  windows: Model["windows"],
  tolerance: number,
): Lane {
  const kinds = new Uint8Array(votes.length);
  for (const at of places) kinds[at] = votes[at] ? RIGHT : near[at] ? NEAR : WRONG;
  let next = 0;
  for (const { start, end } of windows) {
    while ((places[next] ?? Infinity) < start - tolerance) next++;
    const isReached = (places[next] ?? Infinity) <= end + tolerance;
    if (!isReached) kinds[deepest(votes, start, end)] = MISSED;
  }
  const counts = [0, 0, 0, 0, 0];
  for (const kind of kinds) counts[kind] = (counts[kind] ?? 0) + 1;
  return { name, positions: places, kinds, counts };
}

/** The gap of a window that most references have. */
function deepest(votes: Uint8Array, start: number, end: number): number {
  let best = start;
  for (let at = start; at <= end; at++) if ((votes[at] ?? 0) > (votes[best] ?? 0)) best = at;
  return best;
}

function marksOf(stored: TranscriptReading): Model["marks"] {
  const found: Model["marks"] = new Map();
  for (const [name, marks] of Object.entries(stored.marks)) {
    const places = positions(own(stored.references, name) ?? own(stored.systems, name) ?? []);
    const each = [...marks];
    const byGap = new Map<number, string>();
    places.forEach((at, index) => {
      const mark = each[index];
      if (mark && mark !== " ") byGap.set(at, mark);
    });
    found.set(name, byGap);
  }
  return found;
}

function questionsOf(stored: TranscriptReading, marks: Model["marks"], length: number): Uint8Array {
  const has = new Uint8Array(length);
  for (const name of Object.keys(stored.references)) {
    for (const [at, mark] of marks.get(name) ?? []) if ("?？؟".includes(mark)) has[at] = 1;
  }
  return has;
}

function turnsOf(stored: TranscriptReading): Map<number, string> {
  const turns = new Map<number, string>();
  if (!stored.speakers) return turns;
  const { names, codes, words } = stored.speakers;
  let at = 0;
  codes.forEach((code, index) => {
    turns.set(at, names[code] ?? "");
    at += words[index] ?? 0;
  });
  return turns;
}

/** Which gaps a filter keeps. `lanes` are those of the systems in question. */
export type Test = (model: Model, at: number, lanes: Lane[]) => boolean;

export type TestName =
  "all" | "wrong" | "missed" | "error" | "differ" | "agree" | "disagree" | "question";

export const TESTS: Record<
  TestName,
  { text: string; test: Test; needs: "systems" | "two" | "references" | "questions" | "" }
> = {
  all: { text: "all words", test: () => true, needs: "" },
  wrong: {
    text: "false alarms",
    test: (_, at, lanes) => lanes.some((lane) => lane.kinds[at] === WRONG),
    needs: "systems",
  },
  missed: {
    text: "misses",
    test: (_, at, lanes) => lanes.some((lane) => lane.kinds[at] === MISSED),
    needs: "systems",
  },
  error: {
    text: "false alarms and misses",
    test: (_, at, lanes) => lanes.some((lane) => isError(lane, at)),
    needs: "systems",
  },
  differ: {
    text: "where systems differ",
    test: (model, at) => differ(model.lanes, at),
    needs: "two",
  },
  agree: {
    text: "where all annotators agree",
    test: (model, at) => model.votes[at] === model.references.length,
    needs: "references",
  },
  disagree: {
    text: "where annotators disagree",
    test: (model, at) => {
      const votes = model.votes[at] ?? 0;
      return votes > 0 && votes < model.references.length;
    },
    needs: "references",
  },
  question: {
    text: "questions",
    test: (model, at) => model.questions[at] === 1,
    needs: "questions",
  },
};

/** Whether some systems have a boundary at a gap and others have none. */
function differ(lanes: Lane[], at: number): boolean {
  let placed = 0;
  for (const { kinds } of lanes) {
    const kind = kinds[at] ?? NONE;
    placed += Number(kind > NONE && kind < MISSED);
  }
  return placed > 0 && placed < lanes.length;
}

/** Whether a system has a false alarm or a miss at a gap. */
export function isError(lane: Lane, at: number): boolean {
  return (lane.kinds[at] ?? NONE) >= WRONG;
}

/** What a system does at a gap, in a word; empty where it does nothing. */
export function kindOf(lane: Lane, at: number): (typeof KINDS)[number] {
  return KINDS[lane.kinds[at] ?? NONE] ?? "";
}

/** The places of the words of a phrase, as parts of words, case folded. */
export function search(words: string[], phrase: string): number[][] {
  const parts = phrase.toLowerCase().split(/\s+/).filter(Boolean);
  if (!parts.length) return [];
  const places: number[] = [];
  words.forEach((word, at) => word && places.push(at));
  const found: number[][] = [];
  for (let index = 0; index + parts.length <= places.length; index++) {
    const here = places.slice(index, index + parts.length);
    if (here.every((at, n) => words[at]?.toLowerCase().includes(parts[n] ?? ""))) found.push(here);
  }
  return found;
}

/** The word at a place, or the one that it is part of. */
export function wordAt({ words }: Model, at: number): string {
  let place = at;
  while (place > 0 && !words[place]) place--;
  return words[place] ?? "";
}
