/** The pane that scrolls over the lines, of which only those in sight are there. */

import { h } from "../../dom";
import { drawLine, speaker } from "./line";
import { directionOf, lineOf, type Lines, linesOf, type Measures } from "./lines";
import type { Look } from "./look";

const AHEAD = 6;
const PRINTED = 6000;
const LONGEST = 16;

export class Pane {
  readonly sheet = h("div.sheet");
  readonly element = h(
    "div.pane",
    { tabindex: 0, role: "group", "aria-label": "Transcript" },
    this.sheet,
  );
  private look!: Look;
  private lines?: Lines;
  /** The lines that the filter leaves. */
  private shown = new Int32Array();
  private readonly drawn = new Map<number, HTMLElement>();
  private height = 1;
  private isAsked = false;
  private isPrinted = false;

  constructor(private readonly moved: () => void) {
    this.element.addEventListener("scroll", () => this.ask(), { passive: true });
    new ResizeObserver(() => this.relayout()).observe(this.element);
  }

  open(look: Look): void {
    this.look = look;
    this.sheet.dir = directionOf(look.model.words);
    this.element.scrollTop = 0;
    this.layout();
  }

  get count(): number {
    return this.shown.length;
  }

  /** The first word in sight. */
  get top(): number {
    return this.lines?.starts[this.lineAt(this.element.scrollTop)] ?? 0;
  }

  /** The part of the words that is in sight. */
  get sight(): [number, number] {
    const { scrollTop, clientHeight } = this.element;
    const { length } = this.look.model;
    const high = this.lines?.starts[this.lineAt(scrollTop + clientHeight) + 1] ?? length;
    return [this.top / length, high / length];
  }

  private lineAt(y: number): number {
    const row = Math.max(0, Math.min(this.shown.length - 1, Math.floor(y / this.height)));
    return this.shown[row] ?? 0;
  }

  /** Break the words into lines for the width that there is. */
  layout(): void {
    this.look.arrange();
    const { lanes, model } = this.look;
    const section = this.element.closest<HTMLElement>("section")!;
    let longest = 4;
    for (const { name } of lanes) longest = Math.max(longest, name.length);
    for (const name of model.turns.values()) longest = Math.max(longest, speaker(name).length);
    section.classList.toggle("many", lanes.length > 4);
    section.style.setProperty("--lanes", String(lanes.length));
    section.style.setProperty("--names", `${Math.min(LONGEST, longest) * 0.42 + 1.9}rem`);
    const length = (name: string) => lengthOf(section, name);
    this.height = length("--text") + lanes.length * length("--lane") + length("--under");
    const measures = this.measure(section);
    if (measures.width <= 0) return;
    this.lines = linesOf(model, measures);
    this.filter();
  }

  private measure(section: HTMLElement): Measures {
    const words = h("span.words", " ");
    const line = h("div.line", words);
    this.sheet.append(line);
    const { fontStyle, fontWeight, fontSize, fontFamily } = getComputedStyle(words);
    const [gap, slim] = [lengthOf(section, "--gap"), lengthOf(section, "--slim")];
    const width = words.clientWidth - 12;
    line.remove();
    return { font: `${fontStyle} ${fontWeight} ${fontSize} ${fontFamily}`, width, gap, slim };
  }

  /** After a change of width or lanes: the word on top stays there. */
  relayout(): void {
    if (!this.lines || this.isPrinted) return;
    const { top } = this;
    this.layout();
    if (this.look.filter === "all") {
      this.element.scrollTop = lineOf(this.lines, top) * this.height;
    }
    this.draw();
  }

  /** Leave only the lines that hold what the filter keeps. */
  filter(): number {
    const kept = this.look.keep();
    if (!this.lines) return kept.length;
    const { count } = this.lines;
    const all = Array.from({ length: count }, (_, line) => line);
    const some = () => new Set(kept.map((at) => lineOf(this.lines!, at)));
    this.shown = Int32Array.from(this.look.filter === "all" ? all : some());
    this.sheet.style.height = `${this.shown.length * this.height}px`;
    this.redraw();
    return kept.length;
  }

  /** Draw with the next frame. */
  private ask(): void {
    if (this.isAsked) return;
    this.isAsked = true;
    requestAnimationFrame(() => {
      this.isAsked = false;
      this.draw();
    });
  }

  redraw(): void {
    this.drawn.clear();
    this.sheet.replaceChildren();
    this.draw();
  }

  /** Make the lines that have come into sight, and let go of those that have left it. */
  private draw(): void {
    if (!this.lines) return;
    const { height, element, isPrinted } = this;
    const top = isPrinted ? 0 : element.scrollTop;
    const tall = isPrinted ? Infinity : element.clientHeight;
    const first = Math.max(0, Math.floor(top / height) - AHEAD);
    const last = Math.min(this.shown.length, Math.ceil((top + tall) / height) + AHEAD);
    for (const [row, line] of this.drawn) {
      if (row >= first && row < last) continue;
      line.remove();
      this.drawn.delete(row);
    }
    const { starts } = this.lines;
    for (let row = last - 1; row >= first; row--) {
      if (this.drawn.has(row)) continue;
      const index = this.shown[row] ?? 0;
      const line = drawLine(this.look, starts[index] ?? 0, starts[index + 1] ?? 0);
      line.style.top = `${row * height}px`;
      this.drawn.set(row, line);
      this.sheet.insertBefore(line, this.drawn.get(row + 1) ?? null);
    }
    this.moved();
  }

  /** Scroll to a word, if it is out of sight or if asked to. */
  reveal(word: number, always = false): void {
    if (!this.lines) return;
    const line = lineOf(this.lines, word);
    const top =
      Math.max(
        0,
        this.shown.findLastIndex((each) => each <= line),
      ) * this.height;
    const { scrollTop, clientHeight } = this.element;
    const isOut = top < scrollTop || top + this.height > scrollTop + clientHeight;
    if (always || isOut) this.element.scrollTop = top - clientHeight / 3;
  }

  /** On paper all lines are there, as wide as the paper, unless they are too many. */
  print(isOn: boolean): void {
    this.isPrinted = isOn && this.look.model.length <= PRINTED;
    this.element.closest("section")!.classList.toggle("printed", this.isPrinted);
    this.layout();
  }
}

/** A custom property that is a length. */
function lengthOf(element: HTMLElement, name: string): number {
  return parseFloat(getComputedStyle(element).getPropertyValue(name));
}
