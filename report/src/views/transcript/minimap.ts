/** A map of the whole transcript: where the errors are dense. */

import { color, h } from "../../dom";
import { isError, type Lane, type Model } from "./model";

const WIDTH = 56;

export class Minimap {
  readonly element = h("canvas.map", {
    "aria-hidden": true,
    title: "Density of errors; click to jump",
  });
  private bins: Float32Array = new Float32Array();
  private depth: Float32Array = new Float32Array();
  private made = "";
  private readonly ground = document.createElement("canvas");
  private colors: [string, string] = ["", ""];
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
      for (const canvas of [this.element, this.ground]) {
        canvas.width = WIDTH * ratio;
        canvas.height = height * ratio;
      }
      this.paint(this.ground.getContext("2d"), height, ratio);
      this.colors = [color("sight"), color("muted")];
    }
    const pen = this.element.getContext("2d");
    if (!pen) return;
    pen.setTransform(1, 0, 0, 1, 0, 0);
    pen.clearRect(0, 0, this.element.width, this.element.height);
    pen.drawImage(this.ground, 0, 0);
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    const tall = Math.max(4, (high - low) * height);
    [pen.fillStyle, pen.strokeStyle] = this.colors;
    pen.fillRect(0, low * height, WIDTH, tall);
    pen.strokeRect(0.5, Math.round(low * height) + 0.5, WIDTH - 1, tall - 1);
  }

  private paint(pen: CanvasRenderingContext2D | null, height: number, ratio: number): void {
    if (!pen) return;
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    const step = height / this.bins.length;
    const most = Math.max(...this.bins, 1e-9);
    const deepest = Math.max(...this.depth, 1e-9);
    const [tone, wrong] = [color("tone"), color("wrong")];
    this.bins.forEach((errors, bin) => {
      pen.fillStyle = tone;
      pen.globalAlpha = 0.75 * ((this.depth[bin] ?? 0) / deepest);
      pen.fillRect(2, bin * step, 10, Math.max(1, step - 0.6));
      pen.globalAlpha = 1;
      pen.fillStyle = wrong;
      pen.fillRect(16, bin * step, (errors / most) * (WIDTH - 18), Math.max(1, step - 0.6));
    });
  }

  /** Errors, and references' boundaries, of each part of the words. */
  private count(model: Model, lanes: Lane[], size: number): void {
    const bins = Math.min(size, Math.max(1, Math.ceil(model.length / 4)));
    this.bins = new Float32Array(bins);
    this.depth = new Float32Array(bins);
    for (const at of model.gaps) {
      const bin = Math.min(bins - 1, Math.floor((at / model.length) * bins));
      const errors = lanes.filter((lane) => isError(lane, at)).length;
      this.depth[bin] = (this.depth[bin] ?? 0) + (model.votes[at] ?? 0);
      this.bins[bin] = (this.bins[bin] ?? 0) + errors;
    }
  }
}
