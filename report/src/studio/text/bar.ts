/** The buttons above the text: they do what the keys do. */

import { button, h } from "../../dom";
import { hinted } from "../../hint";
import { MARKS, type Mark, signOf, told } from "../wire";
import { BINDINGS, type Command } from "./keys";

const SETTERS: Command[] = ["toggle", "full", "question", "exclamation", "semicolon"];
const OTHERS: [Command, string][] = [
  ["unsure", "Unsure"],
  ["comment", "Comment"],
  ["undo", "Undo"],
  ["redo", "Redo"],
  ["help", "Keys"],
];

export class Bar {
  readonly finish: HTMLButtonElement;
  readonly breaks: HTMLButtonElement;
  private readonly marks: HTMLButtonElement[];
  readonly element: HTMLElement;

  constructor(run: (command: Command) => void, ...more: (HTMLElement | undefined)[]) {
    const make = (command: Command, text: string, name = text): HTMLButtonElement =>
      hinted(
        button(text, () => run(command), { "aria-label": name }),
        hintOf(command),
      );
    this.marks = SETTERS.map((command, at) => {
      const mark = MARKS[at] ?? "";
      const element = make(command, signOf(mark), told(mark));
      element.classList.add("mark");
      return element;
    });
    this.finish = make("finish", "Finish");
    this.finish.classList.add("main");
    this.breaks = make("breaks", "Lines", "Units on lines of their own");
    this.element = h(
      "div",
      { class: "toolbar", role: "toolbar", "aria-label": "Boundaries" },
      h("div", { class: "group" }, ...this.marks),
      h(
        "div",
        { class: "group" },
        ...OTHERS.map(([command, text]) => make(command, text)),
        this.breaks,
      ),
      ...more.filter((each) => each !== undefined),
      h("div", { class: "group last" }, this.finish),
    );
  }

  /** Show what is at the cursor. */
  tell(mark: Mark | null, isFinished: boolean, breaks: boolean): void {
    this.marks.forEach((element, at) => {
      press(element, mark === MARKS[at]);
      element.disabled = isFinished;
    });
    press(this.breaks, breaks);
    const text = isFinished ? "Reopen" : "Finish";
    this.finish.classList.toggle("main", !isFinished);
    if (this.finish.textContent === text) return;
    this.finish.textContent = text;
    this.finish.setAttribute("aria-label", text);
  }

  focus(): void {
    (this.marks[0]?.disabled ? this.finish : this.marks[0])?.focus();
  }
}

/** What is not changed is not drawn again. */
function press(element: HTMLElement, isPressed: boolean): void {
  const text = String(isPressed);
  if (element.getAttribute("aria-pressed") !== text) element.setAttribute("aria-pressed", text);
}

function hintOf(command: Command): string {
  const found = BINDINGS.find((each) => each.command === command);
  return found ? `${found.help} (${found.shown})` : "";
}
