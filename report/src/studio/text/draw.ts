/** One row: its words, and the gaps after them with all that is there. */

import { h } from "../../dom";
import { signOf } from "../wire";
import { pauseWidth, type Row } from "./rows";
import type { Text } from "./text";

/** What is to be seen besides the text itself. */
export interface Look {
  cursor: number;
  /** The word that is heard. */
  heard: number;
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
function drawWord(text: Text, at: number, look: Look): HTMLElement | string {
  const word = text.words[at] ?? "";
  const isHeard = at === look.heard;
  if (!isHeard && !look.isHit(at)) return word;
  return h("span", { class: isHeard ? "w heard" : "w hit" }, word);
}

export function drawGap(text: Text, at: number, look: Look): HTMLElement {
  const mark = text.markAt(at);
  const element = document.createElement("span");
  element.className = `g${mark === null ? "" : " bound"}${at === look.cursor ? " cursor" : ""}`;
  element.dataset.gap = String(at);
  element.textContent = mark === null ? " " : signOf(mark);
  if (text.own.unsure.has(at)) element.classList.add("unsure");
  drawPause(element, pauseWidth(text.pauseAfter(at)));
  if (text.own.comments.has(at) || text.others?.some((each) => each.comments.has(at)))
    element.append(h("i", { class: "commented" }));
  if (!text.others?.length) return element;
  if (text.isDisputed(at)) element.classList.add("disputed");
  const ticks = text.others.flatMap((other, index) =>
    other.codes[at] ? [h("i", { class: `tick c${(index % 8) + 1}` })] : [],
  );
  if (ticks.length) element.append(h("span", { class: "ticks" }, ...ticks));
  return element;
}

/** Make a gap as much wider as the pause is long, with a line in it. */
function drawPause(gap: HTMLElement, width: number): void {
  if (!width) return;
  gap.style.setProperty("--pause", `${width}px`);
  gap.classList.add("paused");
}
