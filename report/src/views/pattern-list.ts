/** Patterns of errors with counts, and beside them the cases of the one that is chosen. */

import { type Child, h } from "../dom";
import { grouped, number } from "../numbers";

/** How often it occurs, what it is, and the first cases of it. */
export interface Occurring {
  times: number;
  told: () => Child[];
  cases: () => Child[][];
}

export class PatternBrowser {
  readonly elements: HTMLElement[];
  private readonly list = h("div.patterns");
  private readonly told = h("p.told", { role: "status" });
  private readonly cases = h("div.cases", {
    role: "region",
    "aria-label": "Cases",
    "aria-live": "polite",
  });

  constructor(
    private readonly noun: string,
    private readonly none: string,
  ) {
    this.elements = [this.told, h("div.browser", this.list, this.cases)];
  }

  /** Show patterns; bars are measured by the most of any, and some are not on the page. */
  fill(kept: Occurring[], { most, all }: { most: number; all: number }, left: number): void {
    this.list.replaceChildren(...kept.map((each) => this.row(each, most)));
    const sum = kept.reduce((before, { times }) => before + times, 0);
    this.told.textContent =
      `${number(kept.length, "pattern")}: ${grouped(sum)} of ${number(all, this.noun)}.` +
      (left > 0
        ? ` ${number(left, "rarer pattern")} not on this page; --errors FILE writes all.`
        : "");
    const first = this.list.querySelector<HTMLElement>("button");
    if (first) first.click();
    else this.cases.replaceChildren(h("p.note", this.none));
  }

  private row(each: Occurring, most: number): HTMLElement {
    const bar = h("i.fill");
    bar.style.width = `${Math.max(1.5, (each.times / most) * 100)}%`;
    const element = h(
      "button.pattern",
      {
        type: "button",
        "aria-pressed": "false",
        click: () => this.choose(each, element),
      },
      h("span.times", grouped(each.times)),
      h("span.what", ...each.told()),
      h("span.bar", { "aria-hidden": true }, bar),
    );
    return element;
  }

  private choose(each: Occurring, pressed: HTMLElement): void {
    this.list
      .querySelectorAll("[aria-pressed=true]")
      .forEach((other) => other.setAttribute("aria-pressed", "false"));
    pressed.setAttribute("aria-pressed", "true");
    const cases = each.cases();
    const count =
      cases.length < each.times
        ? `the first ${cases.length} of ${grouped(each.times)}`
        : number(each.times, "case");
    this.cases.replaceChildren(
      h("h3", ...each.told()),
      h("p.note", count),
      h("ol", ...cases.map((parts) => h("li", ...parts))),
    );
  }
}

/** What is wrong, with what is before and after it. */
export function around(one: { before: string; after: string }, wrong: HTMLElement): HTMLElement {
  return h(
    "span",
    h("bdi.context", one.before),
    " ",
    h("b", wrong),
    " ",
    h("bdi.context", one.after),
  );
}
