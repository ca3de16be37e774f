/** The drawing: an axis, and below it a lane for each version; never more marks than pixels. */

import { color } from "../../dom";
import { placeText, tickStep } from "./axis";
import type { Hues } from "./legend";
import { type Kind, KINDS, type Lane, lower, type Model, type Row } from "./model";

const TOP = 26;
const SIGNS = 14;
const BAND = 24;
const THIN = 16;
const GAP = 10;
const NAME = 15;
const WIDE = 640;
const SIGN = 9;
export const MARGIN = 10;

/** What is drawn: lanes, the part of the axis in sight, and where the cursor is. */
export interface Scene {
  model: Model;
  lanes: Lane[];
  from: number;
  to: number;
  cursor: number;
  tolerance: number;
  hues: Hues;
}

export function gutterOf(width: number): number {
  return width < WIDE ? MARGIN : 138;
}

export function heightOf(lanes: Lane[], width: number): number {
  return lanes.reduce((sum, lane) => sum + laneHeight(lane, width), TOP + 6);
}

function laneHeight(lane: Lane, width: number): number {
  const rows = Math.max(1, lane.rows.length);
  const name = width < WIDE ? NAME : 0;
  return name + (lane.isReference ? 0 : SIGNS) + (rows > 1 ? rows * THIN : BAND) + GAP;
}

/** Draws on a canvas whose pixels are those of the page. */
export class Painter {
  private readonly x: (at: number) => number;
  private readonly left: number;
  private readonly right: number;
  private readonly colors = new Map<string, string>();

  constructor(
    private readonly pen: CanvasRenderingContext2D,
    private readonly scene: Scene,
    private readonly width: number,
  ) {
    this.left = gutterOf(width);
    this.right = width - MARGIN;
    const scale = (this.right - this.left) / (scene.to - scene.from);
    this.x = (at) => this.left + (at - scene.from) * scale;
  }

  paint(height: number): void {
    const { pen, scene, width } = this;
    pen.clearRect(0, 0, width, height);
    this.axis(height);
    let top = TOP;
    for (const lane of scene.lanes) {
      this.lane(lane, top);
      top += laneHeight(lane, width);
    }
    if (scene.cursor >= scene.from && scene.cursor <= scene.to) this.cursor(height);
  }

  private color(name: string): string {
    let found = this.colors.get(name);
    if (!found) this.colors.set(name, (found = color(name)));
    return found;
  }

  private font(size: number, weight = ""): void {
    this.pen.font = `${weight} ${size}px ${getComputedStyle(document.body).getPropertyValue("--sans")}`;
  }

  private axis(height: number): void {
    const { pen, scene, left, right } = this;
    const step = tickStep(scene.model, scene.to - scene.from, (right - left) / 90);
    this.font(11);
    pen.textAlign = "center";
    pen.textBaseline = "alphabetic";
    let free = -Infinity;
    for (let at = Math.ceil(scene.from / step) * step; at <= scene.to; at += step) {
      const x = Math.round(this.x(at)) + 0.5;
      this.line(x, TOP - 7, x, height, "rule");
      const text = placeText(scene.model, at, step);
      const half = pen.measureText(text).width / 2;
      const middle = Math.min(Math.max(x, left + half - MARGIN + 2), right + MARGIN - half - 2);
      if (middle - half < free) continue;
      free = middle + half + 8;
      pen.fillStyle = this.color("muted");
      pen.fillText(text, middle, 12);
    }
    this.line(left, TOP - 6.5, right, TOP - 6.5, "rule");
    const part = (at: number) => left + (at / scene.model.length) * (right - left);
    pen.fillStyle = this.color("muted");
    pen.fillRect(part(scene.from), TOP - 8, part(scene.to) - part(scene.from), 2);
  }

  private line(x0: number, y0: number, x1: number, y1: number, name: string): void {
    const { pen } = this;
    pen.strokeStyle = this.color(name);
    pen.lineWidth = 1;
    pen.beginPath();
    pen.moveTo(x0, y0);
    pen.lineTo(x1, y1);
    pen.stroke();
  }

  private lane(lane: Lane, top: number): void {
    const { pen, width, left, right } = this;
    const isNarrow = width < WIDE;
    const band = top + (isNarrow ? NAME : 0) + (lane.isReference ? 0 : SIGNS);
    const tall = lane.rows.length > 1 ? lane.rows.length * THIN : BAND;
    this.font(12, lane.isReference ? "" : "600");
    pen.textAlign = "left";
    pen.textBaseline = "middle";
    pen.fillStyle = this.color("ink");
    const room = isNarrow ? right - left : left - 14;
    pen.fillText(
      this.fit(lane.name, room),
      isNarrow ? left : 0,
      isNarrow ? top + 6 : band + tall / 2,
    );
    pen.save();
    pen.beginPath();
    pen.rect(left - SIGN, band - SIGNS, right - left + 2 * SIGN, tall + SIGNS + 2);
    pen.clip();
    if (lane.isReference) this.reach(lane, band, tall);
    this.line(left, band + tall + 0.5, right, band + tall + 0.5, "rule");
    if (lane.scores) this.curve(lane.scores, band, tall);
    lane.rows.forEach((row, at) => {
      const isOne = lane.rows.length === 1;
      this.spans(row, lane.labels, isOne ? band : band + at * THIN, isOne ? BAND : THIN - 1);
    });
    if (!lane.rows.length) this.boundaries(lane, band, tall);
    if (!lane.isReference) this.signs(lane, band - SIGNS / 2 - 1);
    pen.restore();
  }

  /** As much of a text as there is room for. */
  private fit(text: string, room: number): string {
    const { width } = this.pen.measureText(text);
    if (width <= room) return text;
    const size = Math.floor((text.length * room) / width) - 1;
    return size < 1 ? "" : `${text.slice(0, size)}…`;
  }

  /** How far the tolerance reaches around each boundary. */
  private reach({ places }: Lane, top: number, tall: number): void {
    const { tolerance } = this.scene;
    if (this.x(tolerance) - this.x(0) < 2) return;
    this.pen.fillStyle = this.color("band");
    this.each(places, tolerance, (at) => {
      const from = this.x(at - tolerance);
      this.pen.fillRect(from, top - 3, this.x(at + tolerance) - from, tall + 3);
    });
  }

  /** Those in sight, or no further out than `around`; of those on one pixel, the first. */
  private each(places: Float64Array, around: number, take: (at: number) => void): void {
    const { from, to } = this.scene;
    const pixel = (to - from) / (this.right - this.left);
    for (let index = lower(places, from - around); index < places.length;) {
      const at = places[index] ?? 0;
      if (at > to + around) break;
      take(at);
      index = Math.max(index + 1, lower(places, at + pixel / 2));
    }
  }

  private boundaries(lane: Lane, top: number, tall: number): void {
    const draw = (every: Float64Array, name: string) => {
      this.pen.fillStyle = this.color(name);
      this.each(every, 0, (at) => this.pen.fillRect(Math.round(this.x(at)) - 1, top, 2, tall));
    };
    if (lane.isReference) draw(lane.places, "tone");
    else if (this.isFull(lane)) draw(lane.places, "fill");
    else for (const kind of ["right", "wrong"] as const) draw(lane.kinds[kind], kind);
  }

  private spans(row: Row, labels: string[], top: number, tall: number): void {
    const { starts, ends, codes } = row;
    const { pen, scene, left, right } = this;
    const pixel = (scene.to - scene.from) / (right - left);
    this.font(tall > THIN ? 12 : 11);
    pen.textAlign = "left";
    pen.textBaseline = "middle";
    for (let index = lower(ends, scene.from); index < starts.length;) {
      const [start, end] = [starts[index] ?? 0, ends[index] ?? 0];
      if (start > scene.to) break;
      const [x, stop] = [Math.max(left - 2, this.x(start)), Math.min(right + 2, this.x(end))];
      this.span(labels[(codes[index] ?? 0) - 1] ?? "", x, Math.max(1, stop - x), top, tall);
      index = Math.max(index + 1, lower(ends, start + pixel));
    }
  }

  /** A pale box with a strong edge, and its label if there is room for some of it. */
  private span(label: string, x: number, wide: number, top: number, tall: number): void {
    const { pen } = this;
    const hue = this.scene.hues.get(label.toLowerCase());
    pen.fillStyle = this.color(hue === undefined ? "fill" : `c${hue + 1}`);
    pen.globalAlpha = wide < 3 ? 1 : 0.26;
    pen.fillRect(x, top, wide, tall);
    pen.globalAlpha = 1;
    pen.fillRect(x, top, Math.min(wide, 2), tall);
    const text = wide < 14 ? "" : this.fit(label, wide - 9);
    pen.fillStyle = this.color("ink");
    if (text) pen.fillText(text, x + 6, top + tall / 2 + 0.5);
  }

  /** The highest score of each pixel. */
  private curve(scores: Uint8Array, top: number, tall: number): void {
    const { pen, scene, left, right } = this;
    const pixel = (scene.to - scene.from) / (right - left);
    pen.strokeStyle = this.color("muted");
    pen.lineWidth = 1.25;
    pen.beginPath();
    for (let x = left; x <= right; x++) {
      const first = Math.floor(scene.from + (x - left) * pixel);
      let most = -1;
      for (let at = first; at <= first + pixel; at++) {
        const score = scores[at] ?? 255;
        if (score < 255 && score > most) most = score;
      }
      if (most >= 0) pen.lineTo(x, top + tall - (most / 254) * tall);
    }
    pen.stroke();
  }

  /** Whether signs in sight would cover each other. */
  private isFull({ kinds }: Lane): boolean {
    const { from, to } = this.scene;
    const counts = KINDS.map((kind) => lower(kinds[kind], to) - lower(kinds[kind], from));
    return Math.max(...counts) * (SIGN - 2) > this.right - this.left;
  }

  /** Signs or, where there are too many, a row of lines for each kind. */
  private signs(lane: Lane, middle: number): void {
    const isFull = this.isFull(lane);
    KINDS.forEach((kind, at) => {
      this.pen.fillStyle = this.pen.strokeStyle = this.color(kind);
      this.each(lane.kinds[kind], 0, (place) => {
        if (isFull) this.pen.fillRect(this.x(place), middle - 5.5 + at * 4, 1, 3);
        else this.sign(kind, this.x(place), middle);
      });
    });
  }

  private sign(kind: Kind, x: number, y: number): void {
    const { pen } = this;
    const half = SIGN / 2;
    pen.lineWidth = 2;
    pen.beginPath();
    if (kind === "wrong") {
      pen.moveTo(x - half + 1, y - half + 1);
      pen.lineTo(x + half - 1, y + half - 1);
      pen.moveTo(x + half - 1, y - half + 1);
      pen.lineTo(x - half + 1, y + half - 1);
      pen.stroke();
    } else {
      pen.arc(x, y, kind === "missed" ? half - 1 : half, 0, 2 * Math.PI);
      if (kind === "missed") pen.stroke();
      else pen.fill();
    }
  }

  private cursor(height: number): void {
    const { pen, scene } = this;
    const x = Math.round(this.x(scene.cursor));
    pen.fillStyle = this.color("accent");
    pen.fillRect(x - 1, TOP - 7, 2, height);
    pen.beginPath();
    pen.moveTo(x - 5, TOP - 12);
    pen.lineTo(x + 5, TOP - 12);
    pen.lineTo(x, TOP - 5);
    pen.fill();
  }
}
