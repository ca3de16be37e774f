/** Numbers as people read them: the same rule as on the command line. */

import type { PageColumn } from "./types";

export type Format = PageColumn["format"];

const UNDEFINED = "–";
const MINUS = "−";

/** Three digits and no leading zero for a rate, thousands for a count, a dash where undefined. */
export function shown(value: number | null | undefined, format: Format = "rate"): string {
  if (value === null || value === undefined) return UNDEFINED;
  if (format === "text") return String(value);
  if (format === "count") return grouped(value);
  const digits = rounded(Math.abs(value)).toFixed(3);
  return (value < 0 && Number(digits) ? MINUS : "") + digits.replace(/^0/, "");
}

/** `1,602`. */
export function grouped(value: number): string {
  return (value < 0 ? MINUS : "") + Math.abs(value).toLocaleString("en");
}

/** A number with its noun: `1 word`, `1,602 words`, `2 boundaries`. */
export function number(count: number, noun: string): string {
  const plural = `${noun.replace(/([^aeiou])y$/, "$1ie")}s`;
  return `${grouped(count)} ${count === 1 ? noun : plural}`;
}

/** Halves go to the even digit, as in Python; only sixteenths can be exactly half of a thousandth. */
function rounded(value: number): number {
  const isHalf = Number.isInteger(value * 16) && !Number.isInteger(value * 1000);
  return isHalf ? (2 * Math.round((value * 1000) / 2)) / 1000 : value;
}
