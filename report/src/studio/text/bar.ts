/** The buttons above the text: they do what the keys do. */

import { button, h } from "../../dom";
import { hinted } from "../../hint";
import { type Mark, signOf, told } from "../wire";
import { type Command, hintOf } from "./keys";

/** A button: what it does, its text, and its name where that is another. */
export type Tool = [command: Command, text: string, name?: string];

/** The commands that set a boundary with a mark. */
export const SETTERS: [Command, Mark][] = [
  ["toggle", ""],
  ["full", "."],
  ["question", "?"],
  ["exclamation", "!"],
  ["semicolon", ";"],
];

/** What is there for everybody. */
const GENERAL: Tool[] = [
  ["breaks", "Lines", "Units on lines of their own"],
  ["help", "Keys"],
];

/** The buttons that set boundaries, of a project with or without marks. */
export function setters(hasMarks: boolean): Tool[] {
  const every = hasMarks ? SETTERS : SETTERS.slice(0, 1);
  return every.map(([command, mark]) => [command, signOf(mark), told(mark)]);
}

export class Bar {
  private readonly buttons = new Map<Command, HTMLButtonElement>();
  readonly element: HTMLElement;

  /** Groups of buttons, whatever else there is, and the buttons at the end, the main one last. */
  constructor(
    private readonly run: (command: Command) => void,
    private readonly isJudge: boolean,
    groups: Tool[][],
    more: (HTMLElement | undefined)[],
    ends: Tool[],
  ) {
    const last = ends.map((tool) => this.make(tool));
    last.at(-1)?.classList.add("main");
    this.element = h(
      "div.toolbar",
      { role: "toolbar", "aria-label": "Boundaries" },
      ...groups.map((tools) => h("div.group", ...tools.map((tool) => this.make(tool)))),
      h("div.group.general", ...GENERAL.map((tool) => this.make(tool))),
      ...more,
      h("div.group.last", ...last),
    );
  }

  private make([command, text, name = text]: Tool): HTMLButtonElement {
    const made = button(text, () => this.run(command), { "aria-label": name });
    if (SETTERS.some(([setter]) => setter === command)) made.classList.add("mark");
    this.buttons.set(command, made);
    return hinted(made, hintOf(command, this.isJudge));
  }

  /** Say whether what a button does is done; what is not changed is not drawn again. */
  press(command: Command, isPressed: boolean): void {
    const found = this.buttons.get(command);
    const text = String(isPressed);
    if (found?.getAttribute("aria-pressed") !== text) found?.setAttribute("aria-pressed", text);
  }

  focus(): void {
    this.element.querySelector("button")?.focus();
  }
}
