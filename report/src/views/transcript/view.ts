/** The reading view: the transcript, its tools, and what the reader does with them. */

import { alignmentOf, own } from "../../data";
import { button, chooser, h, SearchBox, section, select } from "../../dom";
import { grouped, number, shown } from "../../numbers";
import type { Limits, PageColumn, PageData, Summary, TranscriptReading } from "../../types";
import { Card, heardSentence, sentence } from "./card";
import { legend, type Rates } from "./legend";
import { Look } from "./look";
import { Minimap } from "./minimap";
import { modelOf, type Names, search, type TestName, TESTS } from "./model";
import { Pane } from "./pane";

/** What keys go to; with shift, backwards. */
const KEYS = new Map<string, TestName>([
  ["n", "disagree"],
  ["e", "error"],
  ["d", "differ"],
]);

export class ReadingView {
  readonly element = section("reading", "Reading");
  private look!: Look;
  private readonly readings: TranscriptReading[];
  private readonly names: Names;
  private readonly limits: Limits;
  private readonly summary: Summary;
  private readonly rates: PageColumn[];
  private hits: number[][] = [];
  private hit = -1;
  private readonly hidden = new Set<string>();
  private readonly tools = h("div.tools");
  private readonly legend = h("div.legend");
  private readonly told = h("p.told", { role: "status" });
  private readonly box = new SearchBox("words", () => this.searched());
  private readonly card = new Card();
  private readonly pane = new Pane(() => this.drawMap());
  private readonly map = new Minimap((part) =>
    this.pane.reveal(Math.floor(part * this.look.model.length), true),
  );

  constructor({ readings, summary, limits, alignment }: PageData) {
    this.summary = summary;
    this.rates = (alignment?.columns ?? []).filter(({ format }) => format === "rate");
    this.readings = readings.filter(
      (each): each is TranscriptReading => each.kind === "transcript",
    );
    this.names = {
      references: summary.references,
      systems: summary.systems.map(({ name }) => name),
    };
    this.limits = limits ?? { window: 0, tolerance: 0 };
    this.element.append(
      this.tools,
      this.legend,
      h("div.spread", this.pane.element, this.map.element),
      this.told,
      this.card.element,
    );
    const { sheet } = this.pane;
    for (const name of ["pointerover", "focusin"]) {
      sheet.addEventListener(name, (event) => this.pointed(event));
    }
    for (const name of ["pointerleave", "focusout"]) {
      sheet.addEventListener(name, () => this.card.hide());
    }
    sheet.addEventListener("click", (event) => this.clicked(event));
    document.addEventListener("keydown", (event) => this.pressed(event));
    addEventListener("beforeprint", () => this.pane.print(true));
    addEventListener("afterprint", () => this.pane.print(false));
    this.box.input.addEventListener("keydown", (event) => {
      if (event.key === "Enter") this.nextHit(event.shiftKey ? -1 : 1);
    });
  }

  get documents(): string[] {
    return this.readings.map((reading) => reading.document);
  }

  /** Show a document; without a name the first, once the view has its place on the page. */
  open(name = this.readings[0]?.document): void {
    const stored = this.readings.find((reading) => reading.document === name);
    if (!stored) return;
    const before = this.look as Look | undefined;
    this.look = new Look(modelOf(stored, this.names, this.limits), this.hidden);
    this.look.focus = before?.focus ?? "";
    this.look.filter = before && this.look.has(before.filter) ? before.filter : "all";
    this.hits = [];
    this.box.input.value = "";
    this.box.tell(0, 0);
    this.fillTools();
    const changed = () => this.pane.relayout();
    this.legend.replaceChildren(
      ...legend(this.look.model, this.limits.tolerance, this.ratesOf, this.hidden, changed),
    );
    this.pane.open(this.look);
    this.tell(this.overview());
  }

  private readonly ratesOf: Rates = (name) => {
    const scores = alignmentOf(this.summary, name, { document: this.look.model.document });
    return this.rates.flatMap(({ key, title, help }) => {
      const value = own(scores, key);
      return value === undefined ? [] : [{ title, help, value: shown(value) }];
    });
  };

  private overview(): string {
    const { length, windows, references } = this.look.model;
    const people = number(references.length, "reference");
    return `${number(length, "word")}, ${people}, ${number(windows.length, "window")}.`;
  }

  private fillTools(): void {
    const { look } = this;
    const { lanes, document: name } = look.model;
    const names = this.documents;
    const filters = testNames()
      .filter((key) => look.has(key))
      .map((key): [string, string] => [key, TESTS[key].text]);
    const systems: [string, string][] = [
      ["", "any system"],
      ...lanes.map((lane): [string, string] => [lane.name, lane.name]),
    ];
    const focused = (system: string) => {
      look.focus = system;
      this.filtered(look.filter);
    };
    const controls = [
      names.length > 1 && chooser("Document", names, (each) => this.open(each), name),
      select("Show", filters, (key) => this.filtered(testOf(key)), look.filter),
      lanes.length > 1 && select("Errors of", systems, focused, look.focus),
      this.box.element,
      this.jumps(),
    ];
    this.tools.replaceChildren(...controls.filter((each) => each !== false));
  }

  private jumps(): HTMLElement {
    const group = h("div.jumps", { role: "group", "aria-label": "Jump" });
    const add = (test: TestName, back: boolean, text: string, label: string) => {
      if (!this.look.has(test)) return;
      const press = () => this.jump(test, back);
      group.append(button(text, press, { title: label, "aria-label": label }));
    };
    add("disagree", true, "‹ p", "Previous disagreement between annotators (p)");
    add("disagree", false, "disagreement n ›", "Next disagreement between annotators (n)");
    add("error", false, "error e ›", "Next error (e)");
    add("differ", false, "difference d ›", "Next place where systems differ (d)");
    if (this.look.model.hearings.size) {
      const label = "Next word that was heard differently (w)";
      const press = () => this.jumpToWord(false);
      group.append(button("word w ›", press, { title: label, "aria-label": label }));
    }
    return group;
  }

  private pointed(event: Event): void {
    const { gap, word } = placeOf(event);
    if (gap) this.card.showGap(this.look, Number(gap.dataset.at), gap);
    else if (word) this.card.showWord(this.look, Number(word.dataset.word), word);
    else if (event.type === "pointerover") this.card.hide();
  }

  private clicked(event: Event): void {
    const { gap, word } = placeOf(event);
    if (gap) this.goTo(Number(gap.dataset.at));
    else if (word) this.goToWord(Number(word.dataset.word));
  }

  private pressed(event: KeyboardEvent): void {
    const { target } = event;
    if (!(target instanceof HTMLElement)) return;
    const isTyped = /^(INPUT|SELECT|TEXTAREA)$/.test(target.tagName);
    if (isTyped || event.ctrlKey || event.metaKey || event.altKey) return;
    const isHere = this.element.contains(target) || target === document.body;
    if (!isHere || !this.isInSight()) return;
    const key = event.key.toLowerCase();
    const test = KEYS.get(key);
    if (key === "p") this.jump("disagree", true);
    else if (key === "w") this.jumpToWord(event.shiftKey);
    else if (test) this.jump(test, event.shiftKey);
    else if (key === "escape") this.card.hide();
    else if (/^arrow(left|right)$/.test(key) && this.look.current >= 0) {
      this.jump("all", key === "arrowleft");
    } else return;
    event.preventDefault();
  }

  private isInSight(): boolean {
    const { top, bottom } = this.element.getBoundingClientRect();
    return top < innerHeight && bottom > 0;
  }

  /** Go to the next gap, after the current one or what is in sight, that passes a test. */
  private jump(name: TestName, back: boolean): void {
    const { look } = this;
    if (!look.has(name)) return;
    const { current, model, lanes } = look;
    const from = current >= 0 ? current : back ? model.length : this.pane.top - 1;
    const found = look.passing(name).filter((at) => !look.isDim(at));
    const next = back ? found.findLast((at) => at < from) : found.find((at) => at > from);
    const all = grouped(found.length);
    if (next === undefined) {
      this.tell(`No ${back ? "earlier" : "further"} place (${all} in total).`);
      return;
    }
    this.goTo(next);
    this.tell(`${found.indexOf(next) + 1} of ${all}: ${sentence(model, lanes, next)}`);
  }

  /** Go to the next word that somebody heard differently. */
  private jumpToWord(back: boolean): void {
    const found = this.look.misheard();
    if (!found.length) return;
    const { word, model } = this.look;
    const from = word >= 0 ? word : back ? model.length : this.pane.top - 1;
    const next = back ? found.findLast((at) => at < from) : found.find((at) => at > from);
    const all = grouped(found.length);
    if (next === undefined) {
      this.tell(`No ${back ? "earlier" : "further"} word (${all} in total).`);
      return;
    }
    this.goToWord(next);
    this.tell(`${grouped(found.indexOf(next) + 1)} of ${all}: ${heardSentence(this.look, next)}`);
  }

  private goToWord(at: number): void {
    this.look.word = at;
    this.pane.reveal(at);
    this.pane.redraw();
    const target = this.pane.sheet.querySelector<HTMLElement>(`[data-word="${at}"]`);
    if (!target) return;
    target.focus({ preventScroll: true });
    this.card.showWord(this.look, at, target);
  }

  private goTo(at: number): void {
    this.look.current = at;
    this.pane.reveal(at);
    this.pane.redraw();
    const target = this.pane.sheet.querySelector<HTMLElement>(`[data-at="${at}"]`);
    if (!target) return;
    target.focus({ preventScroll: true });
    this.card.showGap(this.look, at, target);
  }

  private filtered(key: TestName): void {
    this.look.filter = key;
    this.pane.element.scrollTop = 0;
    const kept = this.pane.filter();
    const lines = number(this.pane.count, "line");
    const some = `${number(kept, "place")} in ${lines}; other lines are hidden.`;
    this.tell(key === "all" ? this.overview() : some);
  }

  private searched(): void {
    const { model } = this.look;
    this.hits = search(model.words, this.box.phrase);
    this.hit = -1;
    this.look.isHit = new Uint8Array(model.length);
    for (const at of this.hits.flat()) this.look.isHit[at] = 1;
    this.tell(this.overview());
    this.box.tell(0, 0);
    if (this.hits.length) this.nextHit(1);
    else this.pane.redraw();
  }

  private nextHit(step: number): void {
    if (!this.hits.length) return;
    this.hit = (this.hit + step + this.hits.length) % this.hits.length;
    if (this.look.filter !== "all") {
      this.filtered("all");
      this.fillTools();
      this.box.input.focus();
    }
    this.pane.reveal(this.hits[this.hit]?.[0] ?? 0, true);
    this.pane.redraw();
    this.box.tell(this.hit + 1, this.hits.length);
    this.tell("Press Enter for the next match, Shift+Enter for the previous one.");
  }

  private tell(text: string): void {
    this.told.textContent = text;
  }

  private drawMap(anew = false): void {
    this.map.draw(this.look.model, this.look.chosen, this.pane.sight, anew);
  }

  /** Colours have changed. */
  repaint(): void {
    this.drawMap(true);
  }
}

function testNames(): TestName[] {
  return Object.keys(TESTS) as TestName[];
}

function testOf(text: string): TestName {
  return testNames().find((name) => name === text) ?? "all";
}

/** The gap or the word that an event is about. */
function placeOf({ target }: Event): { gap?: HTMLElement | null; word?: HTMLElement | null } {
  if (!(target instanceof Element)) return {};
  const at = (selector: string) => target.closest<HTMLElement>(selector);
  return { gap: at("[data-at]"), word: at("[data-word]") };
}
