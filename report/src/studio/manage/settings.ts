/** What holds for a whole project: its name, its order, and whether units have marks. */

import { field, h } from "../../dom";
import { act } from "../api";
import { confirmed } from "../dialogs";
import type { Managed, Me, ProjectAct } from "../wire";

/** Orders of the list; without one it stays as it is. */
const SORTINGS = new Map<string, undefined | ((a: Managed, b: Managed) => number)>([
  ["leave it as it is", undefined],
  ["by name", (a, b) => a.name.localeCompare(b.name, undefined, { numeric: true })],
  ["shortest first", (a, b) => a.words - b.words],
  ["longest first", (a, b) => b.words - a.words],
  ["as they were added", (a, b) => a.id - b.id],
]);

/** Ask for what holds for a project; what is changed is sent. */
export async function settings(project: Me["project"], documents: Managed[]): Promise<void> {
  const { name, arrangement, marks } = project;
  const radio = (value: string, text: string, about: string) => {
    const checked = value === arrangement;
    return option({ type: "radio", name: "arrangement", value, checked }, text, about);
  };
  const about = "how a unit ends: . ? ! or ;. Without this they set boundaries only.";
  const content = [
    field("Name", h("input", { type: "text", name: "name", maxlength: 200, value: name })),
    h(
      "fieldset.options",
      h("legend", "Annotators get their documents"),
      radio("listed", "As listed", "everyone has them in the order of this list"),
      radio("random", "At random", "everyone has an order of their own, which stays"),
    ),
    field(
      "Sort the list",
      h("select", { name: "sorting" }, ...[...SORTINGS.keys()].map((text) => h("option", text))),
    ),
    h(
      "fieldset.options",
      h("legend", "Annotators set"),
      option({ type: "checkbox", name: "marks", checked: marks }, "Marks", about),
    ),
  ];
  const form = await confirmed("Settings of the project", content, "Save");
  if (!form) return;
  const named = String(form.get("name")).trim();
  const how = form.get("arrangement");
  const compared = SORTINGS.get(String(form.get("sorting")));
  const acts: ProjectAct[] = [];
  if (named && named !== name) acts.push({ kind: "rename", name: named });
  if (how !== arrangement) acts.push({ kind: "arrange", how });
  if (form.has("marks") !== marks) acts.push({ kind: "marks", is_on: form.has("marks") });
  if (compared) acts.push(orderOf(documents.toSorted(compared)));
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
function option(how: Record<string, string | boolean>, text: string, about: string): HTMLElement {
  return h("label.option", h("input", how), h("span", text, h("small", about)));
}
