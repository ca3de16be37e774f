/** Words broken into lines as wide as the page, so that only those in sight need be drawn. */

import type { Model } from "./model";

export interface Lines {
  /** The first word of each line; one more at the end. */
  starts: Int32Array;
  count: number;
}

export interface Measures {
  font: string;
  width: number;
  gap: number;
  slim: number;
}

const context = document.createElement("canvas").getContext("2d");
const widths = new Map<string, Map<string, number>>();

export function widthOf(text: string, font: string): number {
  let known = widths.get(font);
  if (!known) widths.set(font, (known = new Map()));
  let width = known.get(text);
  if (width === undefined) {
    if (context) context.font = font;
    known.set(text, (width = context?.measureText(text).width ?? 0));
  }
  return width;
}

/** Break where the next word does not fit, and where somebody else begins to speak. */
export function linesOf(model: Model, { font, width, gap, slim }: Measures): Lines {
  const starts = [0];
  const space = widthOf(" ", font);
  const isGap = new Uint8Array(model.length);
  for (const at of model.gaps) isGap[at] = 1;
  let used = 0;
  for (let at = 0; at < model.length; at++) {
    const wide =
      widthOf(model.words[at] ?? "", font) +
      space +
      (isGap[at] ? (model.votes[at] ? gap : slim) : 0);
    const isFirst = at === starts[starts.length - 1];
    if (!isFirst && (used + wide > width || model.turns.has(at))) {
      starts.push(at);
      used = 0;
    }
    used += wide;
  }
  const count = model.length ? starts.length : 0;
  return { starts: Int32Array.from([...starts, model.length]), count };
}

/** The line of a word. */
export function lineOf(lines: Lines, word: number): number {
  let low = 0;
  let high = lines.count;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((lines.starts[middle] ?? Infinity) <= word) low = middle;
    else high = middle;
  }
  return low;
}

const STRONG_RTL = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;
const LETTER = /\p{L}/u;

/** The direction of most of the first words. */
export function directionOf(words: string[]): "ltr" | "rtl" {
  let rtl = 0;
  let letters = 0;
  for (const word of words.slice(0, 200)) {
    if (STRONG_RTL.test(word)) rtl++;
    if (LETTER.test(word)) letters++;
  }
  return rtl * 2 > letters ? "rtl" : "ltr";
}
