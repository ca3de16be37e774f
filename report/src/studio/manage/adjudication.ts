/** What judges do with a document: decide its disputes, close it, and open it again. */

import { number } from "../../numbers";
import { act, ask } from "../api";
import { confirmed } from "../dialogs";
import { editing } from "../text/annotating";
import { setters } from "../text/bar";
import type { Commands, Editor, Work } from "../text/editor";
import type { Decision } from "../wire";

export function adjudicating(editor: Editor): Work {
  const { text } = editor;
  const decide = (value: Decision) =>
    text.votes.length
      ? editor.act("decide", value)
      : editor.say("Nobody has finished yet: there is nothing to decide.");
  return {
    commands: {
      ...editing(editor, decide),
      ...among(editor),
      toggle: () => decide(text.has(editor.cursor) && !text.isOpen(editor.cursor) ? null : ""),
      remove: () => decide(null),
      majority: () => decide("majority"),
      majorityAll: () => decideAll(editor),
      discuss: () => decide("discuss"),
      finish: () => close(editor),
    },
    tools: [
      ["previousOpen", "nextOpen"],
      [...setters(editor.hasMarks), "remove"],
      ["majority", "discuss"],
      ["undo", "redo"],
    ],
    ends: ["majorityAll", ["finish", "Close…"]],
  };
}

/** The result of a closed document is read, with the votes and decisions that it rests on. */
export function judged(editor: Editor): Work {
  return {
    commands: { ...among(editor), finish: () => reopen(editor) },
    tools: [["previousDispute", "nextDispute"]],
    ends: [["finish", "Open again"]],
    refusal: "This document is closed; open it again to decide anew.",
  };
}

/** Ways from dispute to dispute, from the other end again after the last. */
function among(editor: Editor): Commands {
  const { text } = editor;
  const go = (way: 1 | -1, test: (gap: number) => boolean, none: string) => () =>
    editor.seek(way, test, none, true);
  const disputed = (way: 1 | -1) => go(way, text.isDisputed, "Nothing is in dispute.");
  const open = (way: 1 | -1) => go(way, text.isOpen, "No dispute is open.");
  const first = text.phase === "adjudicated" ? disputed : open;
  return {
    nextOpen: first(1),
    previousOpen: first(-1),
    nextDispute: disputed(1),
    previousDispute: disputed(-1),
  };
}

/** Decide by majority whatever is open; what is to be discussed stays. */
async function decideAll(editor: Editor): Promise<void> {
  const { text } = editor;
  const gaps = text.gaps((gap) => text.isOpen(gap) && !text.decisions.has(gap));
  if (!gaps.length) return editor.say("No dispute is open.");
  const question =
    "There will be a boundary where more than half have one, with their most frequent mark. " +
    "What is to be discussed stays open; u takes single gaps back.";
  if (await confirmed(`Majority for ${number(gaps.length, "gap")}?`, question, "Set to majority"))
    editor.act("decide", "majority", gaps);
}

async function close(editor: Editor): Promise<void> {
  const { text, studio } = editor;
  const open = text.gaps(text.isOpen);
  const first = open[0];
  if (!text.votes.length) return editor.say("Nobody has finished yet: there is nothing to close.");
  if (first !== undefined) {
    editor.move(first);
    return editor.say(`${number(open.length, "dispute")} must be decided first; here is one.`);
  }
  const unfinished = text.adjudication?.unfinished ?? {};
  const names = Object.values(unfinished).join(", ");
  const stays =
    "The result is stored, and its annotators see it. What they have set stays as it is.";
  const question = names
    ? `Not finished: ${names}. They are withdrawn: what they have done is kept, and does not count here. ${stays}`
    : stays;
  const does = names ? "Withdraw and close" : "Close";
  if (!(await confirmed(`Close ${editor.title}?`, question, does))) return;
  await studio.outbox.settled();
  const withdraw = Object.keys(unfinished).map(Number);
  await ask(`/api/documents/${text.id}/close`, "POST", { withdraw });
  await editor.reload();
}

async function reopen(editor: Editor): Promise<void> {
  await act({ kind: "reopen", document: editor.text.id });
  await editor.reload();
}
