/** A map of the whole transcript: where the errors are dense. */

import { color, h } from "../dom";
import { type Lane, type Model, WRONG } from "./model";

const WIDTH = 56;

export class Minimap {
  readonly element = h("canvas", { class: "map", "aria-hidden": true, title: "Density of errors; click to go there" });
  private bins: Float32Array = new Float32Array();
  private depth: Float32Array = new Float32Array();
  private made = "";
  private isDown = false;

  constructor(go: (part: number) => void) {
    const move = (event: PointerEvent) => {
      const { top, height } = this.element.getBoundingClientRect();
      go(Math.max(0, Math.min(1, (event.clientY - top) / height)));
    };
    this.element.addEventListener("pointerdown", (event) => {
      this.isDown = true;
      this.element.setPointerCapture(event.pointerId);
      move(event);
    });
    this.element.addEventListener("pointermove", (event) => this.isDown && move(event));
    this.element.addEventListener("pointerup", () => (this.isDown = false));
  }

  draw(model: Model, lanes: Lane[], [low, high]: [number, number], anew = false): void {
    const height = this.element.clientHeight;
    if (!height) return;
    const ratio = devicePixelRatio || 1;
    const key = `${model.document} ${height} ${lanes.map(({ name }) => name).join()}`;
    if (key !== this.made || anew) {
      this.made = key;
      this.count(model, lanes, Math.max(1, Math.floor(height / 3)));
      this.element.width = WIDTH * ratio;
      this.element.height = height * ratio;
    }
    const pen = this.element.getContext("2d")!;
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, WIDTH, height);
    this.paint(pen, height);
    pen.fillStyle = color("sight");
    pen.fillRect(0, low * height, WIDTH, Math.max(4, (high - low) * height));
    pen.strokeStyle = color("muted");
    pen.strokeRect(0.5, Math.round(low * height) + 0.5, WIDTH - 1, Math.max(4, (high - low) * height) - 1);
  }

  private paint(pen: CanvasRenderingContext2D, height: number): void {
    const step = height / this.bins.length;
    const most = Math.max(...this.bins, 1e-9);
    const deepest = Math.max(...this.depth, 1e-9);
    for (let bin = 0; bin < this.bins.length; bin++) {
      pen.fillStyle = color("tone");
      pen.globalAlpha = 0.75 * (this.depth[bin] / deepest);
      pen.fillRect(2, bin * step, 10, Math.max(1, step - 0.6));
      pen.globalAlpha = 1;
      pen.fillStyle = color("wrong");
      pen.fillRect(16, bin * step, (this.bins[bin] / most) * (WIDTH - 18), Math.max(1, step - 0.6));
    }
  }

  /** Errors, and references' boundaries, of each part of the words. */
  private count(model: Model, lanes: Lane[], size: number): void {
    const bins = Math.min(size, Math.max(1, Math.ceil(model.length / 4)));
    this.bins = new Float32Array(bins);
    this.depth = new Float32Array(bins);
    for (const at of model.gaps) {
      const bin = Math.min(bins - 1, Math.floor((at / model.length) * bins));
      this.depth[bin] += model.votes[at];
      for (const lane of lanes) if (lane.kinds[at] >= WRONG) this.bins[bin]++;
    }
  }
}
