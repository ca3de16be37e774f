/** The timeline: versions on one axis of time or samples, to zoom, to walk through, to listen to. */

import { button, chooser, h, section, select } from "../../dom";
import { grouped } from "../../numbers";
import type { ClockReading, Limits, PageData } from "../../types";
import type { Names } from "../transcript/model";
import { gutterOf, heightOf, MARGIN, Painter } from "./draw";
import { huesOf, legend } from "./legend";
import { judge, type Lane, lower, type Model, modelOf, nearest } from "./model";
import { overview, sentence } from "./tell";

const ZOOM = 1.6;
const SNAP = 7;
const LEAST = { time: 2000, samples: 8 };
const KEYS_TOLD =
  "+ and − zoom, 0 shows all, ← and → move, Home and End go to the ends, n and p to disagreements, e to errors.";

export class ClockView {
  readonly element = section("timeline", "Timeline");
  private readonly readings: ClockReading[];
  private readonly names: Names;
  private readonly limits: Limits;
  private readonly hues: Map<string, number>;
  private readonly hidden = new Set<string>();
  private readonly tools = h("div.tools");
  private readonly legend = h("div.legend");
  private readonly told = h("p.told", { role: "status" });
  private readonly canvas = h("canvas", { "aria-hidden": true });
  private readonly pane = h(
    "div.clock",
    { role: "application", tabindex: 0, "aria-roledescription": "timeline" },
    this.canvas,
  );
  private model!: Model;
  private against = "";
  private from = 0;
  private to = 1;
  private cursor = -1;
  private isAsked = false;
  private isPrinted = false;

  constructor({ readings, summary, limits }: PageData) {
    this.readings = readings.filter((each): each is ClockReading => each.kind === "clock");
    this.names = {
      references: summary.references,
      systems: summary.systems.map(({ name }) => name),
    };
    this.limits = limits ?? { window: 0, tolerance: 0 };
    this.hues = huesOf(this.readings);
    this.element.append(this.tools, this.legend, this.pane, this.told);
    document.addEventListener("keydown", (event) => this.pressed(event));
    new ResizeObserver(() => this.ask()).observe(this.pane);
    addEventListener("beforeprint", () => this.print(true));
    addEventListener("afterprint", () => this.print(false));
    this.pointer();
  }

  get documents(): string[] {
    return this.readings.map((reading) => reading.document);
  }

  /** Show a document; without a name the first. */
  open(name = this.readings[0]?.document): void {
    const stored = this.readings.find((reading) => reading.document === name);
    if (!stored) return;
    this.model = modelOf(stored, this.names, this.limits);
    const references = this.model.lanes.filter(({ isReference }) => isReference);
    if (!references.some((lane) => lane.name === this.against)) this.against = "";
    this.cursor = -1;
    this.pane.setAttribute(
      "aria-label",
      `${this.model.document}: ${overview(this.model)} ${KEYS_TOLD}`,
    );
    this.judge();
    this.fillTools(references);
    this.show(0, this.model.length);
    this.told.textContent = overview(this.model);
  }

  private judge(): void {
    judge(this.model, this.against, this.limits.tolerance);
    this.fillLegend();
    this.ask();
  }

  /** The lanes that are shown. */
  private get lanes(): Lane[] {
    return this.model.lanes.filter(({ name }) => !this.hidden.has(name));
  }

  private get systems(): Lane[] {
    return this.lanes.filter(({ isReference }) => !isReference);
  }

  private fillTools(references: Lane[]): void {
    const names = this.documents;
    const everyone = references.map(({ name }): [string, string] => [name, name]);
    const chosen = (name: string) => {
      this.against = name;
      this.judge();
    };
    const hasSystems = references.length < this.model.lanes.length;
    const isMany = references.length > 1;
    const controls = [
      names.length > 1 &&
        chooser("Document", names, (each) => this.open(each), this.model.document),
      hasSystems &&
        isMany &&
        select("Against", [["", "any annotator"], ...everyone], chosen, this.against),
      this.buttons(hasSystems, isMany),
    ];
    this.tools.replaceChildren(...controls.filter((each) => each !== false));
  }

  private buttons(hasSystems: boolean, isMany: boolean): HTMLElement {
    const group = h("div.jumps", { role: "group", "aria-label": "Zoom and jump" });
    const add = (text: string, label: string, press: () => void) =>
      group.append(button(text, press, { title: label, "aria-label": label }));
    add("+", "Zoom in (+)", () => this.zoom(1 / ZOOM));
    add("−", "Zoom out (−)", () => this.zoom(ZOOM));
    add("all 0", "Show all (0)", () => this.show(0, this.model.length));
    if (isMany) {
      add("‹ p", "Previous disagreement between annotators (p)", () => this.jump("n", true));
      add("disagreement n ›", "Next disagreement between annotators (n)", () => this.jump("n"));
    }
    if (hasSystems) add("error e ›", "Next error (e)", () => this.jump("e"));
    return group;
  }

  private fillLegend(): void {
    const { model, hues, hidden } = this;
    const changed = () => this.ask();
    const look = { hues, hidden, changed, against: this.against, reach: this.limits.tolerance };
    this.legend.replaceChildren(...legend(model, look));
  }

  private pressed(event: KeyboardEvent): void {
    const { target, key } = event;
    if (!(target instanceof HTMLElement) || event.ctrlKey || event.metaKey || event.altKey) return;
    if (/^(INPUT|SELECT|TEXTAREA)$/.test(target.tagName)) return;
    const isInside = this.element.contains(target);
    const { top, bottom } = this.pane.getBoundingClientRect();
    const isInSight = top < innerHeight && bottom > 0;
    if (!isInside && !(target === document.body && isInSight)) return;
    const actions: Record<string, (() => void) | undefined> = {
      "+": () => this.zoom(1 / ZOOM),
      "=": () => this.zoom(1 / ZOOM),
      "-": () => this.zoom(ZOOM),
      "0": () => this.show(0, this.model.length),
      n: () => this.jump("n"),
      p: () => this.jump("n", true),
      e: () => this.jump("e"),
      E: () => this.jump("e", true),
      ...(target === this.pane && {
        ArrowLeft: () => this.step(event.shiftKey ? -10 : -1),
        ArrowRight: () => this.step(event.shiftKey ? 10 : 1),
        Home: () => this.goTo(0),
        End: () => this.goTo(this.model.length),
      }),
    };
    const action = actions[key];
    if (!action) return;
    event.preventDefault();
    action();
  }

  /** Move the cursor by fortieths of what is in sight. */
  private step(count: number): void {
    const distance = Math.max(1, Math.round((this.to - this.from) / 40)) * count;
    this.goTo((this.cursor < 0 ? this.from : this.cursor) + distance);
  }

  private zoom(factor: number, around = this.cursor): void {
    const { from, to, model } = this;
    const isIn = around >= from && around <= to;
    const middle = isIn ? around : (from + to) / 2;
    const least = Math.min(LEAST[model.axis], model.length);
    const range = Math.min(model.length, Math.max(least, (to - from) * factor));
    const start = middle - ((middle - from) / (to - from)) * range;
    this.show(start, start + range);
  }

  /** Show a part of the axis, as near to the one that is asked for as there is. */
  private show(from: number, to: number): void {
    const { length } = this.model;
    const range = Math.max(1, Math.min(to - from, length));
    this.from = Math.max(0, Math.min(from, length - range));
    this.to = this.from + range;
    this.ask();
  }

  /** Put the cursor at a place, and tell what is there. */
  private goTo(at: number, before = ""): void {
    this.cursor = Math.max(0, Math.min(this.model.length, Math.round(at)));
    const range = this.to - this.from;
    const isOut = this.cursor < this.from || this.cursor > this.to;
    if (isOut) this.show(this.cursor - range / 2, this.cursor + range / 2);
    const reach = Math.max(this.limits.tolerance, SNAP * this.pixel);
    this.told.textContent = before + sentence(this.model, this.lanes, this.cursor, reach);
    this.ask();
  }

  private get pixel(): number {
    const width = this.pane.clientWidth;
    return (this.to - this.from) / Math.max(1, width - gutterOf(width) - MARGIN);
  }

  /** Go to the next disagreement of annotators, or the next error of a system that is shown. */
  private jump(what: "n" | "e", back = false): void {
    const errors = this.systems.flatMap(({ kinds }) => [kinds.wrong, kinds.missed]);
    const every = what === "n" ? [this.model.disagreements] : errors;
    const from = this.cursor < 0 ? (back ? Infinity : -1) : this.cursor;
    const next = every.flatMap((places) => {
      const found = back ? places[lower(places, from) - 1] : places[lower(places, from + 0.5)];
      return found === undefined ? [] : [found];
    });
    const all = every.reduce((sum, places) => sum + places.length, 0);
    const noun = what === "n" ? "disagreement" : "error";
    if (!next.length) {
      this.told.textContent = `No ${back ? "earlier" : "further"} ${noun} (${grouped(all)} in total).`;
      return;
    }
    const at = back ? Math.max(...next) : Math.min(...next);
    this.goTo(at, what === "n" ? `${grouped(lower(every[0]!, at) + 1)} of ${grouped(all)}: ` : "");
  }

  /** A click puts the cursor at the boundary that is near; a drag moves the axis. */
  private pointer(): void {
    const { pane } = this;
    let start: { x: number; from: number; isDrag: boolean } | undefined;
    const placeAt = (event: MouseEvent) => {
      const { left, width } = pane.getBoundingClientRect();
      const at = this.from + (event.clientX - left - gutterOf(width)) * this.pixel;
      return Math.max(this.from, Math.min(this.to, at));
    };
    pane.addEventListener("pointerdown", (event) => {
      start = { x: event.clientX, from: this.from, isDrag: false };
      pane.setPointerCapture(event.pointerId);
    });
    pane.addEventListener("pointermove", (event) => {
      if (!start) return;
      const moved = event.clientX - start.x;
      start.isDrag ||= Math.abs(moved) > 4;
      const from = start.from - moved * this.pixel;
      if (start.isDrag) this.show(from, from + this.to - this.from);
    });
    pane.addEventListener("pointercancel", () => (start = undefined));
    pane.addEventListener("pointerup", (event) => {
      if (start && !start.isDrag) this.goTo(this.snapped(placeAt(event)));
      start = undefined;
    });
    pane.addEventListener(
      "wheel",
      (event) => {
        const isZoom = event.ctrlKey || event.metaKey;
        if (!isZoom && Math.abs(event.deltaX) <= Math.abs(event.deltaY)) return;
        event.preventDefault();
        const by = event.deltaX * this.pixel;
        if (isZoom) this.zoom(2 ** (event.deltaY / 200), placeAt(event));
        else this.show(this.from + by, this.to + by);
      },
      { passive: false },
    );
  }

  private snapped(at: number): number {
    const near = this.lanes.flatMap(({ places }) => nearest(places, at) ?? []);
    near.sort((a, b) => Math.abs(a - at) - Math.abs(b - at));
    const [first] = near;
    return first !== undefined && Math.abs(first - at) <= SNAP * this.pixel ? first : at;
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

  private draw(): void {
    const { lanes, model, from, to, cursor, hues } = this;
    const width = this.pane.clientWidth;
    if (!width) return;
    const height = heightOf(lanes, width);
    const pen = penOf(this.canvas, width, height, this.isPrinted);
    const { tolerance } = this.limits;
    if (pen) {
      const scene = { model, lanes, from, to, cursor, tolerance, hues };
      new Painter(pen, scene, width).paint(height);
    }
    this.pane.dataset.from = String(Math.round(from));
    this.pane.dataset.to = String(Math.round(to));
  }

  private print(isOn: boolean): void {
    this.isPrinted = isOn;
    document.documentElement.style.colorScheme = isOn ? "light" : "";
    this.draw();
  }

  /** Colours have changed. */
  repaint(): void {
    this.ask();
  }
}

/** A pen for a canvas of a size in pixels of the page, finer on paper. */
function penOf(
  canvas: HTMLCanvasElement,
  width: number,
  height: number,
  isPrinted: boolean,
): CanvasRenderingContext2D | null {
  const ratio = isPrinted ? 3 : devicePixelRatio || 1;
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  canvas.style.height = `${height}px`;
  const pen = canvas.getContext("2d");
  pen?.scale(ratio, ratio);
  return pen;
}
