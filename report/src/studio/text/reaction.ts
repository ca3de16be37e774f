/** How long somebody takes to tap after a unit has ended, measured while they listen. */

import { recall, remember } from "../kept";
import type { Text } from "./text";

const NAME = "reaction";
/** What is assumed before anything is measured, in seconds. */
export const USUAL = 0.3;
/** Taps later than this after a pause are not about it. */
const LATEST = 1.5;
/** A pause from which on it is clear what a tap is about. */
const PAUSE = 0.15;
/** For how long a person is measured, in seconds of listening. */
const MEASURED = 60;
const ENOUGH = 3;

export class Reaction {
  /** What was measured, in seconds, at least three times. */
  own?: number;
  /** For how many seconds somebody has listened. */
  listened = 0;
  private readonly delays: number[] = [];

  constructor(
    private readonly owner: string,
    private readonly text: Text,
  ) {
    const kept = Number(recall(owner, NAME));
    if (kept > 0 && kept < LATEST) this.own = kept;
  }

  /** A tap at a time of the sound; `rate` is how fast it is played. */
  tap(time: number, rate: number): void {
    if (this.listened > MEASURED) return;
    const delay = this.delayOf(time, rate);
    if (delay === undefined) return;
    this.delays.push(delay);
    if (this.delays.length < ENOUGH) return;
    this.own = this.delays.toSorted((a, b) => a - b)[this.delays.length >> 1] ?? USUAL;
    remember(this.owner, NAME, this.own.toFixed(3));
  }

  /** How long ago the longest pause began that a tap may be about. */
  private delayOf(time: number, rate: number): number | undefined {
    const { end } = this.text;
    let delay: number | undefined;
    let longest = PAUSE;
    for (let at = end.findLastIndex((each) => each <= time * 1e6); at >= 0; at--) {
      const passed = time - (end[at] ?? 0) / 1e6;
      if (passed > LATEST * rate) break;
      const pause = this.text.pauseAfter(at);
      if (pause >= longest) [delay, longest] = [passed / rate, pause];
    }
    return delay;
  }
}
