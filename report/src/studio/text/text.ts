/** A document as it is edited: words that stay, and a boundary, a mark or a comment at gaps. */

import { speaker } from "../../views/transcript/line";
import { directionOf } from "../../views/transcript/lines";
import { type Act, type DocumentData, type LayerData, type Mark, MARKS, UNSURE } from "../wire";
import { languageOf } from "./language";

/** From how many seconds on a pause is one, when it is jumped to. */
const PAUSE = 0.3;

/** What somebody has: 0 is no boundary, else 1 + the number of the mark. */
export interface Layer {
  name: string;
  codes: Uint8Array;
  comments: Map<number, string>;
  /** The gaps with a boundary of which they are unsure. */
  unsure: Set<number>;
}

export class Text {
  readonly id: number;
  readonly name: string;
  readonly words: string[];
  readonly length: number;
  readonly direction: "ltr" | "rtl";
  /** The language of the words, "" if it is not known. */
  readonly language: string;
  /** The last gap; the last word has none. */
  readonly last: number;
  /** Who begins to speak at which word. */
  readonly turns = new Map<number, string>();
  readonly start: number[];
  readonly end: number[];
  own: Layer;
  others: Layer[] | null = null;
  isFinished = false;
  /** Whether others could be shown, if that is asked for. */
  hasOthers = false;
  isClosed = false;
  isReadonly = false;
  isSealed = false;
  /** How many boundaries there are. */
  count = 0;

  /** Whoever only looks on has no say before they set a boundary. */
  constructor(
    data: DocumentData,
    private readonly isOnlooker = false,
    language = "",
  ) {
    this.id = data.id;
    this.name = data.name;
    this.words = data.shown ? data.shown.split(" ") : [];
    this.length = this.words.length;
    this.direction = directionOf(this.words);
    this.language = language || languageOf(this.words);
    this.last = this.length - 2;
    this.start = data.start;
    this.end = data.end;
    this.findTurns(data);
    this.own = this.layer("", data.layer);
    this.reload(data);
  }

  /** Take what the server has now; words never change. */
  reload({ layer, others, is_readonly, is_closed, ...more }: DocumentData): void {
    this.hasOthers = more.has_others === true && more.is_free && !is_readonly;
    this.isClosed = is_closed;
    this.isReadonly = is_readonly;
    this.isSealed = layer.state === "sealed";
    this.own = this.layer("", layer);
    this.count = Object.keys(layer.boundaries).length;
    this.isFinished = layer.is_finished || is_readonly || is_closed;
    this.others = others && Object.entries(others).map(([name, each]) => this.layer(name, each));
  }

  private layer(name: string, { boundaries, comments, unsure }: LayerData): Layer {
    const codes = new Uint8Array(this.length);
    for (const [at, mark] of Object.entries(boundaries)) codes[Number(at)] = codeOf(mark);
    const pairs = Object.entries(comments).map(([at, text]): [number, string] => [
      Number(at),
      text,
    ]);
    return { name, codes, comments: new Map(pairs), unsure: new Set(unsure) };
  }

  private findTurns({ speakers, turns }: DocumentData): void {
    turns.forEach((who, at) => {
      if (who !== turns[at - 1]) this.turns.set(at, speaker(speakers[who] ?? ""));
    });
  }

  has(gap: number): boolean {
    return (this.own.codes[gap] ?? 0) > 0;
  }

  markAt(gap: number, layer: Layer = this.own): Mark | null {
    const code = layer.codes[gap] ?? 0;
    return code ? (MARKS[code - 1] ?? "") : null;
  }

  /** The boundary at a gap as events have it: its mark, and whether it is unsure. */
  signedAt(gap: number): string | null {
    const mark = this.markAt(gap);
    return mark !== null && this.own.unsure.has(gap) ? `${mark}${UNSURE}` : mark;
  }

  /** How long nothing is said after a word, in seconds. */
  pauseAfter(word: number): number {
    const [end, next] = [this.end[word], this.start[word + 1]];
    return end === undefined || next === undefined ? 0 : Math.max(0, (next - end) / 1e6);
  }

  readonly isPause = (gap: number): boolean => this.pauseAfter(gap) >= PAUSE;

  /** Whether somebody else speaks after a gap. */
  readonly isTurn = (gap: number): boolean => this.turns.has(gap + 1);

  /** What an act would replace. */
  valueAt({ kind, gap }: Act): string | null {
    if (kind === "set") return this.signedAt(gap);
    if (kind === "comment") return this.own.comments.get(gap) ?? null;
    return this.isFinished ? "finished" : "open";
  }

  /** Do what an act says; whether a boundary has come or gone. */
  take({ kind, gap, value }: Act): boolean {
    if (kind === "state") this.isFinished = value === "finished";
    else if (kind === "comment" && value) this.own.comments.set(gap, value);
    else if (kind === "comment") this.own.comments.delete(gap);
    if (kind !== "set") return false;
    const had = this.has(gap);
    const isUnsure = value?.endsWith(UNSURE) ?? false;
    this.own.codes[gap] = codeOf(isUnsure ? (value?.slice(0, -1) ?? null) : value);
    if (isUnsure) this.own.unsure.add(gap);
    else this.own.unsure.delete(gap);
    this.count += Number(this.has(gap)) - Number(had);
    return had !== this.has(gap);
  }

  /** Whether some of those who are shown have a boundary, and some have none. */
  isDisputed(gap: number): boolean {
    const others = this.others ?? [];
    const all = this.count || !this.isOnlooker ? [this.own, ...others] : others;
    return all.some(({ codes }) => !codes[gap] !== !all[0]?.codes[gap]);
  }

  /** The next gap with a property, from one on in a direction. */
  seek(from: number, step: 1 | -1, test: (gap: number) => boolean): number | undefined {
    for (let gap = from + step; gap >= 0 && gap <= this.last; gap += step)
      if (test(gap)) return gap;
    return undefined;
  }

  /** The words around a gap, as they are read out. */
  around(gap: number): string {
    const [open, close] = this.direction === "rtl" ? ["\u2068", "\u2069"] : ["", ""];
    const quoted = (word = "") => `“${open}${word}${close}”`;
    return `after ${quoted(this.words[gap])}, before ${quoted(this.words[gap + 1])}`;
  }
}

function codeOf(mark: string | null): number {
  return mark === null ? 0 : MARKS.indexOf(mark as Mark) + 1;
}
