/** New documents: many files or a folder at once, with their sound and guidelines. */

import { button, given, h } from "../../dom";
import { grouped, number } from "../../numbers";
import { act, ask, request, sentenceOf } from "../api";
import type { Guidelines, Uploaded } from "../wire";

const SOUNDS = /\.(mp3|wav|ogg|oga|opus|m4a|aac|flac|webm|mp4)$/i;
const GUIDELINES = "guidelines.md";
/** Files of a folder that are no documents: hidden ones, and those of a studio. */
const SKIPPED = /^(\.|~\$|studio\.sqlite|desktop\.ini$|thumbs\.db$)/i;

/** Controls that choose files or a folder; what becomes of them is told as it happens. */
export function adding(said: HTMLElement, done: () => Promise<void>): HTMLElement[] {
  const take = async (files: File[]) => {
    const told = await addAll(files, (text) => said.replaceChildren(h("p", text)));
    said.replaceChildren(...told);
    await done();
  };
  const picker = (text: string, isFolder: boolean) => {
    const input = filesInput(isFolder, (files) => void take(files));
    input.className = "hush";
    input.tabIndex = -1;
    input.ariaLabel = text;
    const opener = button(text, () => {
      // The same files can be chosen again.
      input.value = "";
      input.click();
    });
    return h("span", opener, input);
  };
  return [picker("Add files…", false), picker("Add a folder…", true)];
}

export function filesInput(isFolder: boolean, take: (files: File[]) => void): HTMLInputElement {
  const input = h("input", { type: "file", multiple: true, webkitdirectory: isFolder });
  input.addEventListener("change", () => take([...(input.files ?? [])]));
  return input;
}

/** Add files one after the other: sound after the documents that it is of. */
async function addAll(chosen: File[], tell: (text: string) => void): Promise<HTMLElement[]> {
  const rank = ({ name }: File) => Number(SOUNDS.test(name));
  const files = chosen
    .filter(({ name }) => !SKIPPED.test(name))
    .sort((a, b) => rank(a) - rank(b) || a.name.localeCompare(b.name));
  const found: Uploaded[] = [];
  const problems: HTMLElement[] = [];
  let isGuided = false;
  for (const [at, file] of files.entries()) {
    const { name } = file;
    tell(`Adding ${name}, ${grouped(at + 1)} of ${grouped(files.length)} …`);
    try {
      if (name.toLowerCase() !== GUIDELINES) found.push(await upload(file));
      else if (await guide(file)) isGuided = true;
    } catch (problem) {
      problems.push(h("li", h("b", given(name)), `: ${withoutName(name, problem)}`));
    }
  }
  const refused = `${number(problems.length, "file")} not added:`;
  return [
    h("p", told(found, isGuided) || (problems.length ? "" : "Nothing new.")),
    ...found.flatMap(({ notes }) => notes.map((note) => h("p.note", given(note)))),
    ...(problems.length ? [h("div.refused", h("p", refused), h("ul", ...problems))] : []),
  ];
}

async function upload(file: File): Promise<Uploaded> {
  const path = `/api/upload?name=${encodeURIComponent(file.name)}`;
  return (await (await request(path, "POST", file)).json()) as Uploaded;
}

/** The guidelines of a folder become a new version, if they are not those that there are. */
async function guide(file: File): Promise<boolean> {
  const text = (await file.text()).replace(/\r/g, "");
  const isNew = text !== (await ask<Guidelines>("/api/guidelines")).text;
  if (isNew) await act({ kind: "guidelines", text });
  return isNew;
}

/** `Added 2 documents, 1 sound file. 1 document already here.` */
function told(found: Uploaded[], isGuided: boolean): string {
  const all = found.flatMap(({ documents }) => documents).length;
  const added = found.reduce((sum, each) => sum + each.added, 0);
  const sounds = found.filter(({ sound }) => sound).length;
  const facts = [
    added && number(added, "document"),
    sounds && number(sounds, "sound file"),
    isGuided && "the guidelines",
  ].filter(Boolean);
  const lead = [
    facts.length && `Added ${facts.join(", ")}.`,
    all > added && `${number(all - added, "document")} already here.`,
  ];
  return lead.filter(Boolean).join(" ");
}

/** A problem in one sentence, which need not begin with the file. */
function withoutName(file: string, problem: unknown): string {
  const text = problem instanceof Error ? problem.message : String(problem);
  return sentenceOf(text.startsWith(`${file}: `) ? text.slice(file.length + 2) : text);
}
