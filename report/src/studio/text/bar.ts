/** The buttons above the text: they do what the keys do. */

import { button, h } from "../../dom";
import { type Mark, signOf, told } from "../wire";
import { bindingsOf, type Command } from "./keys";

/** The texts of buttons, and their names where these are others. */
const TEXTS = {
  breaks: ["Lines", "Units on lines of their own"],
  help: ["Keys"],
  unsure: ["Unsure"],
  comment: ["Comment"],
  undo: ["Undo"],
  redo: ["Redo"],
  previousOpen: ["‹", "Previous open dispute"],
  nextOpen: ["Next ›", "Next open dispute"],
  previousDispute: ["‹", "Previous dispute"],
  nextDispute: ["Next ›", "Next dispute"],
  remove: ["×", "no boundary"],
  majority: ["Majority"],
  majorityAll: ["Majority for all that are open"],
  discuss: ["Discuss"],
} satisfies Partial<Record<Command, [text: string, name?: string]>>;

/** A button: what it does, and what it says where that depends. */
export type Tool = keyof typeof TEXTS | [command: Command, text: string, name?: string];

/** The commands that set a boundary with a mark. */
export const SETTERS: [Command, Mark][] = [
  ["toggle", ""],
  ["full", "."],
  ["question", "?"],
  ["exclamation", "!"],
  ["semicolon", ";"],
];

/** The buttons that set boundaries, of a project with or without marks. */
export function setters(hasMarks: boolean): Tool[] {
  const every = hasMarks ? SETTERS : SETTERS.slice(0, 1);
  return every.map(([command, mark]) => [command, signOf(mark), told(mark)]);
}

/** Makes groups of buttons. */
export function groups(isJudge: boolean, run: (command: Command) => void) {
  const bindings = bindingsOf(isJudge);
  const make = (tool: Tool) => {
    const [command, text, name = text] = Array.isArray(tool) ? tool : [tool, ...TEXTS[tool]];
    const binding = bindings.find((each) => each.command === command);
    const isSetter = SETTERS.some(([setter]) => setter === command);
    return button(text, () => run(command), {
      class: command === "finish" ? "main" : isSetter ? "mark" : null,
      "aria-label": name,
      "data-command": command,
      "data-hint": binding && `${binding.help} (${binding.shown})`,
    });
  };
  return (tools: Tool[]) => h("div.group", ...tools.map(make));
}
