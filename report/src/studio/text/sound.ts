/**
 * The sound of a document: played from a word, slower or faster, with the word that is heard.
 *
 * Words of a cue have no times of their own: they are played and heard as a whole.
 */

import { button, h } from "../../dom";
import { lastBefore, Reaction } from "./reaction";
import type { Text } from "./text";

const MICRO = 1e6;
const BACK = 3;
/** How much is played on either side of a gap, in seconds. */
const AROUND = 1.5;
const RATES = [0.5, 0.65, 0.8, 1, 1.25, 1.5, 2];

export class Sound {
  private readonly audio: HTMLAudioElement;
  private readonly rate = h("span.rate", "1×");
  private readonly toggle = button("Play", () => this.play(), { "data-hint": "Ctrl Space" });
  private readonly place = h("input.seek", {
    type: "range",
    min: 0,
    max: 1,
    step: "any",
    value: 0,
    "aria-label": "Place in the sound",
  });
  private readonly clock = h("span.clock", "0:00");
  private readonly delay = h("span.reaction");
  private readonly reaction: Reaction;
  private last = 0;
  /** Where to stop, in seconds. */
  private until = Infinity;
  readonly element: HTMLElement;

  /** `cursor` is where to play from; `heard` is told the words that are heard, or -1 twice. */
  constructor(
    url: string,
    owner: string,
    private readonly text: Text,
    private readonly cursor: () => number,
    private readonly heard: (first: number, last: number) => void,
  ) {
    this.audio = h("audio", { src: url, preload: "metadata" });
    this.audio.addEventListener("play", () => this.follow());
    this.reaction = new Reaction(owner, text);
    for (const name of ["play", "pause", "ended"])
      this.audio.addEventListener(name, () => this.tell());
    for (const name of ["durationchange", "timeupdate", "seeked"])
      this.audio.addEventListener(name, () => this.tellPlace());
    this.place.addEventListener("input", () => this.seek(Number(this.place.value)));
    this.element = h(
      "div.group",
      { role: "group", "aria-label": "Sound" },
      this.toggle,
      button("−3 s", () => this.repeat(), { "aria-label": "Repeat the last 3 seconds" }),
      button("−", () => this.shift(-1), { "aria-label": "Slower" }),
      this.rate,
      button("+", () => this.shift(1), { "aria-label": "Faster" }),
      this.place,
      this.clock,
      this.delay,
      this.audio,
    );
  }

  get isPlaying(): boolean {
    return !this.audio.paused;
  }

  /**
   * The gap that somebody means who taps now: after the word that they heard a moment ago.
   * Undefined among words without times of their own, -1 before the first word.
   */
  tapped(): number | undefined {
    const { currentTime, playbackRate } = this.audio;
    this.reaction.tap(currentTime, playbackRate);
    this.tellReaction();
    const word = this.wordAt(currentTime - this.reaction.seconds * playbackRate);
    return this.text.isInCue(word) ? undefined : word;
  }

  /** Say which reaction time is taken off. */
  private tellReaction(): void {
    const time = `${Math.round(this.reaction.seconds * 1000)} ms`;
    const kind = this.reaction.isMeasured ? "measured" : "assumed";
    this.delay.textContent = `reaction ${time}, ${kind}`;
  }

  /** Go on from a word, if the sound is being played. */
  follows(word: number): void {
    const start = this.text.start[word];
    if (this.isPlaying && start !== undefined) this.seek(start / MICRO);
  }

  private seek(seconds: number): void {
    this.until = Infinity;
    this.audio.currentTime = seconds;
    this.last = seconds;
    this.tellPlace();
  }

  private tellPlace(): void {
    const { currentTime, duration } = this.audio;
    if (Number.isFinite(duration)) this.place.max = String(duration);
    this.place.value = String(currentTime);
    const text = clockOf(currentTime);
    this.place.setAttribute("aria-valuetext", text);
    if (this.clock.textContent !== text) this.clock.textContent = text;
  }

  /** Play from the word before the cursor, or pause. */
  play(): void {
    if (this.isPlaying) return this.audio.pause();
    const start = this.text.start[this.cursor()];
    if (start !== undefined) this.seek(start / MICRO);
    this.begin();
  }

  /** Play what is said around a gap and stop, or pause. */
  around(gap: number): void {
    if (this.isPlaying) return this.audio.pause();
    const { start, end } = this.text;
    const [before, after] = [start[gap], start[gap + 1]];
    if (before === undefined || after === undefined) return this.play();
    this.seek(Math.max(0, before / MICRO - (this.text.isInCue(gap) ? 0 : AROUND)));
    const isCue = this.text.isInCue(gap + 1);
    this.until = isCue ? (end[gap + 1] ?? after) / MICRO : after / MICRO + AROUND;
    this.begin();
  }

  repeat(): void {
    this.seek(Math.max(0, this.audio.currentTime - BACK));
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
    if (this.audio.paused) this.heard(-1, -1);
  }

  private follow(): void {
    if (this.audio.paused) return;
    const { currentTime, playbackRate } = this.audio;
    if (currentTime >= this.until) return this.audio.pause();
    const passed = (currentTime - this.last) / playbackRate;
    if (passed > 0 && passed < 1) this.reaction.listen(passed);
    this.last = currentTime;
    this.heard(...this.text.cueOf(this.wordAt(currentTime)));
    requestAnimationFrame(() => this.follow());
  }

  /** The last word that has begun at a time in seconds. */
  private wordAt(seconds: number): number {
    return lastBefore(this.text.start, seconds * MICRO);
  }
}

function clockOf(seconds: number): string {
  const whole = Math.floor(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}
