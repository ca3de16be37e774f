/** Import of finished layers: files that people made elsewhere. */

import { field, given, h } from "../../dom";
import { ApiError, ask } from "../api";
import { confirmed } from "../dialogs";
import type { Known, Managed } from "../wire";

/** Files that are one person's. */
interface Group {
  label: string;
  person: HTMLInputElement;
  files: File[];
}

/** Ask for files and whose they are, and import them; the lines that say what was imported. */
export async function importLayers(documents: Managed[], people: Known[]): Promise<string[]> {
  const names = documents.map(({ name }) => name);
  const known = people.filter(({ role }) => role === "annotator").map(({ name }) => name);
  const options = known.map((value) => h("option", { value }));
  const rows = h("div.owners");
  const said = h("p.problem", { role: "alert" });
  const blind = h("input", { type: "checkbox" });
  let groups: Group[] = [];
  const take = (input: HTMLInputElement) => {
    groups = groupsOf([...(input.files ?? [])], names);
    const owners = groups.map(({ label, person }) =>
      h("label.owner", h("span", given(label)), " by ", person),
    );
    rows.replaceChildren(...owners);
    said.textContent = "";
    groups[0]?.person.focus();
  };
  const content = [
    h(
      "p.note",
      "Boundaries that were made elsewhere become finished layers. Files are matched to documents ",
      "by name; if everybody has one file, by its words.",
    ),
    chooser("Files", {}, take),
    chooser("Or a folder: one folder for each person", { webkitdirectory: true }, take),
    rows,
    h("datalist", { id: "annotators" }, ...options),
    h(
      "label.line",
      blind,
      " They were made blind: nobody saw another’s boundaries. Without this, they do not count in agreement.",
    ),
    said,
  ];
  for (;;) {
    if (!(await confirmed("Import finished layers", content, "Import"))) return [];
    try {
      const told = await send(await read(groups), blind.checked);
      if (told.length) return told;
    } catch (problem) {
      // It begins with the name of a file, which stays as it is written.
      said.textContent = `Nothing was imported. ${problem instanceof Error ? problem.message : problem}.`;
    }
  }
}

/** The files with their people, as they are sent. */
async function read(groups: Group[]): Promise<object[]> {
  if (!groups.length) throw new Error("choose files first");
  const every = groups.flatMap(({ person, files }) =>
    files.map(async (file) => ({
      name: person.value.trim(),
      file: file.name,
      data: await encoded(file),
    })),
  );
  return Promise.all(every);
}

/** Send layers; what would be new by them is asked for first. No lines: it was not wanted. */
async function send(layers: object[], blind: boolean, add = false): Promise<string[]> {
  try {
    return (await ask<{ told: string[] }>("/api/layers", "POST", { layers, blind, add })).told;
  } catch (problem) {
    if (!(problem instanceof ApiError) || problem.status !== 409) throw problem;
    return (await isNewMeant(problem.told)) ? send(layers, blind, true) : [];
  }
}

/** Ask whether documents and people are to be added that the project does not have. */
async function isNewMeant({ documents = [], people = [] }: ApiError["told"]): Promise<boolean> {
  const line = (noun: string, names: string[]) =>
    names.length > 0 &&
    h(
      "p",
      `This adds the ${noun}: `,
      ...names.flatMap((name) => [h("b", given(name)), ", "]).slice(0, -1),
      ".",
    );
  return confirmed(
    "Add what is new?",
    [
      line(documents.length > 1 ? "documents" : "document", documents),
      line(people.length > 1 ? "people" : "person", people),
      h("p.note", "If a name is misspelt, cancel and correct it."),
    ],
    "Add and import",
  );
}

function chooser(
  text: string,
  how: Record<string, boolean>,
  take: (input: HTMLInputElement) => void,
): HTMLElement {
  const input = h("input", { type: "file", multiple: true, ...how });
  input.addEventListener("change", () => take(input));
  return field(text, input);
}

/** Files by person: a folder is one’s; files named like documents are one’s; else each is. */
function groupsOf(files: File[], documents: string[]): Group[] {
  const found = new Map<string, Group>();
  const shown = files.filter(({ name }) => !name.startsWith("."));
  const areDocuments = shown.every(({ name }) => documents.includes(stemOf(name)));
  for (const file of shown) {
    const folder = file.webkitRelativePath.split("/").at(-2) ?? "";
    const label = folder || (areDocuments ? "files" : file.name);
    const value = folder || (areDocuments ? "" : stemOf(file.name));
    const person = h("input", { type: "text", maxlength: 64, list: "annotators", value });
    const group = found.get(label) ?? { label, person, files: [] };
    group.files.push(file);
    found.set(label, group);
  }
  return [...found.values()];
}

function stemOf(name: string): string {
  return name.replace(/(\.gz|\.xz|\.zst)?$/i, "").replace(/\.[^.]*$/, "");
}

/** A file in base64, whatever its encoding is. */
async function encoded(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
}
