/** Assign documents to people: by hand, or each to some of them, balanced. */

import { given, h } from "../../dom";
import { grouped, number } from "../../numbers";
import { act, ask } from "../api";
import { choice, show } from "../dialogs";
import type { Known, Managed, ProjectAct } from "../wire";

/** Ask who has which of some documents; those who lose one are withdrawn. */
export async function assignment(documents: Managed[], annotators: Known[]): Promise<void> {
  const open = documents.filter((each) => !each.is_closed);
  const [first] = open;
  if (!first || !annotators.length) {
    const text = first ? "Invite annotators first, under People." : "No open document is shown.";
    await show("Assign", [choice("Close", "", true)], h("p", {}, text));
    return;
  }
  if (open.length === 1) await byHand(first, annotators);
  else await byDesign(open, annotators);
}

async function byHand(one: Managed, annotators: Known[]): Promise<void> {
  const has = new Set(one.people.map(({ person }) => person));
  const boxes = checks(annotators, (each) => has.has(each.id));
  const note =
    "Who is withdrawn keeps what they have done; it does not count until they are assigned again.";
  const answer = await show(
    `Who annotates ${one.name}?`,
    [choice("Assign", "yes", true), choice("Cancel", "")],
    h("div", { class: "checks" }, ...boxes.values()),
    h("p", { class: "note" }, note),
  );
  if (answer !== "yes") return;
  const isOn = (id: number) => isChecked(boxes.get(id));
  const withdrawn = one.people.filter(({ person }) => boxes.has(person) && !isOn(person));
  const acts = withdrawn.map(({ person, pass }): ProjectAct => ({
    kind: "withdraw",
    document: one.id,
    person,
    pass,
  }));
  if (acts.length) await act(...acts);
  const people = annotators.map(({ id }) => id).filter((id) => isOn(id) && !has.has(id));
  // The server knows which passes they had.
  if (people.length)
    await ask("/api/design", "POST", { documents: [one.id], people, each: people.length, all: 0 });
}

async function byDesign(documents: Managed[], annotators: Known[]): Promise<void> {
  const boxes = checks(annotators, () => true);
  const each = numeric("Each document by how many of them", 1, annotators.length);
  each.box.value = String(Math.min(2, annotators.length));
  const all = numeric("The first how many by all of them", 0, documents.length);
  all.box.value = "0";
  const answer = await show(
    `Assign ${number(documents.length, "document")}`,
    [choice("Assign", "yes", true), choice("Cancel", "")],
    h("div", { class: "checks" }, ...boxes.values()),
    each.label,
    all.label,
    h(
      "p",
      { class: "note" },
      `${grouped(documents.length)} documents as listed; work and pairs are balanced. Nobody is withdrawn.`,
    ),
  );
  if (answer !== "yes") return;
  const people = annotators.map(({ id }) => id).filter((id) => isChecked(boxes.get(id)));
  await ask("/api/design", "POST", {
    documents: documents.map(({ id }) => id),
    people,
    each: Number(each.box.value),
    all: Number(all.box.value),
  });
}

function checks(people: Known[], isOn: (each: Known) => boolean): Map<number, HTMLElement> {
  return new Map(
    people.map((each) => {
      const box = h("input", { type: "checkbox" });
      box.checked = isOn(each);
      return [each.id, h("label", {}, box, " ", given(each.name))];
    }),
  );
}

function isChecked(label: HTMLElement | undefined): boolean {
  return label?.querySelector("input")?.checked ?? false;
}

function numeric(text: string, min: number, max: number) {
  const box = h("input", { type: "number", min, max });
  return { box, label: h("label", { class: "control" }, h("span", {}, text), box) };
}
