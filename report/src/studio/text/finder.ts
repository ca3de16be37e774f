/** Finding words in a text: a part of a word, or several words one after the other. */

import { SearchBox } from "../../dom";
import type { Text } from "./text";

export class Finder {
  private readonly box: SearchBox;
  private places: number[] = [];
  private isHit = new Uint8Array(0);
  /** The words as they are compared, made when something is searched for first. */
  private spelled?: string[];

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
    if (event.isComposing || (event.key !== "Enter" && event.key !== "Escape")) return;
    event.preventDefault();
    event.stopPropagation();
    this.left(event.key === "Enter");
  }

  private find(): void {
    const phrase = spellingOf(this.box.phrase.split(/\s+/)).join("");
    const words = (this.spelled ??= spellingOf(this.text.words));
    const whole = phrase ? words.join("") : "";
    this.isHit = new Uint8Array(this.text.length);
    this.places = [];
    let [word, end] = [0, words[0]?.length ?? 0];
    const follow = (place: number) => {
      while (end <= place) end += words[++word]?.length ?? Infinity;
    };
    for (let at = whole.indexOf(phrase); phrase && at >= 0;) {
      follow(at);
      const first = word;
      follow(at + phrase.length - 1);
      this.places.push(first);
      this.isHit.fill(1, first, word + 1);
      at = whole.indexOf(phrase, end);
    }
    this.box.tell(this.places.length ? 1 : 0, this.places.length);
    this.changed();
  }
}

/** Scripts that write no spaces between words. */
const SPACELESS = ["Han", "Hiragana", "Katakana", "Thai", "Lao", "Khmer", "Myanmar"]
  .map((script) => `\\p{Script=${script}}`)
  .join("");
const BESIDE = new RegExp(`[${SPACELESS}] | [${SPACELESS}]`, "u");

/** Words in one form of Unicode and of case, each with the space that is written after it. */
function spellingOf(words: string[]): string[] {
  const plain = words.map((word) => word.normalize("NFC").toUpperCase());
  return plain.map((word, at) => {
    const next = plain[at + 1];
    return next === undefined || BESIDE.test(`${word} ${next}`) ? word : `${word} `;
  });
}
