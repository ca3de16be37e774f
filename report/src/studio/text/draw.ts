/** One row: its words, and the gaps after them with all that is there. */

import { h } from "../../dom";
import { signOf } from "../wire";
import { pauseWidth, type Row } from "./rows";
import { signAt } from "./said";
import type { Text } from "./text";

/** What is to be seen besides the text itself. */
export interface Look {
  cursor: number;
  /** The first and the last word that is heard. */
  heard: [first: number, last: number];
  isHit: (word: number) => boolean;
}

export function drawRow(text: Text, row: Row, look: Look): HTMLElement {
  if (row.speaker) return h("div", { class: "row speaker" }, h("bdi", {}, row.speaker));
  const element = h("div", { class: row.unit ? "row first" : "row" });
  if (row.unit) element.append(h("span", { class: "unit", "aria-hidden": true }, String(row.unit)));
  const parts: (Node | string)[] = [];
  for (let at = row.start; at < row.stop; at++) {
    parts.push(drawWord(text, at, look));
    parts.push(at <= text.last ? drawGap(text, at, look) : h("span", { class: "end" }, "‖"));
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

export function drawGap(text: Text, at: number, look: Look): HTMLElement {
  const element = document.createElement("span");
  element.className = `g${text.has(at) ? " bound" : ""}${at === look.cursor ? " cursor" : ""}`;
  element.dataset.gap = String(at);
  element.textContent = signAt(text, at);
  if (text.drawn.unsure.has(at)) element.classList.add("unsure");
  drawPause(element, pauseWidth(text.pauseAfter(at)));
  if ([text.drawn, ...text.votes].some(({ comments }) => comments.has(at)))
    element.append(h("i", { class: "commented" }));
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
  return h("span", { class: "votes", "aria-hidden": true }, ...votes);
}

/** Make a gap as much wider as the pause is long, with a line in it. */
function drawPause(gap: HTMLElement, width: number): void {
  if (!width) return;
  gap.style.setProperty("--pause", `${width}px`);
  gap.classList.add("paused");
}
