/** A document on a clock or on samples: what each version has there, and what it is worth. */

import { entries, own } from "../../data";
import type { ClockReading, Limits, PackedSpans } from "../../types";
import type { Names } from "../transcript/model";

export const KINDS = ["right", "wrong", "missed"] as const;
export type Kind = (typeof KINDS)[number];
const MOST_ROWS = 8;

/** Labelled spans that do not overlap, in order. */
export interface Row {
  starts: Float64Array;
  ends: Float64Array;
  /** The number of each one's label, from 1 on; 0 is none. */
  codes: Float64Array;
}

export interface Lane {
  name: string;
  isReference: boolean;
  places: Float64Array;
  rows: Row[];
  labels: string[];
  /** A score for each sample, as a byte: 254 is 1, 255 is none. */
  scores?: Uint8Array;
  /** The boundaries of a system that are right and wrong, and those it misses. */
  kinds: Record<Kind, Float64Array>;
}

/** Parts of the axis with boundaries of references that are close to each other, in order. */
interface Windows {
  starts: Float64Array;
  ends: Float64Array;
  /** Where most references have one. */
  at: Float64Array;
}

export interface Model {
  document: string;
  length: number;
  axis: ClockReading["axis"];
  lanes: Lane[];
  windows: Windows;
  /** Where some annotators have a boundary and others do not. */
  disagreements: Float64Array;
}

export function modelOf(stored: ClockReading, names: Names, limits: Limits): Model {
  const lanesOf = (side: Record<string, string>, order: string[], isReference: boolean) =>
    entries(side, order).map(([name, steps]): Lane => {
      const scores = own(stored.scores, name);
      return {
        name,
        isReference,
        places: positions(steps),
        rows: rowsOf(own(stored.spans, name)),
        labels: own(stored.spans, name)?.names ?? [],
        scores: scores === undefined ? scores : bytes(scores),
        kinds: { right: NOWHERE, wrong: NOWHERE, missed: NOWHERE },
      };
    });
  const references = lanesOf(stored.references, names.references, true);
  const systems = lanesOf(stored.systems, names.systems, false);
  const windows = windowsOf(references, limits.window);
  return {
    document: stored.document,
    length: stored.length,
    axis: stored.axis,
    lanes: [...references, ...systems],
    windows,
    disagreements: windows.at.filter((_, index) => !references.every(isIn(windows, index))),
  };
}

const NOWHERE = new Float64Array();

/** Many whole numbers, as `packed` of Python's views/packed.py wrote them. */
export function unpacked(text: string): Float64Array {
  const at = text.indexOf(":");
  const unit = Number(text.slice(0, at));
  const raw = bytes(text.slice(at + 1));
  const found = new Float64Array(raw.length);
  let value = 0;
  let scale = unit;
  let size = 0;
  for (const byte of raw) {
    value += (byte & 127) * scale;
    scale *= 128;
    if (byte > 127) continue;
    found[size++] = value;
    value = 0;
    scale = unit;
  }
  return found.subarray(0, size);
}

function positions(steps: string): Float64Array {
  const found = unpacked(steps);
  for (let at = 1; at < found.length; at++) found[at]! += found[at - 1]!;
  return found;
}

function bytes(text: string): Uint8Array {
  const raw = atob(text);
  const found = new Uint8Array(raw.length);
  for (let at = 0; at < raw.length; at++) found[at] = raw.charCodeAt(at);
  return found;
}

/** Each span in the first row that has room. */
function rowsOf(spans: PackedSpans | undefined): Row[] {
  if (!spans) return [];
  const [starts, lengths] = [positions(spans.starts), unpacked(spans.lengths)];
  const ends = starts.map((start, at) => start + (lengths[at] ?? 0));
  const codes = unpacked(spans.codes);
  const lasts: number[] = [];
  const rows = new Uint8Array(starts.length);
  starts.forEach((start, at) => {
    let row = lasts.findIndex((last) => last <= start);
    if (row < 0) row = Math.min(lasts.length, MOST_ROWS - 1);
    lasts[row] = ends[at] ?? 0;
    rows[at] = row;
  });
  const some = (every: Float64Array, row: number) =>
    lasts.length > 1 ? every.filter((_, at) => rows[at] === row) : every;
  return lasts.map((_, row) => ({
    starts: some(starts, row),
    ends: some(ends, row),
    codes: some(codes, row),
  }));
}

/** The boundaries of all references; gaps longer than the limit start a new window. */
function windowsOf(references: Lane[], limit: number): Windows {
  const [only] = references;
  if (only && references.length === 1) return alone(only);
  const all = new Float64Array(references.reduce((sum, { places }) => sum + places.length, 0));
  let size = 0;
  for (const { places } of references) {
    all.set(places, size);
    size += places.length;
  }
  all.sort();
  const isFirst = (at: number, index: number) => !index || at - all[index - 1]! > limit;
  const starts = all.filter(isFirst);
  const ends = all.filter(
    (_, index) => index + 1 === all.length || isFirst(all[index + 1]!, index + 1),
  );
  const at = new Float64Array(starts.length);
  let [same, most, window] = [0, 0, -1];
  all.forEach((place, index) => {
    same = place === all[index - 1] ? same + 1 : 1;
    if (isFirst(place, index)) [most, window] = [0, window + 1];
    if (same > most) [at[window], most] = [place, same];
  });
  return { starts, ends, at };
}

/** Every boundary as a window of its own. */
function alone({ places }: Lane): Windows {
  return { starts: places, ends: places, at: places };
}

/** Whether a version has a boundary in a window. */
function isIn({ starts, ends }: Windows, index: number): (lane: Lane) => boolean {
  return ({ places }) => (places[lower(places, starts[index]!)] ?? Infinity) <= ends[index]!;
}

/** Say what the boundaries of systems are worth: against one reference or, without a name, all. */
export function judge(model: Model, name: string, tolerance: number): void {
  const one = model.lanes.find((lane) => lane.isReference && lane.name === name);
  const targets = one ? alone(one) : model.windows;
  for (const lane of model.lanes)
    if (!lane.isReference) lane.kinds = matched(lane.places, targets, tolerance);
}

/** As many pairs of a boundary and a window that it is near, one to one, as possible. */
function matched(ours: Float64Array, windows: Windows, tolerance: number): Lane["kinds"] {
  const { starts, ends, at } = windows;
  const isRight = new Uint8Array(ours.length);
  const isMissed = new Uint8Array(at.length).fill(1);
  let next = 0;
  ours.forEach((place, index) => {
    while (next < at.length && ends[next]! + tolerance < place) next++;
    if (next === at.length || starts[next]! - tolerance > place) return;
    isRight[index] = 1;
    isMissed[next++] = 0;
  });
  return {
    right: ours.filter((_, index) => isRight[index]),
    wrong: ours.filter((_, index) => !isRight[index]),
    missed: at.filter((_, index) => isMissed[index]),
  };
}

/** The first of sorted numbers that is not below a value. */
export function lower(sorted: Float64Array, value: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? 0) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The one of sorted numbers that is nearest to a value. */
export function nearest(sorted: Float64Array, value: number): number | undefined {
  const at = lower(sorted, value);
  const [before, after] = [sorted[at - 1], sorted[at]];
  if (before === undefined || after === undefined) return after ?? before;
  return value - before <= after - value ? before : after;
}
