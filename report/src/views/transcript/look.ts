/** How the reader looks at a transcript: which lanes, which filter, what was searched, where. */

import type { Hearing } from "./heard";
import { type Lane, type Model, type TestName, TESTS } from "./model";

export class Look {
  filter: TestName = "all";
  /** The system whose errors are looked at; none is any. */
  focus = "";
  /** The gap that was gone to last. */
  current = -1;
  /** The word that was gone to last. */
  word = -1;
  /** The systems that are shown. */
  lanes: Lane[] = [];
  /** The versions that are shown and whose words differ from the axis's. */
  hearers: string[] = [];
  isHit: Uint8Array;
  isKept: Uint8Array;

  constructor(
    readonly model: Model,
    readonly hidden: Set<string>,
  ) {
    this.isHit = new Uint8Array(model.length);
    this.isKept = new Uint8Array(model.length);
    this.arrange();
  }

  /** Some lanes were hidden or shown. */
  arrange(): void {
    const { lanes, references, hearings } = this.model;
    this.lanes = lanes.filter((lane) => !this.hidden.has(lane.name));
    const shown = [...references, ...this.lanes].map(({ name }) => name);
    this.hearers = shown.filter((name) => hearings.has(name));
  }

  /** What those who are shown have at a word, if it is not what is written. */
  heardAt(at: number): [string, Hearing][] {
    const { hearings } = this.model;
    return this.hearers.flatMap((name): [string, Hearing][] => {
      const found = hearings.get(name)?.get(at);
      return found ? [[name, found]] : [];
    });
  }

  /** The words on which somebody who is shown differs. */
  misheard(): number[] {
    const places = new Set<number>();
    for (const name of this.hearers)
      for (const at of this.model.hearings.get(name)?.keys() ?? []) places.add(at);
    return Array.from(places).sort((a, b) => a - b);
  }

  /** The systems whose errors are looked at. */
  get chosen(): Lane[] {
    return this.focus ? this.model.lanes.filter((lane) => lane.name === this.focus) : this.lanes;
  }

  /** Whether there is anything to see at a gap. */
  isGap(at: number): boolean {
    return !!this.model.votes[at] || this.lanes.some((lane) => lane.kinds[at]);
  }

  isDim(at: number): boolean {
    return this.filter !== "all" && !this.isKept[at];
  }

  /** The gaps that pass a test. */
  passing(name: TestName): number[] {
    const { model, chosen } = this;
    const { test } = TESTS[name];
    return Array.from(model.gaps).filter((at) => test(model, at, chosen) && this.isGap(at));
  }

  /** Find the gaps that the filter keeps; it is asked of all only where it leaves some out. */
  keep(): number[] {
    if (this.filter === "all") return [];
    const kept = this.passing(this.filter);
    this.isKept = new Uint8Array(this.model.length);
    for (const at of kept) this.isKept[at] = 1;
    return kept;
  }

  /** Whether the transcript has what a filter asks for. */
  has(name: TestName): boolean {
    const { lanes, references, questions } = this.model;
    const { needs } = TESTS[name];
    if (needs === "systems") return lanes.length > 0;
    if (needs === "two") return lanes.length > 1;
    if (needs === "references") return references.length > 1;
    return needs !== "questions" || questions.includes(1);
  }
}
