/** Assign documents to people, by hand or each to some of them, and withdraw them. */

import { given, h } from "../../dom";
import { grouped, number } from "../../numbers";
import { act, ask } from "../api";
import { choice, confirmed, show } from "../dialogs";
import type { Known, Managed, ProjectAct } from "../wire";

/** How many acts are sent at once. */
const BATCH = 200;
type Layer = Managed["people"][number];

/** Ask who has which of some documents; what has changed, in lines. */
export async function assignment(documents: Managed[], annotators: Known[]): Promise<string[]> {
  const open = documents.filter((each) => !each.is_closed);
  const [first, ...more] = open;
  if (!first || !annotators.length) {
    const text = first ? "There are no annotators yet." : "No open document is shown.";
    const invite = choice("Invite people", "invite", true);
    const close = choice("Close", "", !!first);
    const answer = await show("Assign", first ? [invite, close] : [close], h("p", {}, text));
    if (answer) location.hash = "/people";
    return [];
  }
  return more.length ? byDesign(open, annotators) : byHand(first, annotators);
}

async function byHand(one: Managed, annotators: Known[]): Promise<string[]> {
  const has = new Set(one.people.map(({ person }) => person));
  const boxes = annotators.map((each) => checkbox(each, has.has(each.id)));
  const note =
    "Who is withdrawn keeps what they have done; it does not count until they are assigned again.";
  const answer = await show(
    `Who annotates ${one.name}?`,
    [choice("Assign", "yes", true), choice("Cancel", "")],
    h("div", { class: "checks" }, ...boxes.map(({ label }) => label)),
    h("p", { class: "note" }, note),
  );
  if (answer !== "yes") return [];
  const people = chosen(boxes);
  const keeps = new Set(people.map(({ id }) => id));
  const others = annotators.filter(({ id }) => !keeps.has(id));
  const withdrawn = await withdraw([one], others);
  const added = people.filter(({ id }) => !has.has(id));
  const assigned = added.length ? await design([one], added) : [];
  return assigned.length + withdrawn.length ? [...assigned, ...withdrawn] : [UNCHANGED];
}

const UNCHANGED = "Nothing has changed.";

async function byDesign(documents: Managed[], annotators: Known[]): Promise<string[]> {
  const hasAll = ({ id }: Known) =>
    documents.every(({ people }) => people.some(({ person }) => person === id));
  const having = annotators.filter(hasAll);
  const boxes = annotators.map((each) =>
    checkbox(
      each,
      !hasAll(each),
      `${number(each.words, "word")}${hasAll(each) ? ", has all" : ""}`,
    ),
  );
  const each = h("input", { type: "number", min: 1, max: annotators.length, required: true });
  each.value = String(Math.min(2, annotators.length));
  const fresh = documents.filter(({ people }) => !people.length).length;
  const answer = await show(
    `Assign ${number(documents.length, "document")}`,
    [choice("Assign", "yes", true), choice("Withdraw…", "withdraw"), choice("Cancel", "")],
    h(
      "p",
      {},
      `Of the documents that are shown and open, ${fresh ? grouped(fresh) : "none"} ${fresh === 1 ? "is" : "are"} new: nobody has ${fresh === 1 ? "it" : "them"} yet.`,
    ),
    h(
      "fieldset",
      { class: "options" },
      h("legend", {}, "Who, and how many words they have been given so far"),
      h("div", { class: "checks" }, ...boxes.map(({ label }) => label)),
    ),
    h("label", { class: "control" }, h("span", {}, "Each document to how many of them"), each),
    h(
      "p",
      { class: "note" },
      "A document goes to those who have the fewest words. Who has it already counts; nobody is withdrawn.",
      having.length > 0 &&
        ` The number has no effect on people who have all documents: ${names(having)}.`,
    ),
  );
  const people = chosen(boxes);
  if (!answer || !people.length) return answer ? ["Nobody was chosen."] : [];
  if (answer === "withdraw") return withdrawal(documents, people);
  const told = await design(documents, people, Math.min(Number(each.value), people.length));
  return told.length ? told : [`${UNCHANGED} Each document has that many of these people already.`];
}

/** Assign documents to these people, or each to some of them; who got how many. */
async function design(documents: Managed[], people: Known[], each?: number): Promise<string[]> {
  const ids = (every: { id: number }[]) => every.map(({ id }) => id);
  const { assigned } = await ask<{ assigned: Record<string, number> }>("/api/design", "POST", {
    documents: ids(documents),
    people: ids(people),
    each,
  });
  if (!Object.keys(assigned).length) return [];
  return [`Assigned: ${counts(people, ({ name }) => assigned[name] ?? 0)}.`];
}

/** Ask whether people are to lose these documents. */
async function withdrawal(documents: Managed[], people: Known[]): Promise<string[]> {
  const text = `They lose the ${number(documents.length, "document")} that are shown and not closed. What they have done is kept; it does not count until they are assigned again.`;
  if (!(await confirmed(`Withdraw ${names(people)}?`, text, "Withdraw"))) return [];
  const told = await withdraw(documents, people);
  return told.length ? told : [`${UNCHANGED} They have none of these documents.`];
}

async function withdraw(documents: Managed[], people: Known[]): Promise<string[]> {
  const lost = documents.flatMap((one) =>
    one.people
      .filter(({ person }) => people.some(({ id }) => id === person))
      .map(({ person, pass }: Layer) => ({ kind: "withdraw", document: one.id, person, pass })),
  );
  for (let at = 0; at < lost.length; at += BATCH)
    await act(...(lost.slice(at, at + BATCH) satisfies ProjectAct[]));
  const from = ({ id }: Known) =>
    new Set(lost.filter(({ person }) => person === id).map(({ document }) => document)).size;
  return lost.length ? [`Withdrawn: ${counts(people.filter(from), from)}.`] : [];
}

/** `Anna 2 documents, Ben none`. */
function counts(people: Known[], of: (each: Known) => number): string {
  const told = (each: Known) => (of(each) ? number(of(each), "document") : "none");
  return people.map((each) => `${each.name} ${told(each)}`).join(", ");
}

function names(people: Known[]): string {
  return people.map(({ name }) => name).join(", ");
}

interface Checkbox {
  person: Known;
  box: HTMLInputElement;
  label: HTMLElement;
}

function checkbox(person: Known, checked: boolean, facts = ""): Checkbox {
  const box = h("input", { type: "checkbox", checked });
  const label = h("label", {}, box, " ", given(person.name), facts && h("small", {}, ` ${facts}`));
  return { person, box, label };
}

function chosen(boxes: Checkbox[]): Known[] {
  return boxes.filter(({ box }) => box.checked).map(({ person }) => person);
}

/** The last pass of everyone who has finished theirs. */
function finishedPasses({ people }: Managed): Layer[] {
  const last = new Map(people.map((each) => [each.person, each]));
  return [...last.values()].filter(isDone);
}

export function isDone({ is_finished, state }: Layer): boolean {
  return is_finished || state === "sealed";
}

export function mayPassAgain(document: Managed): boolean {
  return !document.is_closed && finishedPasses(document).length > 0;
}

/** Ask who annotates a document once more, from nothing. */
export async function anotherPass(document: Managed): Promise<void> {
  const boxes = finishedPasses(document).map((each) => {
    const box = h("input", { type: "checkbox" });
    return { each, box, label: h("label", {}, box, " ", given(each.name)) };
  });
  const answer = await show(
    `Who annotates ${document.name} once more?`,
    [choice("Assign another pass", "yes", true), choice("Cancel", "")],
    h("div", { class: "checks" }, ...boxes.map(({ label }) => label)),
    h(
      "p",
      { class: "note" },
      "They begin again from nothing, and do not see what they did before. Their first pass stays, and ",
      "counts; how far the two agree is under Agreement.",
    ),
  );
  if (answer !== "yes") return;
  const acts = boxes
    .filter(({ box }) => box.checked)
    .map(({ each: { person, pass } }) => ({
      kind: "assign", document: document.id, person, pass: pass + 1,
    })); // prettier-ignore
  if (acts.length) await act(...acts);
}
