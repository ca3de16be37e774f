/** How the text is set: its size, and how long its lines may be. */

import { button, h } from "../../dom";
import { recall, remember } from "../kept";

const SIZES = [0.8, 0.9, 1, 1.15, 1.3, 1.5, 1.8];
/** In widths of a digit: a line of the first has about 65 letters, and of the last about 45. */
const WIDTHS: [text: string, width: string][] = [
  ["Medium", "68ch"],
  ["Wide", "96ch"],
  ["Full width", "none"],
  ["Narrow", "48ch"],
];
const NAME = "reading";

export class Reading {
  readonly element: HTMLElement;
  private size = SIZES.indexOf(1);
  private width = 0;
  private readonly lines = button("", () => this.widen());

  /** `changed` is called when the text has to be set anew. */
  constructor(
    private readonly owner: string,
    private readonly page: HTMLElement,
    private readonly changed: () => void,
  ) {
    const [size = -1, width = -1] = recall(owner, NAME)?.split(" ").map(Number) ?? [];
    if (SIZES[size]) this.size = size;
    if (WIDTHS[width]) this.width = width;
    this.element = h(
      "div",
      { class: "group", role: "group", "aria-label": "Text" },
      button("A−", () => this.grow(-1), { "aria-label": "Smaller text" }),
      button("A+", () => this.grow(1), { "aria-label": "Larger text" }),
      this.lines,
    );
    this.apply();
  }

  grow(step: 1 | -1): void {
    if (SIZES[this.size + step] === undefined) return;
    this.size += step;
    this.keep();
  }

  private widen(): void {
    this.width = (this.width + 1) % WIDTHS.length;
    this.keep();
  }

  private keep(): void {
    remember(this.owner, NAME, `${this.size} ${this.width}`);
    this.apply();
    this.changed();
  }

  private apply(): void {
    const [text, width] = WIDTHS[this.width] ?? ["", "none"];
    this.lines.textContent = text;
    this.lines.setAttribute("aria-label", `Width of the text: ${text.toLowerCase()}`);
    this.page.style.setProperty("--scale", String(SIZES[this.size] ?? 1));
    this.page.style.setProperty("--text-width", width);
  }
}
