/** Rows of words as they are drawn: numbers, gaps with their marks, pauses to scale, votes. */

import { h } from "../../dom";
import { signOf } from "../wire";
import { signAt } from "./said";
import type { Sheet } from "./sheet";
import type { Text } from "./text";

/** Words from `start` to before `stop`; a row with a speaker has none. */
export interface Row {
  start: number;
  stop: number;
  speaker: string;
  /** The number of the unit that begins here, or 0. */
  unit: number;
}

/** Draws pauses to scale, in pixels per second, from an audible minimum up to a limit. */
const [SECOND, SHORTEST, WIDEST] = [30, 0.2, 90];

export function pauseWidth(seconds: number): number {
  return seconds < SHORTEST ? 0 : Math.min(WIDEST, Math.round(seconds * SECOND));
}

export function drawRow(sheet: Sheet, row: Row): HTMLElement {
  if (row.speaker) return h("div.row.speaker", h("bdi", row.speaker));
  const parts: (Node | string)[] = [];
  for (let at = row.start; at < row.stop; at++) {
    parts.push(drawWord(sheet, at));
    parts.push(at <= sheet.text.last ? drawGap(sheet, at) : h("span.end", "‖"));
  }
  const unit = row.unit > 0 && h("span.unit", { "aria-hidden": true }, String(row.unit));
  return h("div", { class: row.unit ? "row first" : "row" }, unit, ...parts);
}

/** Most words are bare text: elements cost time where thousands scroll by. */
function drawWord({ text, heard, isHit }: Sheet, at: number): HTMLElement | string {
  const word = text.words[at] ?? "";
  const isHeard = heard[0] <= at && at <= heard[1];
  if (!isHeard && !isHit(at)) return word;
  return h("span", { class: isHeard ? "w heard" : "w hit" }, word);
}

function drawGap({ text, cursor }: Sheet, at: number): HTMLElement {
  const element = document.createElement("span");
  element.className = `g${text.has(at) ? " bound" : ""}${at === cursor ? " cursor" : ""}`;
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
    return voteOf(index, sign, kind);
  });
  return h("span.votes", { "aria-hidden": true }, ...votes);
}

/** A vote in the colour of who gave it. */
export function voteOf(index: number, sign: string, kind = ""): HTMLElement {
  const vote = h("i", { class: `vote ${kind}`, "data-vote": sign });
  vote.style.color = `var(--c${(index % 8) + 1})`;
  return vote;
}
