/** The text that scrolls and is edited; only the rows in sight are in the page. */

import { h } from "../../dom";
import { widthOf } from "../../views/transcript/lines";
import {
  drawRow,
  type Look,
  type Measures,
  offsetsOf,
  pauseWidth,
  type Row,
  rowOf,
  rowsOf,
} from "./rows";
import type { Text } from "./text";

const AHEAD = 4;
const HELP = "Words with a gap after each. Press h for the keys, Escape to leave the text.";

export class Sheet {
  private readonly sheet = h("div.rows");
  readonly element = h(
    "div.text-pane",
    {
      tabindex: 0,
      role: "application",
      "aria-roledescription": "text with boundaries",
      "aria-label": HELP,
    },
    this.sheet,
  );
  breaks = true;
  readonly look: Look = { cursor: 0, heard: [-1, -1], isHit: () => false };
  private rows: Row[] = [];
  private measures?: Measures;
  private height = 1;
  private readonly drawn = new Map<Row, HTMLElement>();
  /** Where Up and Down are heading. */
  private goal?: number;

  constructor(private readonly text: Text) {
    this.element.dir = text.direction;
    this.sheet.lang = text.language;
    this.element.addEventListener("scroll", () => this.draw(), { passive: true });
    new ResizeObserver(() => this.remeasure()).observe(this.element);
    void document.fonts.ready.then(() => this.remeasure());
  }

  get isRightToLeft(): boolean {
    return this.text.direction === "rtl";
  }

  /** Set the text anew, with the cursor in sight. */
  remeasure(): void {
    this.measure();
    this.reveal();
  }

  /** The widths of all words, in the font and for the width that there are. */
  measure(): void {
    if (!this.element.isConnected || !this.element.clientWidth) return;
    const style = getComputedStyle(this.sheet);
    const length = (name: string) => parseFloat(style.getPropertyValue(name));
    const bound = length("--bound-width");
    const votes = Math.max(bound, length("--vote-width") * this.text.votes.length + 16);
    this.sheet.style.setProperty("--votes-width", `${votes}px`);
    this.height = length("--row");
    this.measures = {
      widths: Float64Array.from(this.text.words, (word) => widthOf(word, style.font)),
      width: this.sheet.clientWidth - 2,
      gap: widthOf(" ", style.font) + length("--gap-space"),
      bound,
      votes,
      pauses: Float64Array.from(this.text.words, (_, at) => pauseWidth(this.text.pauseAfter(at))),
      indent: this.breaks ? length("--indent") : 0,
    };
    this.relayout();
  }

  /** Break the words into rows anew; what changes above the cursor does not move it on the screen. */
  relayout(): void {
    if (!this.measures) return;
    const before = rowOf(this.rows, this.look.cursor);
    this.rows = rowsOf(this.text, this.measures, this.breaks);
    this.sheet.classList.toggle("running", !this.breaks);
    this.sheet.style.height = `${this.rows.length * this.height}px`;
    const moved = before < 0 ? 0 : rowOf(this.rows, this.look.cursor) - before;
    if (moved) this.element.scrollTop += moved * this.height;
    this.repaint();
  }

  /** Draw everything in sight anew; rows that look as before stay: a click on them is not lost. */
  repaint(): void {
    const before = new Map([...this.drawn.values()].map((row) => [row.style.top, row]));
    this.drawn.clear();
    this.draw(before);
    for (const element of before.values()) element.remove();
  }

  private find(selector: string): HTMLElement | null {
    return this.sheet.querySelector<HTMLElement>(selector);
  }

  /** The words that are heard, from the first to the last; none is -1. */
  hear(first: number, last: number): void {
    if (first === this.look.heard[0]) return;
    this.look.heard = [first, last];
    this.repaint();
    if (first >= 0) this.show(first);
  }

  /** The gap at a place of the window, and whether it is the gap itself and not the word before. */
  gapAt(target: Element, x: number): { gap: number; isGap: boolean } | undefined {
    const own = target.closest<HTMLElement>("[data-gap]");
    if (own) return { gap: Number(own.dataset.gap), isGap: true };
    const gaps = [...(target.closest(".row")?.querySelectorAll<HTMLElement>("[data-gap]") ?? [])];
    const isAfter = (gap: HTMLElement) => {
      const { left, right } = gap.getBoundingClientRect();
      return this.isRightToLeft ? right <= x : left >= x;
    };
    const found = gaps.find(isAfter) ?? gaps.at(-1);
    return found && { gap: Number(found.dataset.gap), isGap: false };
  }

  /** Move the cursor to a gap. */
  move(gap: number, keepsGoal = false): void {
    const next = Math.max(0, Math.min(this.text.last, gap));
    this.find(".cursor")?.classList.remove("cursor");
    this.look.cursor = next;
    this.find(`[data-gap="${next}"]`)?.classList.add("cursor");
    if (!keepsGoal) this.goal = undefined;
    this.reveal();
  }

  /** The gap some rows above or below the cursor. */
  vertical(rows: number): number {
    const { measures, text } = this;
    const { cursor } = this.look;
    const from = rowOf(this.rows, cursor);
    const here = this.rows[from];
    if (!measures || !here) return cursor;
    const goal = (this.goal ??= offsetsOf(text, measures, here)[cursor - here.start] ?? 0);
    const step = Math.sign(rows);
    let at = Math.max(0, Math.min(this.rows.length - 1, from + rows));
    while (this.rows[at]?.speaker && this.rows[at + step]) at += step;
    const row = this.rows[at];
    if (!row || row.speaker) return cursor;
    const distances = offsetsOf(text, measures, row).map((offset) => Math.abs(offset - goal));
    return Math.min(text.last, row.start + distances.indexOf(Math.min(...distances)));
  }

  /** How many rows are in sight. */
  get page(): number {
    return Math.max(1, Math.floor(this.element.clientHeight / this.height) - 1);
  }

  /** The first and the last gap of the cursor's row. */
  get ends(): [number, number] {
    const row = this.rows[rowOf(this.rows, this.look.cursor)];
    return row ? [row.start, row.stop - 1] : [0, this.text.last];
  }

  /** Scroll until the cursor is in sight. */
  reveal(): void {
    this.show(this.look.cursor);
  }

  private show(word: number): void {
    const top = rowOf(this.rows, word) * this.height;
    const { scrollTop, clientHeight } = this.element;
    const margin = Math.min(this.height * 1.5, clientHeight / 4);
    if (top < scrollTop + margin || top + this.height > scrollTop + clientHeight - margin) {
      const isNear = Math.abs(top - scrollTop - clientHeight / 2) < clientHeight;
      const above = top < scrollTop + margin;
      const edge = above ? top - margin : top + this.height + margin - clientHeight;
      this.element.scrollTop = isNear ? edge : top - clientHeight / 3;
      this.draw();
    }
  }

  /** The rows that have to be there. */
  private sight(): [number, number] {
    const { scrollTop, clientHeight } = this.element;
    const first = Math.max(0, Math.floor(scrollTop / this.height) - AHEAD);
    return [first, Math.ceil((scrollTop + clientHeight) / this.height) + AHEAD];
  }

  /** Make the rows that have come into sight, and let go of those that have left it. */
  private draw(before = new Map<string, HTMLElement>()): void {
    const [first, last] = this.sight();
    const wanted = this.rows.slice(first, last);
    for (const [row, element] of this.drawn) {
      if (wanted.includes(row)) continue;
      element.remove();
      this.drawn.delete(row);
    }
    wanted.forEach((row, at) => {
      if (this.drawn.has(row)) return;
      const element = drawRow(this.text, row, this.look);
      element.style.top = `${(first + at) * this.height}px`;
      const old = before.get(element.style.top);
      before.delete(element.style.top);
      const isSame = old?.isEqualNode(element);
      if (!old) this.sheet.append(element);
      else if (!isSame) old.replaceWith(element);
      this.drawn.set(row, old && isSame ? old : element);
    });
  }
}
