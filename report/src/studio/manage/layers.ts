/** Import of finished layers: files that people made elsewhere. */

import { type Child, field, given, h } from "../../dom";
import { ApiError, ask } from "../api";
import { confirmed } from "../dialogs";
import type { Managed } from "../wire";
import { filesInput } from "./add";
import { allAnnotators } from "./assign";

/** Files that are one person's. */
interface Group {
  label: string;
  person: HTMLInputElement;
  files: File[];
}

/** Ask for files and whose they are, and import them; what was imported, in lines. */
export async function importLayers(documents: Managed[]): Promise<string> {
  const annotators = await allAnnotators();
  const rows = h("div.owners");
  const said = h("p.problem", { role: "alert" });
  let groups: Group[] = [];
  const take = (files: File[]) => {
    groups = groupsOf(files, documents);
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
    field("Files", filesInput(false, take)),
    field("Or a folder: one folder for each person", filesInput(true, take)),
    rows,
    h("datalist", { id: "annotators" }, ...annotators.map(({ name }) => h("option", name))),
    h(
      "label.line",
      h("input", { type: "checkbox", name: "blind" }),
      " They were made blind: nobody saw another’s boundaries. Without this, they do not count in agreement.",
    ),
    said,
  ];
  for (;;) {
    const form = await confirmed("Import finished layers", content, "Import");
    if (!form) return "";
    try {
      if (!groups.length) throw new Error("choose files first");
      const layers = await Promise.all(groups.flatMap(layersOf));
      const told = await send({ layers, blind: form.has("blind") });
      if (told.length) return told.map((line) => `Imported ${line}.`).join("\n");
    } catch (problem) {
      // It begins with the name of a file, which stays as it is written.
      said.textContent = `Nothing was imported. ${problem instanceof Error ? problem.message : problem}.`;
    }
  }
}

/** The files of a person, as they are sent: in base64, whatever their encoding is. */
function layersOf({ person, files }: Group): Promise<object>[] {
  return files.map(async (file) => {
    const bytes = new Uint8Array(await file.arrayBuffer());
    const data = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
    return { name: person.value.trim(), file: file.name, data };
  });
}

/** Send layers; what would be new by them is asked for first. No lines: it was not wanted. */
async function send(content: object): Promise<string[]> {
  try {
    return (await ask<{ told: string[] }>("/api/layers", "POST", content)).told;
  } catch (problem) {
    if (!(problem instanceof ApiError) || problem.status !== 409) throw problem;
    const { documents = [], people = [] } = problem.told;
    const about = [
      adds(documents.length > 1 ? "documents" : "document", documents),
      adds(people.length > 1 ? "people" : "person", people),
      h("p.note", "If a name is misspelt, cancel and correct it."),
    ];
    const isMeant = await confirmed("Add what is new?", about, "Add and import");
    return isMeant ? send({ ...content, add: true }) : [];
  }
}

/** What would be new: documents or people that the project does not have. */
function adds(noun: string, names: string[]): Child {
  const every = names.flatMap((name) => [", ", h("b", given(name))]).slice(1);
  return names.length > 0 && h("p", `This adds the ${noun}: `, ...every, ".");
}

/** Files by person: a folder is one’s; files named like documents are one’s; else each is. */
function groupsOf(files: File[], documents: Managed[]): Group[] {
  const found = new Map<string, Group>();
  const shown = files.filter(({ name }) => !name.startsWith("."));
  const areDocuments = shown.every((file) => documents.some(({ name }) => name === stemOf(file)));
  for (const file of shown) {
    const folder = file.webkitRelativePath.split("/").at(-2) ?? "";
    const label = folder || (areDocuments ? "files" : file.name);
    const value = folder || (areDocuments ? "" : stemOf(file));
    const person = h("input", { type: "text", maxlength: 64, list: "annotators", value });
    const group = found.get(label) ?? { label, person, files: [] };
    group.files.push(file);
    found.set(label, group);
  }
  return [...found.values()];
}

function stemOf({ name }: File): string {
  return name.replace(/(\.gz|\.xz|\.zst)?$/i, "").replace(/\.[^.]*$/, "");
}
