/** The reading view: words in flowing text, what people and systems do between them. */

import { button, given, h, number, select } from "../dom";
import type { Data, StoredReading } from "../data";
import { KINDS, type Lane, MISSED, type Model, modelOf, search, TESTS } from "./model";
import { directionOf, lineOf, type Lines, linesOf } from "./lines";
import { Minimap } from "./minimap";
import { Card } from "./card";

const AHEAD = 6;
const PRINTED = 6000;

const KEYS: Record<string, [test: string, what: string]> = {
  n: ["disagree", "place where annotators disagree"],
  e: ["error", "error"],
  d: ["differ", "place where systems differ"],
};

export class ReadingView {
  readonly element = h("section", { id: "reading", "aria-labelledby": "reading-title" });
  private model!: Model;
  private lines!: Lines;
  private shown: Int32Array = new Int32Array();
  private filter = "all";
  private focus = "";
  private current = -1;
  private hits: number[] = [];
  private hit = -1;
  private isHit = new Uint8Array();
  private isKept = new Uint8Array();
  private readonly drawn = new Map<number, HTMLElement>();
  private height = 1;
  private isAsked = false;
  private isPrinted = false;
  private readonly hidden = new Set<string>();
  private readonly pane = h("div", { class: "pane", tabindex: 0, role: "group", "aria-label": "Transcript" });
  private readonly sheet = h("div", { class: "sheet" });
  private readonly tools = h("div", { class: "tools" });
  private readonly legend = h("div", { class: "legend" });
  private readonly told = h("p", { class: "told", role: "status" });
  private readonly map: Minimap;
  private readonly card = new Card();
  private readonly box = h("input", { type: "search", placeholder: "words", "aria-label": "Search" });

  constructor(private readonly data: Data) {
    this.map = new Minimap((part) => this.scrollTo(part));
    this.pane.append(this.sheet);
    this.element.append(
      h("h2", { id: "reading-title" }, "Reading"),
      this.tools,
      this.legend,
      h("div", { class: "spread" }, this.pane, this.map.element),
      this.told,
      this.card.element,
    );
    this.pane.addEventListener("scroll", () => this.ask(), { passive: true });
    this.sheet.addEventListener("pointerover", (event) => this.pointed(event));
    this.sheet.addEventListener("pointerleave", () => this.card.hide());
    this.sheet.addEventListener("focusin", (event) => this.pointed(event));
    this.sheet.addEventListener("focusout", () => this.card.hide());
    this.sheet.addEventListener("click", (event) => this.clicked(event));
    document.addEventListener("keydown", (event) => this.pressed(event));
    new ResizeObserver(() => this.relayout()).observe(this.pane);
    addEventListener("beforeprint", () => this.print(true));
    addEventListener("afterprint", () => this.print(false));
    this.box.addEventListener("input", () => this.searched());
    this.box.addEventListener("keydown", (event) => {
      if (event.key === "Enter") this.nextHit(event.shiftKey ? -1 : 1);
    });
  }

  /** Once it is part of the page and has a width. */
  mount(): void {
    this.open(this.readings[0].document);
  }

  private get readings(): StoredReading[] {
    return this.data.readings as StoredReading[];
  }

  private get lanes(): Lane[] {
    return this.model.lanes.filter((lane) => !this.hidden.has(lane.name));
  }

  /** The systems whose errors are looked at. */
  private get chosen(): Lane[] {
    return this.focus ? this.model.lanes.filter((lane) => lane.name === this.focus) : this.lanes;
  }

  /** Another part of the page asks for a document. */
  choose(name: string): void {
    if (this.readings.some((reading) => reading.document === name)) this.open(name);
  }

  private open(name: string): void {
    const stored = this.readings.find((reading) => reading.document === name)!;
    const { window = 2, tolerance = 2 } = this.data.summary.options;
    this.model = modelOf(stored, { window, tolerance });
    this.current = -1;
    this.hits = [];
    this.isHit = new Uint8Array(this.model.length);
    this.box.value = "";
    this.sheet.dir = directionOf(this.model.words);
    this.fillTools();
    this.fillLegend();
    this.pane.scrollTop = 0;
    this.layout();
    this.tell(this.overview());
  }

  private overview(): string {
    const { model } = this;
    const windows = number(model.windows.length, "window");
    return `${number(model.length, "word")}, ${windows} of ${number(model.references.length, "reference")}.`;
  }

  private fillTools(): void {
    const { model } = this;
    const names = this.readings.map((reading): [string, string] => [reading.document, reading.document]);
    const tests = Object.entries(TESTS)
      .filter(([, { needs }]) => this.has(needs))
      .map(([key, { text }]): [string, string] => [key, text]);
    this.filter = tests.some(([key]) => key === this.filter) ? this.filter : "all";
    const systems: [string, string][] = [["", "any system"], ...model.lanes.map(({ name }): [string, string] => [name, name])];
    const controls: HTMLElement[] = [];
    if (names.length > 1) controls.push(select("Document", names, (name) => this.open(name), model.document));
    controls.push(select("Show", tests, (key) => this.filtered(key), this.filter));
    if (model.lanes.length > 1) controls.push(select("Errors of", systems, (name) => this.focused(name), this.focus));
    controls.push(h("label", { class: "control" }, h("span", {}, "Search"), this.box));
    controls.push(this.jumps());
    this.tools.replaceChildren(...controls);
  }

  private has(needs: string): boolean {
    const { lanes, references, questions } = this.model;
    if (needs === "systems") return lanes.length > 0;
    if (needs === "two") return lanes.length > 1;
    if (needs === "references") return references.length > 1;
    return needs !== "questions" || questions.includes(1);
  }

  private jumps(): HTMLElement {
    const jump = (key: string, back: boolean, label: string, text: string) =>
      button(text, () => this.jump(KEYS[key][0], back), { title: label, "aria-label": label });
    const group = h("div", { class: "jumps", role: "group", "aria-label": "Jump" });
    if (this.has("references")) {
      group.append(jump("n", true, "Previous disagreement of annotators (p)", "‹ p"), jump("n", false, "Next disagreement of annotators (n)", "disagreement n ›"));
    }
    if (this.has("systems")) group.append(jump("e", false, "Next error (e)", "error e ›"));
    if (this.has("two")) group.append(jump("d", false, "Next place where systems differ (d)", "difference d ›"));
    return group;
  }

  private fillLegend(): void {
    const { references, lanes } = this.model;
    const votes = h("div", { class: "votes" });
    for (let count = 1; count <= references.length; count++) {
      const gap = h("span", { class: "tone", "aria-hidden": true });
      this.tone(gap, count);
      votes.append(h("span", { class: "item" }, gap, count === references.length && count > 1 ? `all ${count}` : `${count}`));
    }
    const what = references.length > 1 ? "references break here" : "the reference breaks here";
    votes.append(h("span", { class: "what" }, what), h("span", { class: "item" }, h("span", { class: "band-key", "aria-hidden": true }), "window"));
    const rows: HTMLElement[] = [votes];
    if (lanes.length) {
      const kinds = h("div", { class: "kinds" });
      const tolerance = this.data.summary.options.tolerance ?? 2;
      const told = ["", "right: where a reference breaks", `near: at most ${number(tolerance, "word")} off`, "wrong: no reference near", "missed: a window without one"];
      for (let kind = 1; kind < KINDS.length; kind++) kinds.append(h("span", { class: "item" }, sign(kind), told[kind]));
      rows.push(kinds, this.laneList());
    }
    this.legend.replaceChildren(...rows);
  }

  /** The systems, with how many of each kind; a click hides a lane. */
  private laneList(): HTMLElement {
    const list = h("div", { class: "lanes" });
    this.model.lanes.forEach(({ name, counts }, index) => {
      const box = h("input", { type: "checkbox", checked: !this.hidden.has(name) });
      box.addEventListener("change", () => {
        if (box.checked) this.hidden.delete(name);
        else this.hidden.add(name);
        this.relayout();
      });
      const figures = [1, 2, 3, 4].map((kind) => h("span", { class: "item", title: KINDS[kind] }, sign(kind), counts[kind].toLocaleString("en")));
      list.append(h("label", { class: "lane" }, box, h("span", { class: "ordinal" }, `${index + 1}`), h("b", {}, given(name)), ...figures));
    });
    return list;
  }

  private tone(element: HTMLElement, votes: number): void {
    element.style.setProperty("--depth", String(votes / this.model.references.length));
  }

  // Layout

  private measures() {
    const line = h("div", { class: "line" }, h("span", { class: "words" }, " "));
    this.sheet.append(line);
    const words = line.firstElementChild as HTMLElement;
    const style = getComputedStyle(words);
    const width = words.clientWidth - 12;
    const own = getComputedStyle(this.element);
    const [gap, slim] = ["--gap", "--slim"].map((name) => parseFloat(own.getPropertyValue(name)));
    const font = `${style.fontStyle} ${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
    line.remove();
    context.font = font;
    return { font, width, space: context.measureText(" ").width, gap, slim };
  }

  private layout(): void {
    this.element.style.setProperty("--lanes", String(this.lanes.length));
    this.element.classList.toggle("many", this.lanes.length > 4);
    const longest = Math.max(4, ...this.lanes.map(({ name }) => name.length), ...[...this.model.turns.values()].map((name) => speaker(name).length));
    this.element.style.setProperty("--names", `${Math.min(16, longest) * 0.42 + 1.9}rem`);
    this.height = this.measureHeight();
    const measures = this.measures();
    if (measures.width <= 0) return;
    this.lines = linesOf(this.model, measures);
    this.keep();
  }

  /** After a change of width or lanes: the word on top stays there. */
  private relayout(): void {
    if (!this.lines || this.isPrinted) return;
    const top = this.shown.length ? this.lines.starts[this.shown[Math.floor(this.pane.scrollTop / this.height)] ?? 0] : 0;
    this.layout();
    if (this.filter === "all") this.pane.scrollTop = lineOf(this.lines, top) * this.height;
    this.draw();
  }

  private measureHeight(): number {
    const style = getComputedStyle(this.element);
    const [text, lane, under] = ["--text", "--lane", "--under"].map((name) => parseFloat(style.getPropertyValue(name)));
    return text + this.lanes.length * lane + under;
  }

  /** Find the gaps that the filter keeps, and the lines they are in. */
  private keep(): void {
    const { model, lines } = this;
    const { test } = TESTS[this.filter];
    this.isKept = new Uint8Array(model.length);
    const has = new Uint8Array(lines.count);
    for (const at of model.gaps) {
      if (!test(model, at, this.chosen)) continue;
      this.isKept[at] = 1;
      has[lineOf(lines, at)] = 1;
    }
    const all = this.filter === "all";
    const shown: number[] = [];
    for (let line = 0; line < lines.count; line++) if (all || has[line]) shown.push(line);
    this.shown = Int32Array.from(shown);
    this.sheet.style.height = `${this.shown.length * this.height}px`;
    this.redraw();
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

  private redraw(): void {
    this.drawn.clear();
    this.sheet.replaceChildren();
    this.draw();
  }

  /** Make the lines that have come into sight, and let go of those that have left it. */
  private draw(): void {
    if (!this.lines) return;
    const { height, pane } = this;
    const top = this.isPrinted ? 0 : pane.scrollTop;
    const tall = this.isPrinted ? Infinity : pane.clientHeight;
    const first = Math.max(0, Math.floor(top / height) - AHEAD);
    const last = Math.min(this.shown.length, Math.ceil((top + tall) / height) + AHEAD);
    for (const [row, line] of this.drawn) {
      if (row >= first && row < last) continue;
      line.remove();
      this.drawn.delete(row);
    }
    for (let row = last - 1; row >= first; row--) {
      if (this.drawn.has(row)) continue;
      const line = this.line(this.shown[row], row * height);
      this.drawn.set(row, line);
      this.sheet.insertBefore(line, this.drawn.get(row + 1) ?? null);
    }
    this.map.draw(this.model, this.chosen, this.sight(height));
  }

  /** The part of the words that is in sight. */
  private sight(height: number): [number, number] {
    const { starts } = this.lines;
    const row = (y: number) => this.shown[Math.max(0, Math.min(this.shown.length - 1, Math.floor(y / height)))] ?? 0;
    const low = starts[row(this.pane.scrollTop)];
    const high = starts[row(this.pane.scrollTop + this.pane.clientHeight) + 1] ?? this.model.length;
    return [low / this.model.length, high / this.model.length];
  }

  private line(index: number, top: number): HTMLElement {
    const { starts } = this.lines;
    const start = starts[index];
    const words = h("span", { class: "words" });
    const margin = h("span", { class: "margin", "aria-hidden": true }, h("span", { class: "place" }, speaker(this.model.turns.get(start)) || `${start + 1}`));
    this.lanes.forEach((lane) => {
      const ordinal = this.model.lanes.indexOf(lane) + 1;
      margin.append(h("span", { class: "part" }, h("b", {}, `${ordinal}`), " ", given(lane.name)));
    });
    const line = h("div", { class: "line" }, margin, words, h("span", { class: "staves", "aria-hidden": true }));
    line.style.top = `${top}px`;
    this.fillLine(words, start, starts[index + 1]);
    return line;
  }

  /** Runs of words, and a gap wherever there is anything to see. */
  private fillLine(holder: HTMLElement, start: number, stop: number): void {
    const { model } = this;
    let into: HTMLElement = holder;
    let run = "";
    const flush = (isHit: boolean) => {
      if (run) into.append(h("bdi", isHit ? { class: "hit" } : {}, run));
      run = "";
    };
    const band = () => h("span", { class: "band" });
    if (start > 0 && model.windowOf[start - 1] && model.windowOf[start - 1] === model.windowOf[start]) holder.append((into = band()));
    for (let at = start; at < stop; at++) {
      run += model.words[at];
      const isHit = this.isHit[at] === 1;
      const opens = model.windowOf[at] > 0 && model.windowOf[at] !== (at > 0 ? model.windowOf[at - 1] : 0);
      const ends = this.isGap(at) || opens || isHit || this.isHit[at + 1] === 1;
      if (!ends) {
        run += " ";
        continue;
      }
      flush(isHit);
      if (opens) holder.append((into = band()));
      if (this.isGap(at)) into.append(this.gap(at));
      const closes = model.windowOf[at] > 0 && model.windowOf[at + 1] !== model.windowOf[at];
      if (closes) into = holder;
      into.append(" ");
    }
    flush(false);
  }

  private isGap(at: number): boolean {
    return this.model.votes[at] > 0 || this.lanes.some((lane) => lane.kinds[at]);
  }

  private gap(at: number): HTMLElement {
    const { model } = this;
    const classes = ["gap"];
    if (this.filter !== "all" && !this.isKept[at]) classes.push("dim");
    if (at === this.current) classes.push("current");
    const element = h("button", { type: "button", class: classes.join(" "), "data-at": at, tabindex: at === this.current ? 0 : -1, "aria-label": this.card.line(model, this.lanes, at) });
    if (!model.votes[at]) element.classList.add("slim-gap");
    else {
      const tone = h("i", { class: "tone" });
      this.tone(tone, model.votes[at]);
      element.append(tone);
    }
    this.lanes.forEach((lane, index) => {
      const kind = lane.kinds[at];
      if (!kind) return;
      const mark = sign(kind);
      mark.style.setProperty("--at", String(index));
      element.append(mark);
    });
    return element;
  }

  // What the reader does

  private pointed(event: Event): void {
    const target = (event.target as Element).closest<HTMLElement>(".gap");
    if (target) this.card.show(this.model, this.lanes, Number(target.dataset.at), target);
    else if (event.type === "pointerover") this.card.hide();
  }

  private clicked(event: Event): void {
    const target = (event.target as Element).closest<HTMLElement>(".gap");
    if (target) this.goTo(Number(target.dataset.at));
  }

  private pressed(event: KeyboardEvent): void {
    const target = event.target as HTMLElement;
    if (event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|SELECT|TEXTAREA)$/.test(target.tagName)) return;
    if (!this.element.contains(target) && !(target === document.body && this.isInSight())) return;
    const key = event.key.toLowerCase();
    if (key === "p") this.jump("disagree", true);
    else if (KEYS[key]) this.jump(KEYS[key][0], event.shiftKey);
    else if (key === "escape") this.card.hide();
    else if ((key === "arrowright" || key === "arrowleft") && this.current >= 0) this.jump("all", key === "arrowleft");
    else return;
    event.preventDefault();
  }

  private isInSight(): boolean {
    const { top, bottom } = this.element.getBoundingClientRect();
    return top < innerHeight && bottom > 0;
  }

  /** Go to the next gap, after the current one or what is in sight, that passes a test. */
  jump(name: string, back: boolean): void {
    const { model } = this;
    if (!this.has(TESTS[name].needs)) return;
    const { test } = TESTS[name];
    const from = this.current >= 0 ? this.current : back ? model.length : this.lines.starts[this.shown[Math.floor(this.pane.scrollTop / this.height)] ?? 0] - 1;
    const found = [...model.gaps].filter((at) => (this.filter === "all" || this.isKept[at]) && this.isGap(at) && test(model, at, this.chosen));
    const next = back ? found.findLast((at) => at < from) : found.find((at) => at > from);
    if (next === undefined) this.tell(`No ${back ? "earlier" : "further"} place (${found.length.toLocaleString("en")} in all).`);
    else {
      this.goTo(next);
      this.tell(`${found.indexOf(next) + 1} of ${found.length.toLocaleString("en")}: ${this.card.line(model, this.lanes, next)}`);
    }
  }

  private goTo(at: number): void {
    this.current = at;
    const row = this.shown.indexOf(lineOf(this.lines, at));
    const height = this.height;
    const top = row * height;
    if (top < this.pane.scrollTop || top + height > this.pane.scrollTop + this.pane.clientHeight) {
      this.pane.scrollTop = top - this.pane.clientHeight / 3;
    }
    this.redraw();
    const target = this.sheet.querySelector<HTMLElement>(`[data-at="${at}"]`);
    target?.focus({ preventScroll: true });
    if (target) this.card.show(this.model, this.lanes, at, target);
  }

  private filtered(key: string): void {
    this.filter = key;
    this.pane.scrollTop = 0;
    this.keep();
    const kept = this.isKept.reduce((sum, each) => sum + each, 0);
    this.tell(key === "all" ? this.overview() : `${number(kept, "place")} in ${number(this.shown.length, "line")}; the other lines are left out.`);
  }

  private focused(name: string): void {
    this.focus = name;
    this.filtered(this.filter);
  }

  private searched(): void {
    const phrase = this.box.value;
    this.hits = search(this.model.words, phrase);
    this.hit = -1;
    this.isHit = new Uint8Array(this.model.length);
    const size = phrase.trim().split(/\s+/).length;
    for (const at of this.hits) this.isHit.fill(1, at, at + size);
    this.tell(phrase.trim() ? `“${phrase.trim()}”: ${number(this.hits.length, "place")}; Enter goes to the next.` : this.overview());
    if (this.hits.length) this.nextHit(1);
    else this.redraw();
  }

  private nextHit(step: number): void {
    if (!this.hits.length) return;
    this.hit = (this.hit + step + this.hits.length) % this.hits.length;
    if (this.filter !== "all") {
      this.filter = "all";
      this.fillTools();
      this.keep();
      this.box.focus();
    }
    this.pane.scrollTop = lineOf(this.lines, this.hits[this.hit]) * this.height - this.pane.clientHeight / 3;
    this.redraw();
    this.tell(`“${this.box.value.trim()}”: ${this.hit + 1} of ${number(this.hits.length, "place")}.`);
  }

  private scrollTo(part: number): void {
    const line = lineOf(this.lines, Math.floor(part * this.model.length));
    const row = this.filter === "all" ? line : [...this.shown].findLastIndex((each) => each <= line);
    this.pane.scrollTop = Math.max(0, row * this.height - this.pane.clientHeight / 2);
  }

  private tell(text: string): void {
    this.told.textContent = text;
  }

  /** On paper all lines are there, as wide as the paper, unless they are too many. */
  private print(isOn: boolean): void {
    this.isPrinted = isOn && this.model.length <= PRINTED;
    this.element.classList.toggle("printed", this.isPrinted);
    this.layout();
  }

  /** Colours have changed. */
  repaint(): void {
    this.map.draw(this.model, this.chosen, this.sight(this.height), true);
  }
}

/** Who speaks; a bare number says so. */
function speaker(name = ""): string {
  return /^\d+$/.test(name) ? `speaker ${name}` : name;
}

const context = document.createElement("canvas").getContext("2d")!;

export function sign(kind: number): HTMLElement {
  return h("i", { class: `sign ${KINDS[kind]}`, "data-kind": kind === MISSED ? "missed" : null });
}
