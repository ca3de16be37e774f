/** New documents: many files or a folder at once, with their sound and guidelines. */

import { button, given, h } from "../../dom";
import { grouped, number } from "../../numbers";
import { act, ask, request, sentenceOf } from "../api";
import type { Guidelines, Uploaded } from "../wire";

const SOUNDS = /\.(mp3|wav|ogg|oga|opus|m4a|aac|flac|webm|mp4)$/i;
const GUIDELINES = "guidelines.md";
/** Files of a folder that are no documents: hidden ones, and those of a studio. */
const SKIPPED = /^(\.|~\$|studio\.sqlite|desktop\.ini$|thumbs\.db$)/i;

interface Result {
  documents: number;
  sounds: number;
  known: number;
  guidelines: boolean;
  notes: string[];
  problems: [file: string, problem: string][];
}

/** Controls that choose files or a folder; what becomes of them is told as it happens. */
export function adding(said: HTMLElement, done: () => Promise<void>): HTMLElement[] {
  return [picker("Add files…", {}), picker("Add a folder…", { webkitdirectory: true })];

  function picker(text: string, how: Record<string, boolean>): HTMLElement {
    const hidden = { class: "hush", tabindex: -1, "aria-label": text };
    const input = h("input", { type: "file", multiple: true, ...hidden, ...how });
    input.addEventListener("change", () => void take(input));
    const opener = button(text, () => input.click());
    return h("span.picker", opener, input);
  }

  async function take(input: HTMLInputElement): Promise<void> {
    const files = [...(input.files ?? [])].filter(({ name }) => !SKIPPED.test(name));
    input.value = "";
    const result = await addAll(files, (text) => said.replaceChildren(h("p", text)));
    said.replaceChildren(...told(result));
    await done();
  }
}

/** Add files one after the other: sound after the documents that it is of. */
async function addAll(files: File[], tell: (text: string) => void): Promise<Result> {
  const found: Result = {
    documents: 0, sounds: 0, known: 0, guidelines: false, notes: [], problems: [],
  }; // prettier-ignore
  const inOrder = [...files].sort((a, b) => rank(a) - rank(b) || a.name.localeCompare(b.name));
  for (const [at, file] of inOrder.entries()) {
    tell(`Adding ${file.name}, ${grouped(at + 1)} of ${grouped(files.length)} …`);
    try {
      if (file.name.toLowerCase() === GUIDELINES) await guide(file, found);
      else await add(file, found);
    } catch (problem) {
      found.problems.push([file.name, withoutName(file.name, problem)]);
    }
  }
  return found;
}

function rank({ name }: File): number {
  return SOUNDS.test(name) ? 1 : 0;
}

async function add(file: File, found: Result): Promise<void> {
  const path = `/api/upload?name=${encodeURIComponent(file.name)}`;
  const { documents, added, sound, notes } = (await (
    await request(path, "POST", file)
  ).json()) as Uploaded;
  found.documents += added;
  found.known += documents.length - added;
  found.sounds += sound ? 1 : 0;
  found.notes.push(...notes);
}

/** The guidelines of a folder become a new version, if they are not those that there are. */
async function guide(file: File, found: Result): Promise<void> {
  const text = (await file.text()).replace(/\r/g, "");
  const { text: before } = await ask<Guidelines>("/api/guidelines");
  if (text === before) return;
  await act({ kind: "guidelines", text });
  found.guidelines = true;
}

function told({ documents, sounds, known, guidelines, notes, problems }: Result): HTMLElement[] {
  const facts = [
    documents && number(documents, "document"),
    sounds && number(sounds, "file").replace("file", "sound file"),
    guidelines && "the guidelines",
  ].filter(Boolean);
  const lead = [
    facts.length > 0 && `Added ${facts.join(", ")}.`,
    known > 0 && `${number(known, "document")} already here.`,
    !facts.length && !known && !problems.length && "Nothing new.",
  ].filter(Boolean);
  return [
    h("p", lead.join(" ")),
    ...notes.map((note) => h("p.note", given(note))),
    ...(problems.length ? [refused(problems)] : []),
  ];
}

/** A problem in one sentence, which need not begin with the file. */
function withoutName(file: string, problem: unknown): string {
  const text = problem instanceof Error ? problem.message : String(problem);
  return sentenceOf(new Error(text.startsWith(`${file}: `) ? text.slice(file.length + 2) : text));
}

/** What was not added, one file per line. */
function refused(problems: [string, string][]): HTMLElement {
  return h(
    "div.refused",
    h("p", `${number(problems.length, "file")} not added:`),
    h("ul", ...problems.map(([file, problem]) => h("li", h("b", given(file)), `: ${problem}`))),
  );
}
