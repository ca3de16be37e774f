/** The sound of a document: played from a word, slower or faster, with the word that is heard. */

import { button, h } from "../../dom";
import type { Text } from "./text";

const MICRO = 1e6;
const BACK = 3;
const RATES = [0.5, 0.65, 0.8, 1, 1.25, 1.5, 2];

export class Sound {
  private readonly audio: HTMLAudioElement;
  private readonly rate = h("span", { class: "rate" }, "1×");
  private readonly toggle = button("Play", () => this.play(), { "data-hint": "k" });
  readonly element: HTMLElement;

  /** `cursor` is where to play from, `heard` is told the word that is heard, or -1. */
  constructor(
    url: string,
    private readonly text: Text,
    private readonly cursor: () => number,
    private readonly heard: (word: number) => void,
  ) {
    this.audio = h("audio", { src: url, preload: "metadata" });
    this.audio.addEventListener("play", () => this.follow());
    for (const name of ["play", "pause", "ended"])
      this.audio.addEventListener(name, () => this.tell());
    this.element = h(
      "div",
      { class: "group", role: "group", "aria-label": "Sound" },
      this.toggle,
      button("−3 s", () => this.repeat(), { "aria-label": "Repeat the last 3 seconds" }),
      button("−", () => this.shift(-1), { "aria-label": "Slower" }),
      this.rate,
      button("+", () => this.shift(1), { "aria-label": "Faster" }),
      this.audio,
    );
  }

  /** Play from the word before the cursor, or pause. */
  play(): void {
    if (!this.audio.paused) {
      this.audio.pause();
      return;
    }
    const start = this.text.start[this.cursor()];
    if (start !== undefined) this.audio.currentTime = start / MICRO;
    this.begin();
  }

  repeat(): void {
    this.audio.currentTime = Math.max(0, this.audio.currentTime - BACK);
    this.begin();
  }

  shift(step: 1 | -1): void {
    const at = RATES.indexOf(this.audio.playbackRate) + step;
    this.audio.playbackRate = RATES[at] ?? this.audio.playbackRate;
    this.rate.textContent = `${this.audio.playbackRate}×`;
  }

  close(): void {
    this.audio.pause();
  }

  private begin(): void {
    this.audio.play().catch((problem: unknown) => {
      const isPaused = problem instanceof DOMException && problem.name === "AbortError";
      if (!isPaused) this.rate.textContent = "the sound cannot be played";
    });
  }

  private tell(): void {
    this.toggle.textContent = this.audio.paused ? "Play" : "Pause";
    if (this.audio.paused) this.heard(-1);
  }

  private follow(): void {
    if (this.audio.paused) return;
    this.heard(this.wordAt(this.audio.currentTime * MICRO));
    requestAnimationFrame(() => this.follow());
  }

  /** The last word that has begun. */
  private wordAt(time: number): number {
    const { start } = this.text;
    let [low, high] = [0, start.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((start[middle] ?? Infinity) <= time) low = middle;
      else high = middle;
    }
    return start.length && (start[low] ?? Infinity) <= time ? low : -1;
  }
}
