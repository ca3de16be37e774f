/** Acts on one document that can be taken back without end: an undo is an act like any other. */

import type { Act } from "../wire";

/** What was done, and what was there before. */
interface Step {
  act: Act;
  before: string | null;
}

export class History {
  private readonly done: Step[] = [];
  private readonly undone: Step[] = [];

  add(act: Act, before: string | null): void {
    this.done.push({ act, before });
    this.undone.length = 0;
  }

  /** The act that takes back the last one. */
  undo(): Act | undefined {
    const step = this.done.pop();
    if (!step) return undefined;
    this.undone.push(step);
    return { ...step.act, value: step.before };
  }

  /** The act that was taken back last. */
  redo(): Act | undefined {
    const step = this.undone.pop();
    if (!step) return undefined;
    this.done.push(step);
    return step.act;
  }
}
