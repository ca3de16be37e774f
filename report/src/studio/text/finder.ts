/** Finding words in a text: a part of a word, or several words one after the other. */

import { SearchBox } from "../../dom";
import type { Sheet } from "./sheet";

export class Finder {
  private readonly box = new SearchBox("words", () => this.find());
  readonly element = this.box.element;
  private places: number[] = [];
  private isHit = new Uint8Array(0);
  /** The words as they are compared, made when something is searched for first. */
  private spelled?: string[];

  /** `left` is called when the box is left, to go to what was found or not. */
  constructor(
    private readonly sheet: Sheet,
    left: (goes: boolean) => void,
  ) {
    sheet.isHit = (word) => this.isHit[word] === 1;
    this.box.input.addEventListener("keydown", (event) => {
      if (event.isComposing || (event.key !== "Enter" && event.key !== "Escape")) return;
      event.preventDefault();
      left(event.key === "Enter");
    });
  }

  focus(): void {
    this.box.input.focus();
    this.box.input.select();
  }

  /** The first place after a word, from the beginning again where there is none. */
  next(after: number): number | undefined {
    const further = this.places.findIndex((place) => place > after);
    const at = Math.max(0, further);
    this.box.tell(at + 1, this.places.length);
    return this.places[at];
  }

  private find(): void {
    const phrase = spellingOf(this.box.phrase.split(/\s+/)).join("");
    const words = (this.spelled ??= spellingOf(this.sheet.text.words));
    const whole = phrase && words.join("");
    /** The word of each of its letters. */
    const wordOf = words.flatMap((word, at) => Array<number>(word.length).fill(at));
    this.isHit = new Uint8Array(words.length);
    this.places = [];
    for (let at = whole.indexOf(phrase); phrase && at >= 0; at = whole.indexOf(phrase, at + 1)) {
      const [first = 0, last = 0] = [wordOf[at], wordOf[at + phrase.length - 1]];
      if (this.isHit[first]) continue;
      this.places.push(first);
      this.isHit.fill(1, first, last + 1);
    }
    this.box.tell(this.places.length ? 1 : 0, this.places.length);
    this.sheet.draw();
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
