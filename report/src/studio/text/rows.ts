/** Words in rows of one height, as wide as the page, broken at turns and, if wished, at units. */

import { h } from "../../dom";
import { signOf } from "../wire";
import { signAt } from "./said";
import type { Text } from "./text";

/** Words from `start` to before `stop`; a row with a speaker has none. */
export interface Row {
  start: number;
  stop: number;
  speaker: string;
  /** The number of the unit that begins here, or 0. */
  unit: number;
}

export interface Measures {
  /** How wide each word is, with the pause after it. */
  widths: Float64Array;
  width: number;
  /** How wide a gap is without and with a boundary, and with everyone's votes. */
  gap: number;
  bound: number;
  votes: number;
  /** How far rows are moved in that do not begin a unit. */
  indent: number;
}

export function rowsOf(text: Text, measures: Measures, breaks: boolean): Row[] {
  const { width, indent } = measures;
  const rows: Row[] = [];
  let [start, unit, used, begins] = [0, 1, 0, true];
  const close = (stop: number) => {
    if (stop === start) return;
    rows.push({ start, stop, speaker: "", unit: begins ? unit : 0 });
    [start, begins] = [stop, false];
    used = breaks ? indent : 0;
  };
  for (let at = 0; at < text.length; at++) {
    const wide = widthAt(text, measures, at);
    const isUnit = text.has(at - 1);
    const isTurn = text.turns.has(at);
    if (isTurn || (isUnit && breaks) || used + wide > width) close(at);
    if (isTurn) rows.push({ start: at, stop: at, speaker: text.turns.get(at) || "–", unit: 0 });
    if (isUnit) {
      unit++;
      begins = breaks;
      if (breaks) used = 0;
    }
    used += wide;
  }
  close(text.length);
  return rows;
}

/** How wide a word is with the gap after it. */
function widthAt(text: Text, { widths, gap, bound, votes }: Measures, at: number): number {
  return (widths[at] ?? 0) + (text.isDisputed(at) ? votes : text.has(at) ? bound : gap);
}

/** Draws pauses to scale, in pixels per second, from an audible minimum up to a limit. */
const [SECOND, SHORTEST, WIDEST] = [30, 0.2, 90];

export function pauseWidth(seconds: number): number {
  return seconds < SHORTEST ? 0 : Math.min(WIDEST, Math.round(seconds * SECOND));
}

/** The row of a word; -1 if there is none. */
export function rowOf(rows: Row[], word: number): number {
  return rows.findLastIndex(({ start }) => start <= word);
}

/** How far from the beginning of its row each gap is. */
export function offsetsOf(text: Text, measures: Measures, row: Row): number[] {
  let x = row.unit ? 0 : measures.indent;
  const words = Array.from({ length: row.stop - row.start }, (_, at) => row.start + at);
  return words.map((at) => (x += widthAt(text, measures, at)));
}

/** What is to be seen besides the text itself. */
export interface Look {
  cursor: number;
  /** The first and the last word that is heard. */
  heard: [first: number, last: number];
  isHit: (word: number) => boolean;
}

export function drawRow(text: Text, row: Row, look: Look): HTMLElement {
  if (row.speaker) return h("div.row.speaker", h("bdi", row.speaker));
  const element = h("div", { class: row.unit ? "row first" : "row" });
  if (row.unit) element.append(h("span.unit", { "aria-hidden": true }, String(row.unit)));
  const parts: (Node | string)[] = [];
  for (let at = row.start; at < row.stop; at++) {
    parts.push(drawWord(text, at, look));
    parts.push(at <= text.last ? drawGap(text, at, look) : h("span.end", "‖"));
  }
  element.append(...parts);
  return element;
}

/** Most words are bare text: elements cost time where thousands scroll by. */
function drawWord(text: Text, at: number, { heard, isHit }: Look): HTMLElement | string {
  const word = text.words[at] ?? "";
  const isHeard = heard[0] <= at && at <= heard[1];
  if (!isHeard && !isHit(at)) return word;
  return h("span", { class: isHeard ? "w heard" : "w hit" }, word);
}

function drawGap(text: Text, at: number, look: Look): HTMLElement {
  const element = document.createElement("span");
  element.className = `g${text.has(at) ? " bound" : ""}${at === look.cursor ? " cursor" : ""}`;
  element.dataset.gap = String(at);
  element.textContent = signAt(text, at);
  if (text.drawn.unsure.has(at)) element.classList.add("unsure");
  const pause = pauseWidth(text.pauseAfter(at));
  if (pause) {
    element.classList.add("paused");
    element.style.setProperty("--pause", `${pause}px`);
  }
  if ([text.drawn, ...text.votes].some(({ comments }) => comments.has(at)))
    element.append(h("i.commented"));
  if (text.decisions.has(at)) element.classList.add("decided");
  if (text.isOpen(at)) element.classList.add("open");
  if (text.isDisputed(at)) {
    element.classList.add("disputed");
    element.append(drawVotes(text, at));
  }
  return element;
}

/** What everybody has at a gap, always in the same order. */
function drawVotes(text: Text, gap: number): HTMLElement {
  const votes = text.votes.map((each, index) => {
    const mark = text.markAt(gap, each);
    const kind = mark === null ? "none" : each.unsure.has(gap) ? "unsure" : "";
    const sign = mark === null ? "–" : signOf(mark);
    return h("i", { class: `vote ${kind} c${(index % 8) + 1}`, "data-vote": sign });
  });
  return h("span.votes", { "aria-hidden": true }, ...votes);
}
