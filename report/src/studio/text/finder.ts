/** Finding words in a text. */

import { SearchBox } from "../../dom";
import type { Text } from "./text";

export class Finder {
  private readonly box: SearchBox;
  private places: number[] = [];
  private isHit = new Uint8Array(0);

  /** `changed` is called when other words are found, `left` when the box is left, to go there. */
  constructor(
    private readonly text: Text,
    private readonly changed: () => void,
    private readonly left: (goes: boolean) => void,
  ) {
    this.box = new SearchBox("words", () => this.find());
    this.box.input.addEventListener("keydown", (event) => this.pressed(event));
  }

  get element(): HTMLElement {
    return this.box.element;
  }

  readonly has = (word: number): boolean => this.isHit[word] === 1;

  focus(): void {
    this.box.input.focus();
    this.box.input.select();
  }

  /** The first place after a word, from the beginning again where there is none. */
  next(after: number): number | undefined {
    const at = this.places.findIndex((place) => place > after);
    this.box.tell(Math.max(0, at) + 1, this.places.length);
    return this.places[Math.max(0, at)];
  }

  private pressed(event: KeyboardEvent): void {
    if (event.key !== "Enter" && event.key !== "Escape") return;
    event.preventDefault();
    event.stopPropagation();
    this.left(event.key === "Enter");
  }

  private find(): void {
    const parts = this.box.phrase.split(/\s+/).filter(Boolean);
    this.isHit = new Uint8Array(this.text.length);
    this.places = [];
    for (let at = 0; parts.length && at < this.text.length; at++) {
      if (!this.matches(at, parts)) continue;
      this.places.push(at);
      this.isHit.fill(1, at, at + parts.length);
    }
    this.box.tell(this.places.length ? 1 : 0, this.places.length);
    this.changed();
  }

  /** One word may be a part of a word; of several, only the last may be unfinished. */
  private matches(at: number, parts: string[]): boolean {
    const word = (offset: number) => (this.text.words[at + offset] ?? "").toLowerCase();
    const [only, second] = parts;
    if (second === undefined) return word(0).includes(only ?? "");
    return parts.every((part, offset) =>
      offset === parts.length - 1 ? word(offset).startsWith(part) : word(offset) === part,
    );
  }
}
