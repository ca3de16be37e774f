/** The reading view: the transcript, its tools, and what the reader does with them. */

import { button, chooser, h, section, select } from "../dom";
import { grouped, number } from "../numbers";
import type { Limits, PageData, TranscriptReading } from "../types";
import { Card, sentence } from "./card";
import { legend } from "./legend";
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
  private hits: number[] = [];
  private hit = -1;
  private readonly hidden = new Set<string>();
  private readonly tools = h("div", { class: "tools" });
  private readonly legend = h("div", { class: "legend" });
  private readonly told = h("p", { class: "told", role: "status" });
  private readonly box = h("input", { type: "search", placeholder: "words" });
  private readonly card = new Card();
  private readonly pane = new Pane(() => this.drawMap());
  private readonly map = new Minimap((part) =>
    this.pane.reveal(Math.floor(part * this.look.model.length), true),
  );

  constructor({ readings, summary, limits }: PageData) {
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
      h("div", { class: "spread" }, this.pane.element, this.map.element),
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
    this.box.addEventListener("input", () => this.searched());
    this.box.addEventListener("keydown", (event) => {
      if (event.key === "Enter") this.nextHit(event.shiftKey ? -1 : 1);
    });
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
    this.box.value = "";
    this.fillTools();
    const changed = () => this.pane.relayout();
    this.legend.replaceChildren(
      ...legend(this.look.model, this.limits.tolerance, this.hidden, changed),
    );
    this.pane.open(this.look);
    this.tell(this.overview());
  }

  private overview(): string {
    const { length, windows, references } = this.look.model;
    const people = number(references.length, "reference");
    return `${number(length, "word")}, ${people}, ${number(windows.length, "window")}.`;
  }

  private fillTools(): void {
    const { look } = this;
    const { lanes, document: name } = look.model;
    const names = this.readings.map((reading) => reading.document);
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
      h("label", { class: "control" }, h("span", {}, "Search"), this.box),
      this.jumps(),
    ];
    this.tools.replaceChildren(...controls.filter((each) => each !== false));
  }

  private jumps(): HTMLElement {
    const group = h("div", { class: "jumps", role: "group", "aria-label": "Jump" });
    const add = (test: TestName, back: boolean, text: string, label: string) => {
      if (!this.look.has(test)) return;
      const press = () => this.jump(test, back);
      group.append(button(text, press, { title: label, "aria-label": label }));
    };
    add("disagree", true, "‹ p", "Previous disagreement between annotators (p)");
    add("disagree", false, "disagreement n ›", "Next disagreement between annotators (n)");
    add("error", false, "error e ›", "Next error (e)");
    add("differ", false, "difference d ›", "Next place where systems differ (d)");
    return group;
  }

  private pointed(event: Event): void {
    const target = gapOf(event);
    const { model, lanes } = this.look;
    if (target) this.card.show(model, lanes, Number(target.dataset.at), target);
    else if (event.type === "pointerover") this.card.hide();
  }

  private clicked(event: Event): void {
    const target = gapOf(event);
    if (target) this.goTo(Number(target.dataset.at));
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

  private goTo(at: number): void {
    const { model, lanes } = this.look;
    this.look.current = at;
    this.pane.reveal(at);
    this.pane.redraw();
    const target = this.pane.sheet.querySelector<HTMLElement>(`[data-at="${at}"]`);
    if (!target) return;
    target.focus({ preventScroll: true });
    this.card.show(model, lanes, at, target);
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
    const phrase = this.box.value.trim();
    this.hits = search(model.words, phrase);
    this.hit = -1;
    this.look.isHit = new Uint8Array(model.length);
    const size = phrase.split(/\s+/).length;
    for (const at of this.hits) this.look.isHit.fill(1, at, at + size);
    this.tell(phrase ? `“${phrase}”: 0 places.` : this.overview());
    if (this.hits.length) this.nextHit(1);
    else this.pane.redraw();
  }

  private nextHit(step: number): void {
    if (!this.hits.length) return;
    this.hit = (this.hit + step + this.hits.length) % this.hits.length;
    if (this.look.filter !== "all") {
      this.filtered("all");
      this.fillTools();
      this.box.focus();
    }
    this.pane.reveal(this.hits[this.hit] ?? 0, true);
    this.pane.redraw();
    const all = number(this.hits.length, "place");
    this.tell(`“${this.box.value.trim()}”: ${this.hit + 1} of ${all}; press Enter for the next.`);
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

function gapOf(event: Event): HTMLElement | null {
  return event.target instanceof Element ? event.target.closest<HTMLElement>(".gap") : null;
}
