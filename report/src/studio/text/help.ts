/** The overlay that lists all keys. */

import { h } from "../../dom";
import { choice, show } from "../dialogs";
import { BINDINGS } from "./keys";

export async function showHelp(hasSound: boolean): Promise<void> {
  const groups = ["Move", "Edit", "Listen", "Other"] as const;
  const shown = groups.filter((group) => hasSound || group !== "Listen");
  const lists = shown.map((group) =>
    h(
      "section",
      {},
      h("h3", {}, group),
      h(
        "dl",
        { class: "keys" },
        ...BINDINGS.filter((each) => each.group === group).flatMap(({ shown, help }) => [
          h("dt", {}, ...shown.split(", ").map((key) => h("kbd", {}, key))),
          h("dd", {}, help),
        ]),
      ),
    ),
  );
  const mouse = h(
    "p",
    { class: "note" },
    "With the mouse or a finger: the space between two words sets or removes a boundary, a word " +
      "moves the cursor behind it, and the buttons do what the keys do.",
  );
  await show(
    "Keys",
    [choice("Close", "", true)],
    h("div", { class: "key-groups" }, ...lists),
    mouse,
  );
}
