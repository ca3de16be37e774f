/** What holds for a whole project: its name, its order, and whether units have marks. */

import { field, h, select } from "../../dom";
import { act } from "../api";
import { confirmed } from "../dialogs";
import type { Arrangement, Managed, Me, ProjectAct } from "../wire";

const ARRANGEMENTS: [how: Arrangement, text: string, about: string][] = [
  ["listed", "As listed", "everyone has them in the order of this list"],
  ["random", "At random", "everyone has an order of their own, which stays"],
];
type Sorting = "" | "name" | "shortest" | "longest" | "added";
const SORTINGS: [value: Sorting, text: string][] = [
  ["", "leave it as it is"],
  ["name", "by name"],
  ["shortest", "shortest first"],
  ["longest", "longest first"],
  ["added", "as they were added"],
];
const COMPARED: Record<Exclude<Sorting, "">, (a: Managed, b: Managed) => number> = {
  name: (a, b) => a.name.localeCompare(b.name, undefined, { numeric: true }),
  shortest: (a, b) => a.words - b.words,
  longest: (a, b) => b.words - a.words,
  added: (a, b) => a.id - b.id,
};

/** Ask for what holds for a project; what is changed is sent. */
export async function settings(project: Me["project"], documents: Managed[]): Promise<void> {
  let sorting: Sorting = "";
  const name = h("input", { type: "text", maxlength: 200, value: project.name });
  const marks = h("input", { type: "checkbox", checked: project.marks });
  const boxes = ARRANGEMENTS.map(([how, text, about]) => {
    const checked = how === project.arrangement;
    const box = h("input", { type: "radio", name: "arrangement", value: how, checked });
    return { how, box, line: optionLine(box, text, about) };
  });
  const content = [
    field("Name", name),
    h(
      "fieldset.options",
      h("legend", "Annotators get their documents"),
      ...boxes.map(({ line }) => line),
    ),
    select("Sort the list", SORTINGS, (value) => (sorting = value as Sorting)),
    h(
      "fieldset.options",
      h("legend", "Annotators set"),
      optionLine(
        marks,
        "Marks",
        "how a unit ends: . ? ! or ;. Without this they set boundaries only.",
      ),
    ),
  ];
  if (!(await confirmed("Settings of the project", content, "Save"))) return;
  const how = boxes.find(({ box }) => box.checked)?.how ?? project.arrangement;
  const acts: ProjectAct[] = [];
  const named = name.value.trim();
  if (named && named !== project.name) acts.push({ kind: "rename", name: named });
  if (how !== project.arrangement) acts.push({ kind: "arrange", how });
  if (marks.checked !== project.marks) acts.push({ kind: "marks", is_on: marks.checked });
  if (sorting) acts.push(orderOf([...documents].sort(COMPARED[sorting])));
  if (acts.length) await act(...acts);
}

/** Put a document before all others. */
export async function putFirst(documents: Managed[], first: Managed): Promise<void> {
  await act(orderOf([first, ...documents.filter(({ id }) => id !== first.id)]));
}

function orderOf(documents: Managed[]): ProjectAct {
  return { kind: "order", documents: documents.map(({ id }) => id) };
}

/** A choice, with what it means. */
function optionLine(box: HTMLInputElement, text: string, about: string): HTMLElement {
  return h("label.option", box, h("span", text, h("small", about)));
}
