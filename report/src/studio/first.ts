/** What an annotator is told on the first screen. */

import { button, type Child, h } from "../dom";
import { recall, remember } from "./kept";

const NAME = "told";
const KEYS = [
  "[→] and [←] move from gap to gap.",
  "[Space] sets a boundary at the cursor, and again removes it.",
  "With a mouse or a finger: the space between two words does the same.",
  "[q] says that you are unsure of a boundary, [u] undoes.",
  "If there is sound, [k] plays it. While it plays, press [Space] when you hear that a unit has ended; your reaction time is taken off.",
  "[f] finishes the document, [h] shows all keys.",
];

/** The first screen, above the documents; undefined for whoever has read it. */
export function firstScreen(owner: string, begun: () => void): HTMLElement | undefined {
  if (recall(owner, NAME)) return undefined;
  const begin = () => {
    remember(owner, NAME, "yes");
    element.remove();
    begun();
  };
  const element = h(
    "section.first-screen",
    { "aria-label": "How it works" },
    h("h2", "Where does one unit end and the next begin?"),
    h(
      "p",
      "A unit is what stands by itself: in most projects a sentence, or what would be one in ",
      "writing; the ",
      h("a", { href: "#/guidelines" }, "guidelines"),
      " of your project say it exactly. The words stay as they are: you only say after which ",
      "words a unit ends.",
    ),
    h("ul", ...KEYS.map((text) => h("li", ...withKeys(text)))),
    h(
      "p.note",
      "Everything is saved at once. Without a connection you can go on: this browser keeps your ",
      "changes and comments until they are sent. It keeps no texts, and forgets all of it when ",
      "you sign out.",
    ),
    button("Begin", begin, { class: "main" }),
  );
  return element;
}

/** A text with keys in brackets. */
function withKeys(text: string): Child[] {
  return text.split(/\[(.+?)\]/).map((part, at) => (at % 2 ? h("kbd", part) : part));
}
