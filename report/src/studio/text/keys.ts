/** The keys of the text, in one table: what is pressed, what it does, and how it is explained. */

export type Command =
  | "left"
  | "right"
  | "up"
  | "down"
  | "home"
  | "end"
  | "pageUp"
  | "pageDown"
  | "first"
  | "last"
  | "nextBoundary"
  | "previousBoundary"
  | "skip"
  | "skipBack"
  | "nextPause"
  | "previousPause"
  | "nextTurn"
  | "previousTurn"
  | "nextDispute"
  | "previousDispute"
  | "toggle"
  | "full"
  | "question"
  | "exclamation"
  | "semicolon"
  | "remove"
  | "comment"
  | "unsure"
  | "undo"
  | "redo"
  | "finish"
  | "find"
  | "findNext"
  | "breaks"
  | "play"
  | "repeat"
  | "slower"
  | "faster"
  | "smaller"
  | "larger"
  | "documents"
  | "help"
  | "leave";

interface Binding {
  command: Command;
  /** As the browser names them, after `Ctrl+` where that is held. */
  keys: string[];
  shown: string;
  help: string;
  group: "Move" | "Edit" | "Listen" | "Other";
}

const bind = (
  group: Binding["group"],
  command: Command,
  keys: string[],
  shown: string,
  help: string,
): Binding => ({ group, command, keys, shown, help });

export const BINDINGS: Binding[] = [
  bind("Move", "right", ["ArrowRight"], "→", "the gap to the right"),
  bind("Move", "left", ["ArrowLeft"], "←", "the gap to the left"),
  bind("Move", "up", ["ArrowUp"], "↑", "a line up"),
  bind("Move", "down", ["ArrowDown"], "↓", "a line down"),
  bind("Move", "home", ["Home"], "Home", "the beginning of the line"),
  bind("Move", "end", ["End"], "End", "the end of the line"),
  bind("Move", "pageUp", ["PageUp"], "Page Up", "a page up"),
  bind("Move", "pageDown", ["PageDown"], "Page Down", "a page down"),
  bind("Move", "first", ["Ctrl+Home"], "Ctrl Home", "the first gap"),
  bind("Move", "last", ["Ctrl+End"], "Ctrl End", "the last gap"),
  bind("Move", "nextBoundary", ["Tab", "n"], "Tab, n", "the next boundary"),
  bind("Move", "previousBoundary", ["Shift+Tab", "p"], "Shift Tab, p", "the previous boundary"),
  bind("Move", "skip", ["Ctrl+ArrowRight", "w"], "Ctrl →, w", "five gaps to the right"),
  bind("Move", "skipBack", ["Ctrl+ArrowLeft", "W"], "Ctrl ←, W", "five gaps to the left"),
  bind("Move", "nextPause", ["]"], "]", "the next pause of the speaker"),
  bind("Move", "previousPause", ["["], "[", "the previous pause"),
  bind("Move", "nextTurn", ["t"], "t", "the next speaker"),
  bind("Move", "previousTurn", ["T"], "T", "the previous speaker"),
  bind("Move", "nextDispute", ["d"], "d", "the next disagreement (after finishing)"),
  bind("Move", "previousDispute", ["D"], "D", "the previous disagreement"),
  bind("Move", "find", ["/", "Ctrl+f"], "/", "find words"),
  bind("Move", "findNext", ["Ctrl+g", "F3"], "F3", "find the next place"),
  bind("Edit", "toggle", [" ", "Enter"], "Space, Enter", "set or remove a boundary"),
  bind("Edit", "full", ["."], ".", "a boundary with a full stop"),
  bind("Edit", "question", ["?"], "?", "with a question mark"),
  bind("Edit", "exclamation", ["!"], "!", "with an exclamation mark"),
  bind("Edit", "semicolon", [";"], ";", "with a semicolon"),
  bind("Edit", "remove", ["Backspace", "Delete"], "Backspace", "remove the boundary"),
  bind("Edit", "unsure", ["q"], "q", "a boundary that you are unsure of, or no longer"),
  bind("Edit", "comment", ["c"], "c", "comment on the gap"),
  bind("Edit", "undo", ["u", "Ctrl+z"], "u, Ctrl Z", "undo"),
  bind("Edit", "redo", ["U", "Ctrl+Z", "Ctrl+y"], "U, Ctrl Shift Z", "redo"),
  bind("Edit", "finish", ["f"], "f", "finish the document, or reopen it"),
  bind("Listen", "play", ["k", "Ctrl+ "], "k, Ctrl Space", "play from the word, or pause"),
  bind("Listen", "toggle", [], "Space", "while it plays: a unit has ended at what was heard"),
  bind("Listen", "repeat", ["j"], "j", "repeat the last 3 seconds"),
  bind("Listen", "slower", ["-"], "−", "slower"),
  bind("Listen", "faster", ["+", "="], "+", "faster"),
  bind("Other", "breaks", ["b"], "b", "units on lines of their own, or running text"),
  bind("Other", "larger", ["Ctrl+ArrowUp"], "Ctrl ↑", "larger text"),
  bind("Other", "smaller", ["Ctrl+ArrowDown"], "Ctrl ↓", "smaller text"),
  bind("Other", "documents", ["g"], "g", "all documents"),
  bind("Other", "help", ["h", "F1"], "h", "these keys"),
  bind("Other", "leave", ["Escape"], "Esc", "leave the text for the buttons above it"),
];

const COMMANDS = new Map(
  BINDINGS.flatMap(({ command, keys }) => keys.map((key): [string, Command] => [key, command])),
);

/** The command of a key, if it has one. */
export function commandOf(event: KeyboardEvent): Command | undefined {
  if (event.altKey || event.isComposing) return undefined;
  const isHeld = event.ctrlKey || event.metaKey;
  const isShifted = event.shiftKey && event.key === "Tab";
  return COMMANDS.get(`${isHeld ? "Ctrl+" : ""}${isShifted ? "Shift+" : ""}${event.key}`);
}
