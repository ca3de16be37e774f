/** All comments of a document, in the order of the text. */

import { button, given, h } from "../../dom";
import { number } from "../../numbers";
import type { Text } from "./text";

export class Comments {
  readonly element = h("aside.side", { "aria-label": "Comments" });

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
    const items = found.map(({ name, gap, comment }) =>
      h(
        "li",
        { "data-at": gap },
        button(this.context(gap), () => this.go(gap), { class: "context", dir }),
        h("p", name && h("b", given(name), ": "), given(comment)),
      ),
    );
    this.element.hidden = !found.length;
    const title = h("h2", number(found.length, "comment"));
    this.element.replaceChildren(title, h("ol.comments", ...items));
  }

  /** Mark the comments at a gap. */
  mark(gap: number): void {
    for (const each of this.element.querySelectorAll<HTMLElement>("li")) {
      const isHere = each.dataset.at === String(gap);
      if (isHere && !each.ariaCurrent) each.scrollIntoView({ block: "nearest" });
      each.ariaCurrent = isHere ? "true" : null;
    }
  }

  private context(gap: number): string {
    const { words } = this.text;
    const parts = [words.slice(Math.max(0, gap - 2), gap + 1), words.slice(gap + 1, gap + 3)];
    return `… ${parts.map((each) => each.join(" ")).join(" | ")} …`;
  }
}
