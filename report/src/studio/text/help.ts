/** The overlay that lists all keys. */

import { h } from "../../dom";
import { choice, show } from "../dialogs";
import { bindingsOf, type Command, GROUPS } from "./keys";

const MARKS: Command[] = ["full", "question", "exclamation", "semicolon"];

/** Which keys there are depends on who works, and on what the document and the project have. */
export async function showHelp(has: {
  sound: boolean;
  marks: boolean;
  isJudge: boolean;
}): Promise<void> {
  const bindings = bindingsOf(has.isJudge).filter(
    ({ group, command }) =>
      (has.sound || group !== "Listen") && (has.marks || !MARKS.includes(command)),
  );
  const lists = GROUPS.map((group) => {
    const rows = bindings.filter((each) => each.group === group);
    const keys = rows.flatMap(({ shown, help }) => [
      h("dt", ...shown.split(", ").map((key) => h("kbd", key))),
      h("dd", help),
    ]);
    const title = group === "Edit" && has.isJudge ? "Decide" : group;
    return rows.length && h("section", h("h3", title), h("dl.keys", ...keys));
  });
  const mouse = has.isJudge
    ? "the space between two words moves the cursor there"
    : "the space between two words sets or removes a boundary";
  await show(
    "Keys",
    [choice("Close", "", true)],
    h("div.key-groups", ...lists.filter((list) => list !== 0)),
    h(
      "p.note",
      `With the mouse or a finger: ${mouse}, a word moves the cursor behind it, and the buttons do `,
      "what the keys do. Letters work in every layout: Russian т or Arabic ى, on the key of n, ",
      "is n. ؟ ？ 。 and other scripts’ marks are the marks here.",
    ),
  );
}
