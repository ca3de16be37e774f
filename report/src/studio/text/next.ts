/** What comes after a document that is finished. */

import { h } from "../../dom";
import { number } from "../../numbers";
import { ask } from "../api";
import { choice, show } from "../dialogs";
import type { Listed } from "../wire";

/** The number of the next document to work on, if there is one and it is wanted. */
export async function nextAfter(id: number): Promise<number | undefined> {
  const all = await ask<Listed[]>("/api/documents").catch((): Listed[] => []);
  const at = all.findIndex((each) => each.id === id);
  const next = [...all.slice(at + 1), ...all.slice(0, Math.max(0, at))].find(isOpen);
  if (!next) return undefined;
  const left = all.filter(isOpen).length;
  const facts = `${number(next.words, "word")}${next.acts ? ", begun" : ""}; ${number(left, "document")} to go.`;
  const choices = [choice("Next document", "next", true), choice("Stay here", "")];
  const answer = await show(
    "Finished",
    choices,
    h("p", {}, "Next is ", h("b", {}, next.name), ": ", facts),
  );
  return answer === "next" ? next.id : undefined;
}

function isOpen({ is_finished, is_closed }: Listed): boolean {
  return !is_finished && !is_closed;
}
