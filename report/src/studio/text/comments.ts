/** All comments of a document, in the order of the text. */

import { button, given, h } from "../../dom";
import { number } from "../../numbers";
import type { Text } from "./text";

export class Comments {
  private readonly list = h("ol.comments");
  private readonly title = h("h2");
  readonly element = h("aside.side", { "aria-label": "Comments" }, this.title, this.list);

  constructor(
    private readonly text: Text,
    private readonly go: (gap: number) => void,
  ) {}

  draw(): void {
    const { drawn, votes, direction: dir } = this.text;
    const found = [drawn, ...votes].flatMap(({ name, comments }) =>
      [...comments].map(([gap, comment]) => ({ name, gap, comment })),
    );
    found.sort((a, b) => a.gap - b.gap);
    this.element.hidden = !found.length;
    this.title.textContent = number(found.length, "comment");
    this.list.replaceChildren(
      ...found.map(({ name, gap, comment }) =>
        h(
          "li",
          { "data-at": gap },
          button(this.context(gap), () => this.go(gap), { class: "context", dir }),
          h("p", name && h("b", given(name), ": "), given(comment)),
        ),
      ),
    );
  }

  /** Mark the comments at a gap. */
  mark(gap: number): void {
    for (const each of this.list.querySelectorAll<HTMLElement>("li")) {
      const isHere = each.dataset.at === String(gap);
      if (isHere && !each.ariaCurrent) each.scrollIntoView({ block: "nearest" });
      each.ariaCurrent = isHere ? "true" : null;
    }
  }

  private context(gap: number): string {
    const { words } = this.text;
    const [before, after] = [
      words.slice(Math.max(0, gap - 2), gap + 1),
      words.slice(gap + 1, gap + 3),
    ];
    return `… ${before.join(" ")} | ${after.join(" ")} …`;
  }
}
