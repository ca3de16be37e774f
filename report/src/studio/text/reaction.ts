/** How long somebody takes to tap after a unit has ended, measured while they listen. */

import { recall, remember } from "../kept";
import type { Text } from "./text";

const NAME = "reaction";
/** What is assumed before anything is measured, in seconds. */
const USUAL = 0.3;
/** Taps later than this after a pause are not about it. */
const LATEST = 1.5;
/** A pause from which on it is clear what a tap is about. */
const PAUSE = 0.15;
/** For how long a person is measured, in seconds of listening. */
const MEASURED = 60;
const ENOUGH = 3;

export class Reaction {
  private readonly delays: number[] = [];
  private listened = 0;
  private own?: number;

  constructor(
    private readonly owner: string,
    private readonly text: Text,
  ) {
    const kept = Number(recall(owner, NAME));
    if (kept > 0 && kept < LATEST) this.own = kept;
  }

  /** In seconds. */
  get seconds(): number {
    return this.own ?? USUAL;
  }

  get isMeasured(): boolean {
    return this.own !== undefined;
  }

  /** Somebody has listened for some more time. */
  listen(seconds: number): void {
    this.listened += seconds;
  }

  /** A tap at a time of the sound; `rate` is how fast it is played. */
  tap(time: number, rate: number): void {
    if (this.listened > MEASURED) return;
    const delay = this.delayOf(time, rate);
    if (delay === undefined) return;
    this.delays.push(delay);
    if (this.delays.length < ENOUGH) return;
    this.own = median(this.delays);
    remember(this.owner, NAME, this.own.toFixed(3));
  }

  /** How long ago the longest pause began that a tap may be about. */
  private delayOf(time: number, rate: number): number | undefined {
    const { end } = this.text;
    let [best, longest] = [-1, PAUSE];
    for (let at = lastBefore(end, time * 1e6); at >= 0; at--) {
      const ended = (end[at] ?? 0) / 1e6;
      if (time - ended > LATEST * rate) break;
      const pause = this.text.pauseAfter(at);
      if (pause >= longest) [best, longest] = [at, pause];
    }
    return best < 0 ? undefined : (time - (end[best] ?? 0) / 1e6) / rate;
  }
}

/** The last of ascending numbers that is not above one; -1 if there is none. */
export function lastBefore(numbers: number[], most: number): number {
  let [low, high] = [-1, numbers.length];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((numbers[middle] ?? Infinity) <= most) low = middle;
    else high = middle;
  }
  return low;
}

function median(numbers: number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[sorted.length >> 1] ?? USUAL;
}
