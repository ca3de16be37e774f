/** Acts on one document that can be taken back without end: an undo is an act like any other. */

import type { Past } from "../wire";

export type Step = Past["steps"][number];

export class History {
  private readonly done: Step[] = [];
  private undone: Step[] = [];

  /** Take over what was done before the page was opened, without what was taken back since. */
  constructor({ steps }: Past) {
    for (const step of steps) {
      const last = this.done.at(-1);
      const isBack = last?.kind === step.kind && last.gap === step.gap;
      if (isBack && last.before === step.value) this.done.pop();
      else this.done.push(step);
    }
  }

  add(step: Step): void {
    this.done.push(step);
    this.undone = [];
  }

  /** The step back, which puts there what was before. */
  undo(): Step | undefined {
    const step = this.done.pop();
    if (step) this.undone.push(step);
    return step && { ...step, value: step.before };
  }

  redo(): Step | undefined {
    const step = this.undone.pop();
    if (step) this.done.push(step);
    return step;
  }
}
