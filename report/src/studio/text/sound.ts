/**
 * The sound of a document: played from a word, slower or faster, with the word that is heard.
 *
 * Words of a cue have no times of their own: they are played and heard as a whole.
 */

import { button, h } from "../../dom";
import { Reaction, USUAL } from "./reaction";
import type { Sheet } from "./sheet";
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
    step: "any",
    value: 0,
    "aria-label": "Place in the sound",
    input: () => this.seek(Number(this.place.value)),
  });
  private readonly clock = h("span.clock", "0:00");
  private readonly delay = h("span.reaction");
  private readonly reaction: Reaction;
  private last = 0;
  /** Where to stop, in seconds. */
  private until = Infinity;
  private readonly text: Text;
  readonly element: HTMLElement;

  /** It is played from the cursor of the sheet, which shows what is heard. */
  constructor(
    src: string,
    owner: string,
    private readonly sheet: Sheet,
  ) {
    this.text = sheet.text;
    this.audio = h("audio", { src, preload: "metadata", play: () => this.follow() });
    for (const name of ["play", "pause", "durationchange", "timeupdate"])
      this.audio.addEventListener(name, () => this.tell());
    this.reaction = new Reaction(owner, sheet.text);
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
    const { own } = this.reaction;
    const [seconds, kind] = own === undefined ? [USUAL, "assumed"] : [own, "measured"];
    this.delay.textContent = `reaction ${Math.round(seconds * 1000)} ms, ${kind}`;
    const word = this.wordAt(currentTime - seconds * playbackRate);
    return this.text.cues.has(word) ? undefined : word;
  }

  /** Go on from a word, if the sound is being played. */
  follows(word: number): void {
    const start = this.text.start[word];
    if (this.isPlaying && start !== undefined) this.seek(start / MICRO);
  }

  private seek(seconds: number): void {
    this.until = Infinity;
    this.last = Math.max(0, seconds);
    this.audio.currentTime = this.last;
    this.tell();
  }

  private tell(): void {
    const { currentTime, duration, paused } = this.audio;
    this.toggle.textContent = paused ? "Play" : "Pause";
    if (paused) this.sheet.hear(-1, -1);
    if (Number.isFinite(duration)) this.place.max = String(duration);
    this.place.value = String(currentTime);
    const whole = Math.floor(currentTime);
    const text = `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
    this.place.setAttribute("aria-valuetext", text);
    this.clock.textContent = text;
  }

  /** Play from the word before the cursor, or pause. */
  play(): void {
    const start = this.text.start[this.sheet.cursor];
    if (this.isPlaying) this.audio.pause();
    else this.begin(start === undefined ? this.audio.currentTime : start / MICRO);
  }

  /** Play what is said around a gap and stop, or pause. */
  around(gap: number): void {
    const { start, end, cues } = this.text;
    const [before, after] = [start[gap], start[gap + 1]];
    if (this.isPlaying || before === undefined || after === undefined) return this.play();
    const from = before / MICRO - (cues.has(gap) ? 0 : AROUND);
    const isCue = cues.has(gap + 1);
    this.begin(from, isCue ? (end[gap + 1] ?? after) / MICRO : after / MICRO + AROUND);
  }

  repeat(): void {
    this.begin(this.audio.currentTime - BACK);
  }

  shift(step: 1 | -1): void {
    const at = RATES.indexOf(this.audio.playbackRate) + step;
    this.audio.playbackRate = RATES[at] ?? this.audio.playbackRate;
    this.rate.textContent = `${this.audio.playbackRate}×`;
  }

  private begin(seconds: number, until = Infinity): void {
    this.seek(seconds);
    this.until = until;
    this.audio.play().catch((problem: unknown) => {
      const isPaused = problem instanceof DOMException && problem.name === "AbortError";
      if (!isPaused) this.rate.textContent = "the sound cannot be played";
    });
  }

  private follow(): void {
    if (!this.isPlaying) return;
    const { currentTime, playbackRate } = this.audio;
    if (currentTime >= this.until) return this.audio.pause();
    const passed = (currentTime - this.last) / playbackRate;
    if (passed > 0 && passed < 1) this.reaction.listened += passed;
    this.last = currentTime;
    const word = this.wordAt(currentTime);
    this.sheet.hear(...(this.text.cues.get(word) ?? [word, word]));
    requestAnimationFrame(() => this.follow());
  }

  /** The last word that has begun at a time in seconds. */
  private wordAt(seconds: number): number {
    return this.text.start.findLastIndex((each) => each <= seconds * MICRO);
  }
}
