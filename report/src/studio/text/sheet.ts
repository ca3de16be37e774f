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
  /** The rows that are in the page, by their number. */
  private readonly drawn = new Map<number, HTMLElement>();
  /** Where Up and Down are heading, from the gap that they have reached. */
  private goal = { cursor: -1, x: 0 };

  constructor(readonly text: Text) {
    this.element.dir = text.direction;
    this.sheet.lang = text.language;
    this.element.addEventListener("scroll", () => this.draw(false), { passive: true });
    new ResizeObserver(() => this.remeasure()).observe(this.element);
    void document.fonts.ready.then(() => this.remeasure());
  }

  /** Set the text anew, with the cursor in sight. */
  remeasure(): void {
    this.measure();
    this.reveal();
  }

  /** The widths of all words, in the font and for the width that there are. */
  measure(): void {
    if (!this.element.clientWidth) return;
    const style = getComputedStyle(this.sheet);
    const length = (name: string) => parseFloat(style.getPropertyValue(name));
    const bound = length("--bound-width");
    const votes = Math.max(bound, length("--vote-width") * this.text.votes.length + 16);
    this.sheet.style.setProperty("--votes-width", `${votes}px`);
    this.height = length("--row");
    this.measures = {
      widths: Float64Array.from(
        this.text.words,
        (word, at) => widthOf(word, style.font) + pauseWidth(this.text.pauseAfter(at)),
      ),
      width: this.sheet.clientWidth - 2,
      gap: widthOf(" ", style.font) + length("--gap-space"),
      bound,
      votes,
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
    this.draw();
  }

  /** The words that are heard, from the first to the last; none is -1. */
  hear(first: number, last: number): void {
    if (first === this.look.heard[0]) return;
    this.look.heard = [first, last];
    this.draw();
    if (first >= 0) this.reveal(first);
  }

  /** The gap at a place of the window, and whether it is the gap itself and not the word before. */
  gapAt(target: Element, x: number): { gap: number; isGap: boolean } | undefined {
    const own = target.closest<HTMLElement>("[data-gap]");
    if (own) return { gap: Number(own.dataset.gap), isGap: true };
    const gaps = [...(target.closest(".row")?.querySelectorAll<HTMLElement>("[data-gap]") ?? [])];
    const isAfter = (gap: HTMLElement) => {
      const { left, right } = gap.getBoundingClientRect();
      return this.text.direction === "rtl" ? right <= x : left >= x;
    };
    const found = gaps.find(isAfter) ?? gaps.at(-1);
    return found && { gap: Number(found.dataset.gap), isGap: false };
  }

  /** Move the cursor to a gap. */
  move(gap: number): void {
    const next = Math.max(0, Math.min(this.text.last, gap));
    this.sheet.querySelector(".cursor")?.classList.remove("cursor");
    this.sheet.querySelector(`[data-gap="${next}"]`)?.classList.add("cursor");
    this.look.cursor = next;
    this.reveal();
  }

  /** The gap some rows above or below the cursor. */
  vertical(rows: number): number {
    const { measures, text } = this;
    const { cursor } = this.look;
    const from = rowOf(this.rows, cursor);
    const here = this.rows[from];
    if (!measures || !here) return cursor;
    if (this.goal.cursor !== cursor)
      this.goal.x = offsetsOf(text, measures, here)[cursor - here.start] ?? 0;
    const step = Math.sign(rows);
    let at = Math.max(0, Math.min(this.rows.length - 1, from + rows));
    while (this.rows[at]?.speaker && this.rows[at + step]) at += step;
    const row = this.rows[at];
    if (!row || row.speaker) return cursor;
    const distances = offsetsOf(text, measures, row).map((offset) =>
      Math.abs(offset - this.goal.x),
    );
    const nearest = row.start + distances.indexOf(Math.min(...distances));
    return (this.goal.cursor = Math.min(text.last, nearest));
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

  /** Scroll until a word is in sight. */
  reveal(word = this.look.cursor): void {
    const top = rowOf(this.rows, word) * this.height;
    const { scrollTop, clientHeight } = this.element;
    const margin = Math.min(this.height * 1.5, clientHeight / 4);
    const [least, most] = [top + this.height + margin - clientHeight, top - margin];
    if (least <= scrollTop && scrollTop <= most) return;
    const isNear = Math.abs(top - scrollTop - clientHeight / 2) < clientHeight;
    const edge = scrollTop > most ? most : least;
    this.element.scrollTop = isNear ? edge : top - clientHeight / 3;
    this.draw(false);
  }

  /**
   * Have the rows that are in sight, and no others; if they may be stale, draw them anew. Those that
   * look as before stay: a click on them is not lost.
   */
  draw(isStale = true): void {
    const { scrollTop, clientHeight } = this.element;
    const first = Math.max(0, Math.floor(scrollTop / this.height) - AHEAD);
    const wanted = this.rows.slice(
      first,
      Math.ceil((scrollTop + clientHeight) / this.height) + AHEAD,
    );
    for (const [at, element] of this.drawn) {
      if (wanted[at - first]) continue;
      element.remove();
      this.drawn.delete(at);
    }
    wanted.forEach((row, index) => {
      const at = first + index;
      const old = this.drawn.get(at);
      if (old && !isStale) return;
      const element = drawRow(this.text, row, this.look);
      element.style.top = `${at * this.height}px`;
      if (old?.isEqualNode(element)) return;
      if (old) old.replaceWith(element);
      else this.sheet.append(element);
      this.drawn.set(at, element);
    });
  }
}
