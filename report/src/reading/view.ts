/** The reading view: the transcript, its tools, and what the reader does with them. */

import { button, h, number, select } from "../dom";
import type { Data, StoredReading } from "../data";
import { Card, sentence } from "./card";
import { legend } from "./legend";
import { Look } from "./look";
import { Minimap } from "./minimap";
import { modelOf, search, TESTS } from "./model";
import { Pane } from "./pane";

/** What keys go to; with shift, backwards. */
const KEYS: Record<string, string> = { n: "disagree", e: "error", d: "differ" };

export class ReadingView {
  readonly element = h("section", { id: "reading", "aria-labelledby": "reading-title" });
  private look!: Look;
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

  constructor(private readonly data: Data) {
    this.element.append(
      h("h2", { id: "reading-title" }, "Reading"),
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

  private get readings(): StoredReading[] {
    return this.data.readings as StoredReading[];
  }

  /** Show a document; without a name the first, once the view has its place on the page. */
  open(name = this.readings[0].document): void {
    const stored = this.readings.find((reading) => reading.document === name);
    if (!stored) return;
    const { window = 2, tolerance = 2 } = this.data.summary.options;
    const before = this.look as Look | undefined;
    this.look = new Look(modelOf(stored, { window, tolerance }), this.hidden);
    this.look.focus = before?.focus ?? "";
    this.look.filter = before && this.look.has(before.filter) ? before.filter : "all";
    this.hits = [];
    this.box.value = "";
    this.fillTools();
    const changed = () => this.pane.relayout();
    this.legend.replaceChildren(...legend(this.look.model, tolerance, this.hidden, changed));
    this.pane.open(this.look);
    this.tell(this.overview());
  }

  private overview(): string {
    const { length, windows, references } = this.look.model;
    const people = number(references.length, "reference");
    return `${number(length, "word")}, ${number(windows.length, "window")} of ${people}.`;
  }

  private fillTools(): void {
    const { look } = this;
    const { lanes, document: name } = look.model;
    const same = (text: string): [string, string] => [text, text];
    const names = this.readings.map((reading) => same(reading.document));
    const tests = Object.entries(TESTS).filter(([key]) => look.has(key));
    const filters = tests.map(([key, { text }]): [string, string] => [key, text]);
    const systems: [string, string][] = [
      ["", "any system"],
      ...lanes.map((lane) => same(lane.name)),
    ];
    const focused = (system: string) => {
      look.focus = system;
      this.filtered(look.filter);
    };
    const controls = [
      names.length > 1 && select("Document", names, (each) => this.open(each), name),
      select("Show", filters, (key) => this.filtered(key), look.filter),
      lanes.length > 1 && select("Errors of", systems, focused, look.focus),
      h("label", { class: "control" }, h("span", {}, "Search"), this.box),
      this.jumps(),
    ];
    this.tools.replaceChildren(...controls.filter((each) => each !== false));
  }

  private jumps(): HTMLElement {
    const group = h("div", { class: "jumps", role: "group", "aria-label": "Jump" });
    const add = (test: string, back: boolean, text: string, label: string) => {
      if (!this.look.has(test)) return;
      const press = () => this.jump(test, back);
      group.append(button(text, press, { title: label, "aria-label": label }));
    };
    add("disagree", true, "‹ p", "Previous disagreement of annotators (p)");
    add("disagree", false, "disagreement n ›", "Next disagreement of annotators (n)");
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
    const target = event.target as HTMLElement;
    const isTyped = /^(INPUT|SELECT|TEXTAREA)$/.test(target.tagName);
    if (isTyped || event.ctrlKey || event.metaKey || event.altKey) return;
    const isHere = this.element.contains(target) || target === document.body;
    if (!isHere || !this.isInSight()) return;
    const key = event.key.toLowerCase();
    if (key === "p") this.jump("disagree", true);
    else if (KEYS[key]) this.jump(KEYS[key], event.shiftKey);
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
  private jump(name: string, back: boolean): void {
    const { look } = this;
    if (!look.has(name)) return;
    const { current, model, lanes } = look;
    const from = current >= 0 ? current : back ? model.length : this.pane.top - 1;
    const found = look.passing(name).filter((at) => !look.isDim(at));
    const next = back ? found.findLast((at) => at < from) : found.find((at) => at > from);
    const all = found.length.toLocaleString("en");
    if (next === undefined) {
      this.tell(`No ${back ? "earlier" : "further"} place (${all} in all).`);
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

  private filtered(key: string): void {
    this.look.filter = key;
    this.pane.element.scrollTop = 0;
    const kept = this.pane.filter();
    const lines = number(this.pane.count, "line");
    const some = `${number(kept, "place")} in ${lines}; the other lines are left out.`;
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
    this.pane.reveal(this.hits[this.hit], true);
    this.pane.redraw();
    const all = number(this.hits.length, "place");
    this.tell(`“${this.box.value.trim()}”: ${this.hit + 1} of ${all}; Enter goes to the next.`);
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

function gapOf(event: Event): HTMLElement | null {
  return (event.target as Element).closest<HTMLElement>(".gap");
}
