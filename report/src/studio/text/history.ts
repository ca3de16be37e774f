/** Acts on one document that can be taken back without end: an undo is an act like any other. */

import type { Act, Past } from "../wire";

/** What was done, and what was there before. */
interface Step {
  act: Act;
  before: string | null;
}

export class History {
  private readonly done: Step[] = [];
  private readonly undone: Step[] = [];

  /** Take over what was done before the page was opened. */
  recall(document: number, { steps }: Past): void {
    for (const { before, ...step } of steps) {
      const last = this.done.at(-1);
      const isBack = last?.act.kind === step.kind && last.act.gap === step.gap;
      if (isBack && last.before === step.value) this.done.pop();
      else this.done.push({ act: { document, ...step }, before });
    }
  }

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
