/** The text that scrolls and is edited: words in rows of one height, of which those in sight are drawn. */

import { h } from "../../dom";
import { widthOf } from "../../views/transcript/lines";
import { drawRow, pauseWidth, type Row } from "./rows";
import type { Text } from "./text";

const AHEAD = 4;

export class Sheet {
  private readonly sheet = h("div.rows");
  readonly element = h(
    "div.text-pane",
    {
      tabindex: 0,
      role: "application",
      "aria-roledescription": "text with boundaries",
      "aria-label": "Words with a gap after each. Press h for the keys, Escape to leave the text.",
    },
    this.sheet,
  );
  breaks = true;
  cursor = 0;
  /** The first and the last word that is heard. */
  heard: [first: number, last: number] = [-1, -1];
  isHit: (word: number) => boolean = () => false;
  private rows: Row[] = [];
  private width = 0;
  private height = 1;
  /** How wide each word is, with the pause after it. */
  private widths = new Float64Array(0);
  /** How wide a gap is without and with a boundary, and with everyone's votes. */
  private gaps = { plain: 0, bound: 0, votes: 0 };
  /** How far rows are moved in that do not begin a unit. */
  private indent = 0;
  /** The rows that are in the page, by their number. */
  private readonly drawn = new Map<number, HTMLElement>();
  /** Where Up and Down are heading, from the gap that they have reached. */
  private readonly goal = { cursor: -1, x: 0 };

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
    this.width = this.sheet.clientWidth - 2;
    this.gaps = { plain: widthOf(" ", style.font) + length("--gap-space"), bound, votes };
    this.indent = this.breaks ? length("--indent") : 0;
    this.widths = Float64Array.from(
      this.text.words,
      (word, at) => widthOf(word, style.font) + pauseWidth(this.text.pauseAfter(at)),
    );
    this.relayout();
  }

  /** Break the words into rows anew; what changes above the cursor does not move it on the screen. */
  relayout(): void {
    if (!this.width) return;
    const before = this.rowOf(this.cursor);
    this.rows = this.broken();
    this.sheet.classList.toggle("running", !this.breaks);
    this.sheet.style.height = `${this.rows.length * this.height}px`;
    if (before >= 0) this.element.scrollTop += (this.rowOf(this.cursor) - before) * this.height;
    this.draw();
  }

  /** The words in rows, broken at turns and, if wished, at units. */
  private broken(): Row[] {
    const { text, breaks } = this;
    const rows: Omit<Row, "stop">[] = [];
    let [unit, used] = [0, 0];
    for (let at = 0; at < text.length; at++) {
      const isUnit = at === 0 || text.has(at - 1);
      const isTurn = text.turns.has(at);
      const begins = isUnit && (breaks || at === 0);
      const wide = this.widthAt(at);
      if (isUnit) unit++;
      if (isTurn) rows.push({ start: at, speaker: text.turns.get(at) || "–", unit: 0 });
      if (begins || isTurn || used + wide > this.width) {
        rows.push({ start: at, speaker: "", unit: begins ? unit : 0 });
        used = begins ? 0 : this.indent;
      }
      used += wide;
    }
    return rows.map((row, at) => ({ ...row, stop: rows[at + 1]?.start ?? text.length }));
  }

  /** How wide a word is with the gap after it. */
  private widthAt(word: number): number {
    const { plain, bound, votes } = this.gaps;
    const gap = this.text.isDisputed(word) ? votes : this.text.has(word) ? bound : plain;
    return gap + (this.widths[word] ?? 0);
  }

  /** How far from the beginning of its row each gap is. */
  private offsetsOf({ start, stop, unit }: Row): number[] {
    let x = unit ? 0 : this.indent;
    return Array.from({ length: stop - start }, (_, at) => (x += this.widthAt(start + at)));
  }

  /** The row of a word; -1 if there is none. */
  private rowOf(word: number): number {
    return this.rows.findLastIndex(({ start }) => start <= word);
  }

  /** The words that are heard, from the first to the last; none is -1. */
  hear(first: number, last: number): void {
    if (first === this.heard[0]) return;
    this.heard = [first, last];
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
    this.cursor = next;
    this.reveal();
  }

  /** The gap some rows above or below the cursor. */
  vertical(rows: number): number {
    const { cursor, goal } = this;
    const from = this.rowOf(cursor);
    const here = this.rows[from];
    if (!here) return cursor;
    if (goal.cursor !== cursor) goal.x = this.offsetsOf(here)[cursor - here.start] ?? 0;
    const step = Math.sign(rows);
    let at = Math.max(0, Math.min(this.rows.length - 1, from + rows));
    while (this.rows[at]?.speaker && this.rows[at + step]) at += step;
    const row = this.rows[at];
    if (!row || row.speaker) return cursor;
    const distances = this.offsetsOf(row).map((offset) => Math.abs(offset - goal.x));
    const nearest = row.start + distances.indexOf(Math.min(...distances));
    return (goal.cursor = Math.min(this.text.last, nearest));
  }

  /** How many rows are in sight. */
  get page(): number {
    return Math.max(1, Math.floor(this.element.clientHeight / this.height) - 1);
  }

  /** The first and the last gap of the cursor's row. */
  get ends(): [number, number] {
    const row = this.rows[this.rowOf(this.cursor)];
    return row ? [row.start, row.stop - 1] : [0, this.text.last];
  }

  /** Scroll until a word is in sight. */
  reveal(word = this.cursor): void {
    const top = this.rowOf(word) * this.height;
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
      const element = drawRow(this, row);
      element.style.top = `${at * this.height}px`;
      if (old?.isEqualNode(element)) return;
      if (old) old.replaceWith(element);
      else this.sheet.append(element);
      this.drawn.set(at, element);
    });
  }
}
