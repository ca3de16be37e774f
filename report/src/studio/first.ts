/** What an annotator is told on the first screen. */

import { button, h } from "../dom";
import { recall, remember } from "./kept";

const NAME = "told";

/** The first screen, above the documents; undefined for whoever has read it. */
export function firstScreen(owner: string, begun: () => void): HTMLElement | undefined {
  if (recall(owner, NAME)) return undefined;
  const begin = button("Begin", () => {
    remember(owner, NAME, "yes");
    element.remove();
    begun();
  });
  begin.classList.add("main");
  const key = (text: string) => h("kbd", {}, text);
  const item = (...parts: (HTMLElement | string)[]) => h("li", {}, ...parts);
  const element = h(
    "section",
    { class: "first-screen", "aria-label": "How it works" },
    h("h2", {}, "Where does one unit end and the next begin?"),
    h(
      "p",
      {},
      "A unit is what stands by itself: in most projects a sentence, or what would be one in ",
      "writing; the ",
      h("a", { href: "#/guidelines" }, "guidelines"),
      " of your project say it exactly. The words stay as they are: you only say after which ",
      "words a unit ends.",
    ),
    h(
      "ul",
      {},
      item(key("→"), " and ", key("←"), " move from gap to gap."),
      item(key("Space"), " sets a boundary at the cursor, and again removes it."),
      item("With a mouse or a finger: the space between two words does the same."),
      item(key("q"), " says that you are unsure of a boundary, ", key("u"), " undoes."),
      item(
        "If there is sound, ",
        key("k"),
        " plays it. While it plays, press ",
        key("Space"),
        " when you hear that a unit has ended; your reaction time is taken off.",
      ),
      item(key("f"), " finishes the document, ", key("h"), " shows all keys."),
    ),
    h(
      "p",
      { class: "note" },
      "Everything is saved at once. Without a connection you can go on: this browser keeps your ",
      "changes and comments until they are sent. It keeps no texts, and forgets all of it when ",
      "you sign out.",
    ),
    begin,
  );
  return element;
}
