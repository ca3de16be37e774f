/** The axis: where its ticks are, and how places on it are written. */

import { grouped, number } from "../../numbers";
import type { Model } from "./model";

const SECOND = 1e6;
const CLOCK = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600].map(
  (each) => each * SECOND,
);

/** The distance between ticks of which about `count` are in a range. */
export function tickStep({ axis }: Model, range: number, count: number): number {
  const least = range / Math.max(1, count);
  if (axis === "time" && least > SECOND) {
    const hours = 3600 * SECOND;
    return CLOCK.find((each) => each >= least) ?? hours * round(least / hours);
  }
  return Math.max(1, round(least));
}

/** The next of 1, 2, 5, 10, 20 and so on. */
function round(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  return power * ([1, 2, 5].find((each) => each * power >= value) ?? 10);
}

/** A place as people write it, as exact as a step is: 12.5 s, 3:05, 1:02:03.5, or a sample. */
export function placeText({ axis }: Model, at: number, step = 1e4): string {
  if (axis === "samples") return grouped(Math.round(at));
  const digits = Math.max(0, Math.min(6, Math.ceil(-Math.log10(step / SECOND) - 1e-9)));
  const all = Number((at / SECOND).toFixed(digits));
  if (all < 60) return `${all.toFixed(digits)} s`;
  const minutes = Math.floor(all / 60);
  const seconds = (all - 60 * minutes).toFixed(digits).padStart(digits ? digits + 3 : 2, "0");
  if (minutes < 60) return `${minutes}:${seconds}`;
  return `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, "0")}:${seconds}`;
}

/** A distance on the axis: 5 samples, 0.5 s. */
export function distanceText({ axis }: Model, distance: number): string {
  if (axis === "samples") return number(Math.round(distance), "sample");
  return `${Number((distance / SECOND).toPrecision(3))} s`;
}
