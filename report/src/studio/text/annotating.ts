/** What annotators do with a document: set boundaries, comment, finish it, and read it later. */

import { h } from "../../dom";
import { number } from "../../numbers";
import { ask } from "../api";
import { asked, choice, confirmed, show } from "../dialogs";
import { type Listed, type Mark, UNSURE } from "../wire";
import { setters, type Tool } from "./bar";
import type { Commands, Editor, Work } from "./editor";
import { BLIND, reasonOf } from "./said";

const IN_CUE =
  "Words of this cue have no times of their own: set its boundaries without the sound running.";
const NO_MARKS = "Marks are off in this project.";

export function annotating(editor: Editor): Work {
  const { text, sound } = editor;
  const set = (value: Mark | null) => editor.act("set", value);
  const flip = () => set(text.has(editor.cursor) ? null : "");
  const doubt = () => {
    const mark = text.markAt(editor.cursor) ?? "";
    editor.act("set", text.drawn.unsure.has(editor.cursor) ? mark : `${mark}${UNSURE}`);
  };
  /** A unit has ended at the word that was heard a moment ago. */
  const tap = () => {
    const gap = sound?.tapped();
    if (gap === undefined) return editor.say(IN_CUE);
    if (gap < 0 || gap > text.last) return;
    editor.move(gap);
    if (!text.has(gap)) set("");
  };
  return {
    commands: {
      ...editing(editor, set),
      ...commenting(editor),
      toggle: () => (sound?.isPlaying ? tap() : flip()),
      remove: () => set(null),
      unsure: doubt,
      finish: () => finish(editor),
    },
    tools: [setters(editor.hasMarks), ["unsure", "comment", "undo", "redo"]],
    ends: [["finish", "Finish"]],
    clicked: flip,
  };
}

/** What annotators and judges have in common: marks, if the project has them, and undo. */
export function editing(editor: Editor, set: (mark: Mark) => void): Commands {
  const { history } = editor;
  const mark = (sign: Mark) => () => (editor.hasMarks ? set(sign) : editor.say(NO_MARKS));
  return {
    full: mark("."),
    question: mark("?"),
    exclamation: mark("!"),
    semicolon: mark(";"),
    undo: () => editor.repeat(history.undo(), "Nothing to undo."),
    redo: () => editor.repeat(history.redo(), "Nothing to redo."),
  };
}

/** A finished document waits to be closed; until then it can be reopened. */
export function finished(editor: Editor): Work {
  return {
    commands: { ...commenting(editor), finish: () => reopen(editor) },
    tools: [["comment"]],
    ends: [["finish", "Reopen"]],
    refusal: "This document is finished; reopen it to change something.",
  };
}

/** What is closed, sealed or lost is only read. */
export function reading(editor: Editor): Work {
  const { text } = editor;
  const hasVotes = text.phase === "closed";
  const none = hasVotes ? "No disagreement there." : reasonOf(text);
  const tools: Tool[] = [
    ["previousDispute", "‹", "Previous disagreement"],
    ["nextDispute", "Next ›", "Next disagreement"],
  ];
  return {
    commands: {
      nextDispute: () => editor.seek(1, text.isDisputed, none),
      previousDispute: () => editor.seek(-1, text.isDisputed, none),
    },
    tools: hasVotes ? [tools] : [],
    ends: [],
    refusal: reasonOf(text),
  };
}

/** What annotators have until the document is closed. */
function commenting(editor: Editor): Commands {
  const comment = async () => {
    const { cursor: gap, text } = editor;
    const known = text.drawn.comments.get(gap) ?? "";
    const note = "Enter saves, Shift Enter begins a line. An empty comment is removed.";
    const found = await asked(`Comment ${text.around(gap)}`, "Comment", known, note);
    const value = found?.replace(/[^\P{C}\n]/gu, " ").trim();
    if (value !== undefined) editor.act("comment", value || null, [gap]);
  };
  const hidden = () => editor.say(BLIND);
  return { comment, nextDispute: hidden, previousDispute: hidden };
}

async function finish(editor: Editor): Promise<void> {
  const { text } = editor;
  const left = Math.max(0, text.last - editor.furthest);
  const set = `You have set ${number(text.count, "boundary")} in ${number(text.length, "word")}.`;
  const question = left
    ? `${set} You have not reached the last ${number(left, "word")}: finishing says that there is no boundary in them.`
    : `${set} You can reopen the document until it is closed.`;
  const does = left ? "Finish, none there" : "Finish";
  if (!(await confirmed(`Finish ${editor.title}?`, question, does))) return;
  if (await change(editor, "finished")) await goOn(editor);
}

async function reopen(editor: Editor): Promise<void> {
  const question = "It is no longer finished then: finish it again when you are done.";
  if (await confirmed(`Reopen ${editor.title}?`, question, "Reopen")) await change(editor, "open");
}

/** Finish or reopen a document; whether the server knows it. */
async function change(editor: Editor, value: "finished" | "open"): Promise<boolean> {
  const gap = Math.max(0, Math.min(editor.furthest, editor.text.last));
  editor.send({ kind: "state", gap, value });
  const isKnown = await editor.studio.outbox.settled();
  if (isKnown) await editor.reload();
  return isKnown;
}

/** Offer the next document to work on, if there is one. */
async function goOn({ studio, text }: Editor): Promise<void> {
  const all = await ask<Listed[]>("/api/documents").catch((): Listed[] => []);
  const at = all.findIndex(({ id }) => id === text.id);
  const others = [...all.slice(at + 1), ...all.slice(0, Math.max(0, at))];
  const open = others.filter((each) => !each.is_finished && !each.is_closed);
  const [next] = open;
  if (!next) return;
  const begun = next.acts ? ", begun" : "";
  const facts = `${number(next.words, "word")}${begun}; ${number(open.length, "document")} to go.`;
  const choices = [choice("Next document", "next", true), choice("Stay here", "")];
  const about = h("p", "Next is ", h("b", next.name), ": ", facts);
  if (await show("Finished", choices, about)) studio.go(`/document/${next.id}`);
}
