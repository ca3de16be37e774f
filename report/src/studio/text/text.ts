/** A document on the screen: words that stay, the layer that is drawn, and what others have set. */

import { speaker } from "../../views/transcript/line";
import { directionOf } from "../../views/transcript/lines";
import {
  type Act,
  type Decision,
  type DocumentData,
  type LayerData,
  type Mark,
  MARKS,
  type Me,
  OPEN,
  UNSURE,
} from "../wire";

/** From how many seconds on a pause is one, when it is jumped to. */
const PAUSE = 0.3;

/** What somebody has: 0 is no boundary, else 1 + the number of the mark. */
export interface Layer {
  name: string;
  codes: Uint8Array;
  comments: Map<number, string>;
  /** The gaps with a boundary of which they are unsure. */
  unsure: Set<number>;
  isBlind: boolean;
}

/** What can be done: to the own layer, to one that nobody changes any more, or to the result. */
export type Phase =
  "open" | "finished" | "sealed" | "closed" | "lost" | "adjudicating" | "adjudicated";

export class Text {
  readonly id: number;
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
  phase: Phase = "open";
  /** Why the document is no longer given, if so. */
  lost = "";
  /** The layer that is drawn and changed: the own one, or the result. */
  drawn: Layer;
  /** The layers that are shown wherever they differ. */
  votes: Layer[] = [];
  /** Of judges only: who has not finished, and who has closed the document. */
  adjudication: DocumentData["adjudication"] = null;
  decisions = new Map<number, { value: Decision; by: string }>();
  /** The first and the last word of the cue of each word that has no time of its own. */
  readonly cues = new Map<number, [first: number, last: number]>();

  /** Votes are compared with their marks where a project has them. */
  constructor(
    data: DocumentData,
    private readonly me: Me,
  ) {
    this.id = data.id;
    this.words = data.shown ? data.shown.split(" ") : [];
    this.length = this.words.length;
    this.direction = directionOf(this.words);
    this.language = me.project.language || languageOf(this.words);
    this.last = this.length - 2;
    this.start = data.start;
    this.end = data.end;
    for (const cue of data.cues)
      for (let word = cue[0]; word <= cue[1]; word++) this.cues.set(word, cue);
    data.turns.forEach((who, at) => {
      if (who !== data.turns[at - 1]) this.turns.set(at, speaker(data.speakers[who]));
    });
    this.drawn = this.layer("", data.layer);
    this.reload(data);
  }

  /** Take what the server has now; words never change. */
  reload({ layer, others, result, adjudication, ...data }: DocumentData): void {
    const own = this.layer(result ? "you" : "", layer);
    const found = Object.entries(others ?? {}).map(([name, each]) => this.layer(name, each));
    this.votes = adjudication ? found : result ? [own, ...found] : [];
    this.drawn = result ? this.layer("", { boundaries: result, comments: {}, unsure: [] }) : own;
    this.adjudication = adjudication;
    this.lost = "";
    this.decisions = byGap(adjudication?.decisions ?? {});
    if (adjudication) this.phase = adjudication.closed ? "adjudicated" : "adjudicating";
    else if (data.is_closed) this.phase = "closed";
    else if (data.is_readonly) this.phase = "sealed";
    else this.phase = layer.is_finished ? "finished" : "open";
  }

  private layer(name: string, { boundaries, comments, unsure, is_blind }: LayerData): Layer {
    const codes = new Uint8Array(this.length);
    for (const [at, mark] of Object.entries(boundaries)) codes[Number(at)] = codeOf(mark);
    const isBlind = is_blind !== false;
    return { name, codes, comments: byGap(comments), unsure: new Set(unsure), isBlind };
  }

  /** How many boundaries are drawn. */
  get count(): number {
    return this.drawn.codes.reduce((sum, code) => sum + Number(code > 0), 0);
  }

  readonly has = (gap: number): boolean => (this.drawn.codes[gap] ?? 0) > 0;

  markAt(gap: number, layer: Layer = this.drawn): Mark | null {
    const code = layer.codes[gap] ?? 0;
    return code ? (MARKS[code - 1] ?? "") : null;
  }

  /** How long nothing is said after a word, in seconds; not known beside words of a cue. */
  pauseAfter(word: number): number {
    const [end, next] = [this.end[word], this.start[word + 1]];
    if (end === undefined || next === undefined) return 0;
    if (this.cues.has(word) || this.cues.has(word + 1)) return 0;
    return Math.max(0, (next - end) / 1e6);
  }

  readonly isPause = (gap: number): boolean => this.pauseAfter(gap) >= PAUSE;

  /** Whether somebody else speaks after a gap. */
  readonly isTurn = (gap: number): boolean => this.turns.has(gap + 1);

  /** Whether anybody has something else than is drawn, or a gap is to be discussed. */
  readonly isDisputed = (gap: number): boolean => {
    const seen = ({ codes }: Layer) => (this.me.project.marks ? codes[gap] : !codes[gap]);
    const drawn = seen(this.drawn);
    const isMeant = this.decisions.get(gap)?.value === "discuss";
    return isMeant || this.votes.some((each) => seen(each) !== drawn);
  };

  /** Whether a dispute is not decided yet. */
  readonly isOpen = (gap: number): boolean => {
    const decision = this.decisions.get(gap);
    const isDecided = decision !== undefined && decision.value !== "discuss";
    return this.phase === "adjudicating" && !isDecided && this.isDisputed(gap);
  };

  /** All gaps with a property. */
  gaps(test: (gap: number) => boolean): number[] {
    return Array.from({ length: Math.max(0, this.length - 1) }, (_, gap) => gap).filter(test);
  }

  /** What an act would replace. */
  valueAt({ kind, gap }: Pick<Act, "kind" | "gap">): string | null {
    const mark = this.markAt(gap);
    if (kind === "set") return this.drawn.unsure.has(gap) ? `${mark}${UNSURE}` : mark;
    if (kind === "comment") return this.drawn.comments.get(gap) ?? null;
    if (kind === "state") return this.phase;
    const decision = this.decisions.get(gap);
    return decision ? decision.value : OPEN;
  }

  /** Do what an act says; whether that changes anything. */
  take({ kind, gap, value }: Act): boolean {
    if (this.valueAt({ kind, gap }) === value) return false;
    if (kind === "state") this.phase = value === "finished" ? "finished" : "open";
    else if (kind === "comment" && value) this.drawn.comments.set(gap, value);
    else if (kind === "comment") this.drawn.comments.delete(gap);
    else if (kind === "decide") this.decide(gap, value);
    else this.set(gap, value);
    return true;
  }

  private set(gap: number, value: string | null): void {
    this.drawn.codes[gap] = codeOf(value?.replace(UNSURE, "") ?? null);
    if (value?.endsWith(UNSURE)) this.drawn.unsure.add(gap);
    else this.drawn.unsure.delete(gap);
  }

  /** A gap that is not decided has a boundary if all have one there. */
  private decide(gap: number, value: string | null): void {
    if (value === OPEN) this.decisions.delete(gap);
    else this.decisions.set(gap, { value: value as Decision, by: "you" });
    const all = this.votes.length;
    if (value === OPEN || value === "discuss") this.drawn.codes[gap] = this.voted(gap, all);
    else if (value === "majority") this.drawn.codes[gap] = this.voted(gap, (all >> 1) + 1);
    else this.drawn.codes[gap] = codeOf(value);
  }

  /** The most frequent code of a boundary if so many have one; or 0. */
  private voted(gap: number, needed: number): number {
    const codes = this.votes.map((each) => each.codes[gap] ?? 0).filter(Boolean);
    if (codes.length < needed) return 0;
    const times = (code: number) => codes.filter((each) => each === code).length;
    const [most = 0] = codes.sort((a, b) => times(b) - times(a) || a - b);
    return most;
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

function byGap<T>(found: Record<string, T>): Map<number, T> {
  return new Map(Object.entries(found).map(([gap, each]) => [Number(gap), each]));
}

/** Scripts that (almost) only one language has, Japanese before Chinese. */
const SCRIPTS =
  "Hira Kana Hani Hang Thai Laoo Khmr Mymr Grek Geor Armn Taml Telu Knda Mlym Gujr Sinh";
const LOOKED_AT = 2000;

/** "" says that the language is not known: better than to be read out in a wrong one. */
function languageOf(words: string[]): string {
  const text = words.slice(0, LOOKED_AT).join("");
  const letters = [...text].filter((each) => /\p{L}/u.test(each));
  const found = SCRIPTS.split(" ").find((script) => {
    const own = new RegExp(`\\p{Script=${script}}`, "u");
    const least = /Hira|Kana/.test(script) ? 0.1 : 0.5;
    return letters.filter((each) => own.test(each)).length > least * letters.length;
  });
  return found ? new Intl.Locale(`und-${found}`).maximize().language : "";
}
