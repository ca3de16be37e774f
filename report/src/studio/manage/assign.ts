/** Assign documents to people, by hand or each to some of them, and withdraw them. */

import { field, given, h } from "../../dom";
import { grouped, number } from "../../numbers";
import { act, ask } from "../api";
import { choice, confirmed, show } from "../dialogs";
import type { Known, Managed } from "../wire";

/** Ask who has which of some documents; what has changed, in lines. */
export async function assignment(documents: Managed[], annotators: Known[]): Promise<string[]> {
  const open = documents.filter((each) => !each.is_closed);
  const [first, ...more] = open;
  if (!first || !annotators.length) {
    const text = first ? "There are no annotators yet." : "No open document is shown.";
    const invite = choice("Invite people", "invite", true);
    const close = choice("Close", "", !!first);
    const answer = await show("Assign", first ? [invite, close] : [close], h("p", text));
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
  const content = [checks(boxes), h("p.note", note)];
  if (!(await confirmed(`Who annotates ${one.name}?`, content, "Assign"))) return [];
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
  const facts = (who: Known) => `${number(who.words, "word")}${hasAll(who) ? ", has all" : ""}`;
  const boxes = annotators.map((who) => checkbox(who, !hasAll(who), facts(who)));
  const each = h("input", { type: "number", min: 1, max: annotators.length, required: true });
  each.value = String(Math.min(2, annotators.length));
  const fresh = documents.filter(({ people }) => !people.length).length;
  const answer = await show(
    `Assign ${number(documents.length, "document")}`,
    [choice("Assign", "yes", true), choice("Withdraw…", "withdraw"), choice("Cancel", "")],
    h(
      "p",
      fresh
        ? `${grouped(fresh)} of them ${fresh > 1 ? "are" : "is"} new: nobody has ${fresh > 1 ? "them" : "it"} yet.`
        : "None of them is new: somebody has each of them.",
    ),
    h(
      "fieldset.options",
      h("legend", "Who, and how many words they have been given so far"),
      checks(boxes),
    ),
    field("Each document to how many of them", each),
    h(
      "p.note",
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
      .map(({ person, pass }) => ({ kind: "withdraw", document: one.id, person, pass })),
  );
  if (lost.length) await act(...lost);
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

type Named = Pick<Known, "id" | "name">;

interface Checkbox<P extends Named> {
  person: P;
  box: HTMLInputElement;
  label: HTMLElement;
}

function checkbox<P extends Named>(person: P, checked: boolean, facts = ""): Checkbox<P> {
  const box = h("input", { type: "checkbox", checked });
  const label = h("label", box, " ", given(person.name), facts && h("small", ` ${facts}`));
  return { person, box, label };
}

function checks(boxes: Checkbox<Named>[]): HTMLElement {
  return h("div.checks", ...boxes.map(({ label }) => label));
}

function chosen<P extends Named>(boxes: Checkbox<P>[]): P[] {
  return boxes.filter(({ box }) => box.checked).map(({ person }) => person);
}

/** The last pass of everyone who has finished theirs. */
function finishedPasses({ people }: Managed): Managed["people"] {
  const last = new Map(people.map((each) => [each.person, each]));
  return [...last.values()].filter(({ is_finished }) => is_finished);
}

export function mayPassAgain(document: Managed): boolean {
  return !document.is_closed && finishedPasses(document).length > 0;
}

/** Ask who annotates a document once more, from nothing. */
export async function anotherPass(document: Managed): Promise<void> {
  const passes = finishedPasses(document);
  const boxes = passes.map(({ name, person }) => checkbox({ name, id: person }, false));
  const note =
    "They begin again from nothing, and do not see what they did before. Their first pass stays, and counts; how far the two agree is under Agreement.";
  const content = [checks(boxes), h("p.note", note)];
  const title = `Who annotates ${document.name} once more?`;
  if (!(await confirmed(title, content, "Assign another pass"))) return;
  const ids = chosen(boxes).map(({ id }) => id);
  const acts = passes
    .filter(({ person }) => ids.includes(person))
    .map(({ person, pass }) => ({ kind: "assign", document: document.id, person, pass: pass + 1 }));
  if (acts.length) await act(...acts);
}
