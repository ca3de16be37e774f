/** The keys of the text: what is pressed, what it does, who has it, how it is explained. */

import { h } from "../../dom";
import { choice, show } from "../dialogs";
import type { Editor } from "./editor";

/** Annotators have their `own` keys; of a key, its group, command, names, look and explanation. */
const TABLE = [
  ["all", "Move", "right", ["ArrowRight"], "→", "the gap to the right"],
  ["all", "Move", "left", ["ArrowLeft"], "←", "the gap to the left"],
  ["all", "Move", "up", ["ArrowUp"], "↑", "a line up"],
  ["all", "Move", "down", ["ArrowDown"], "↓", "a line down"],
  ["all", "Move", "home", ["Home"], "Home", "the beginning of the line"],
  ["all", "Move", "end", ["End"], "End", "the end of the line"],
  ["all", "Move", "pageUp", ["PageUp"], "Page Up", "a page up"],
  ["all", "Move", "pageDown", ["PageDown"], "Page Down", "a page down"],
  ["all", "Move", "first", ["Ctrl+Home"], "Ctrl Home", "the first gap"],
  ["all", "Move", "last", ["Ctrl+End"], "Ctrl End", "the last gap"],
  ["all", "Move", "skip", ["w"], "w", "five gaps on, the way the text is read"],
  ["all", "Move", "skipBack", ["W"], "W", "five gaps back"],
  ["own", "Move", "nextBoundary", ["Tab", "n"], "Tab, n", "the next boundary"],
  ["own", "Move", "previousBoundary", ["Shift+Tab", "p"], "Shift Tab, p", "the previous boundary"],
  ["own", "Move", "nextDispute", ["d"], "d", "the next disagreement, once it is closed"],
  ["own", "Move", "previousDispute", ["D"], "D", "the previous disagreement"],
  ["judge", "Move", "nextOpen", ["n"], "n", "the next open dispute"],
  ["judge", "Move", "previousOpen", ["p"], "p", "the previous open dispute"],
  ["judge", "Move", "nextDispute", ["N"], "N", "the next dispute, open or decided"],
  ["judge", "Move", "previousDispute", ["P"], "P", "the previous dispute"],
  ["judge", "Move", "nextBoundary", ["Tab"], "Tab", "the next boundary"],
  ["judge", "Move", "previousBoundary", ["Shift+Tab"], "Shift Tab", "the previous boundary"],
  ["all", "Move", "nextPause", ["]"], "]", "the next pause of the speaker"],
  ["all", "Move", "previousPause", ["["], "[", "the previous pause"],
  ["all", "Move", "nextTurn", ["t"], "t", "the next speaker"],
  ["all", "Move", "previousTurn", ["T"], "T", "the previous speaker"],
  ["all", "Move", "find", ["/", "Ctrl+f"], "/", "find words"],
  ["all", "Move", "findNext", ["Ctrl+g", "F3"], "F3", "find the next place"],
  ["own", "Edit", "toggle", [" ", "Enter"], "Space, Enter", "set or remove a boundary"],
  ["judge", "Edit", "toggle", [" ", "Enter"], "Space, Enter", "decide for a boundary, or against"],
  ["all", "Edit", "full", ["."], ".", "a boundary with a full stop"],
  ["all", "Edit", "question", ["?"], "?", "with a question mark"],
  ["all", "Edit", "exclamation", ["!"], "!", "with an exclamation mark"],
  ["all", "Edit", "semicolon", [";"], ";", "with a semicolon"],
  ["own", "Edit", "remove", ["Backspace", "Delete"], "Backspace", "remove the boundary"],
  ["judge", "Edit", "remove", ["x", "Backspace", "Delete"], "x, Backspace", "decide against one"],
  ["judge", "Edit", "majority", ["m"], "m", "decide as the majority has it"],
  ["judge", "Edit", "majorityAll", ["M"], "M", "the same for all that are open"],
  ["judge", "Edit", "discuss", ["d"], "d", "leave it to be discussed"],
  ["own", "Edit", "unsure", ["q", "~"], "q, ~", "a boundary that you are unsure of, or no longer"],
  ["own", "Edit", "comment", ["c"], "c", "comment on the gap"],
  ["all", "Edit", "undo", ["u", "Ctrl+z"], "u, Ctrl Z", "undo"],
  ["all", "Edit", "redo", ["U", "Ctrl+Z", "Ctrl+y"], "U, Ctrl Shift Z", "redo"],
  ["own", "Edit", "finish", ["f"], "f", "finish the document, or reopen it"],
  ["judge", "Edit", "finish", ["f"], "f", "close the document, or open it again"],
  ["own", "Listen", "play", ["k", "Ctrl+ "], "k, Ctrl Space", "play from the word, or pause"],
  ["own", "Listen", "toggle", [], "Space", "while it plays: a unit has ended at what was heard"],
  ["judge", "Listen", "around", ["k"], "k", "play what is around the gap, or pause"],
  ["judge", "Listen", "play", ["Ctrl+ "], "Ctrl Space", "play from the word, or pause"],
  ["all", "Listen", "repeat", ["j"], "j", "repeat the last 3 seconds"],
  ["all", "Listen", "slower", ["-"], "−", "slower"],
  ["all", "Listen", "faster", ["+", "="], "+", "faster"],
  ["all", "Other", "breaks", ["b"], "b", "units on lines of their own, or running text"],
  ["all", "Other", "documents", ["g"], "g", "all documents"],
  ["all", "Other", "help", ["h", "F1"], "h", "these keys"],
  ["all", "Other", "leave", ["Escape"], "Esc", "leave the text for the buttons above it"],
] as const;

export type Command = (typeof TABLE)[number][2];

const BINDINGS = TABLE.map(([who, group, command, keys, shown, help]) => {
  return { who, group, command, keys, shown, help };
});

/** The keys of judges, or of annotators. */
export function bindingsOf(isJudge: boolean) {
  return BINDINGS.filter(({ who }) => who !== (isJudge ? "own" : "judge"));
}

/** The command of a key, if it has one. */
export function commandOf(event: KeyboardEvent, isJudge: boolean): Command | undefined {
  // With AltGr or Option, signs are typed, such as [ in German; what else Alt does is the browser's.
  const isSign = /^[\p{P}\p{S}]$/u.test(event.key);
  if (event.isComposing || (event.altKey && !isSign)) return undefined;
  const pressed = keyOf(event);
  return bindingsOf(isJudge).find(({ keys }) => keys.some((key) => key === pressed))?.command;
}

/** Marks of other scripts; those of full width are the same under NFKC. */
const SIGNS = new Map(
  Object.entries({ ".": "。۔।։።។။", "?": "؟՞፧\u037e", "!": "՜", ";": "؛፤·" }).flatMap(
    ([sign, others]) => [...others].map((other): [string, string] => [other, sign]),
  ),
);
/** Greek asks with the sign on its Q; Hebrew and Thai have quotes on W, and no letter. */
const IN_LAYOUT: Record<string, string> = { "KeyQ;": "?", "KeyW'": "w", 'KeyW"': "W" };
const BRACKETS: Record<string, string> = { BracketLeft: "[", BracketRight: "]" };
/** A letter or a vowel sign (some keys have several) of a script that is not Latin. */
const FOREIGN = /^(?!\p{Script=Latin})[\p{L}\p{M}]/u;
/** Arabic and Persian have these where others have capital letters. */
const FOR_CAPITAL = /^Key.[[\]‘’«»,،]$/;

/** What a key means: what it types or, if that is a letter that is not Latin, what its place has. */
function keyOf(event: KeyboardEvent): string {
  const { key, code, shiftKey } = event;
  const isHeld = (event.ctrlKey || event.metaKey) && !event.getModifierState("AltGraph");
  const plain = key.normalize("NFKC");
  let typed = IN_LAYOUT[code + key] ?? SIGNS.get(key) ?? SIGNS.get(plain) ?? plain;
  const isForeign = FOREIGN.test(typed) || (shiftKey && FOR_CAPITAL.test(code + key));
  if (isForeign) typed = /^Key([A-Z])$/.exec(code)?.[1] ?? BRACKETS[code] ?? typed;
  // What Shift does to a letter is the same with Caps Lock, and with Command, which hides it.
  if (typed.length === 1 && (isForeign || isHeld || event.getModifierState("CapsLock")))
    typed = shiftKey ? typed.toUpperCase() : typed.toLowerCase();
  const isBack = shiftKey && typed === "Tab";
  return `${isHeld ? "Ctrl+" : ""}${isBack ? "Shift+" : ""}${typed}`;
}

const MARKS: Command[] = ["full", "question", "exclamation", "semicolon"];

/** List all keys; which there are depends on who works, and on what document and project have. */
export async function showHelp({ isJudge, hasMarks, sound }: Editor): Promise<void> {
  const bindings = bindingsOf(isJudge).filter(
    ({ group, command }) => (sound || group !== "Listen") && (hasMarks || !MARKS.includes(command)),
  );
  const lists = [...Map.groupBy(bindings, ({ group }) => group)].map(([group, rows]) => {
    const keys = rows.flatMap(({ shown, help }) => [
      h("dt", ...shown.split(", ").map((key) => h("kbd", key))),
      h("dd", help),
    ]);
    const title = group === "Edit" && isJudge ? "Decide" : group;
    return h("section", h("h3", title), h("dl.keys", ...keys));
  });
  const does = isJudge ? "moves the cursor there" : "sets or removes a boundary";
  await show(
    "Keys",
    [choice("Close", "", true)],
    h("div.key-groups", ...lists),
    h(
      "p.note",
      `With the mouse or a finger: the space between two words ${does}, a word moves the cursor `,
      "behind it, and the buttons do what the keys do. Letters work in every layout: Russian т or ",
      "Arabic ى, on the key of n, is n. ؟ ？ 。 and other scripts’ marks are the marks here.",
    ),
  );
}
