/** Assign documents to people, by hand or each to some of them, and withdraw them. */

import { field, given, h } from "../../dom";
import { grouped, number } from "../../numbers";
import { act, ask } from "../api";
import { choice, confirmed, show } from "../dialogs";
import type { Known, Managed } from "../wire";

const UNCHANGED = "Nothing has changed.";

export async function allAnnotators(): Promise<Known[]> {
  const everyone = await ask<Known[]>("/api/people");
  return everyone.filter(({ role }) => role === "annotator");
}

/** Ask who has which of some documents; what has changed, in lines. */
export async function assignment(documents: Managed[]): Promise<string> {
  const annotators = await allAnnotators();
  const open = documents.filter((each) => !each.is_closed);
  const [first, ...more] = open;
  if (!first) return "No open document is shown.";
  if (annotators.length)
    return more.length ? byDesign(open, annotators) : byHand(first, annotators);
  if (await confirmed("Assign", "There are no annotators yet.", "Invite people"))
    location.hash = "/people";
  return "";
}

async function byHand(one: Managed, annotators: Known[]): Promise<string> {
  const boxes = annotators.map((who) => box(who, has(one, who)));
  const note =
    "Who is withdrawn keeps what they have done; it does not count until they are assigned again.";
  const content = [h("div.checks", ...boxes), h("p.note", note)];
  const form = await confirmed(`Who annotates ${one.name}?`, content, "Assign");
  if (!form) return "";
  const people = chosen(form, annotators);
  const added = people.filter((who) => !has(one, who));
  const others = annotators.filter((who) => !people.includes(who));
  const withdrawn = await withdraw([one], others);
  const assigned = added.length ? await design([one], added, added.length) : "";
  return [assigned, withdrawn].filter(Boolean).join("\n") || UNCHANGED;
}

async function byDesign(documents: Managed[], annotators: Known[]): Promise<string> {
  const having = annotators.filter((who) => documents.every((one) => has(one, who)));
  const boxes = annotators.map((who) => {
    const hasAll = having.includes(who);
    return box(who, !hasAll, ` ${number(who.words, "word")}${hasAll ? ", has all" : ""}`);
  });
  const most = annotators.length;
  const each = { type: "number", min: 1, max: most, required: true, value: Math.min(2, most) };
  const fresh = documents.filter(({ people }) => !people.length).length;
  const form = await show(
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
      h("div.checks", ...boxes),
    ),
    field("Each document to how many of them", h("input", { name: "each", ...each })),
    h(
      "p.note",
      "A document goes to those who have the fewest words. Who has it already counts; nobody is withdrawn.",
      having.length > 0 &&
        ` The number has no effect on people who have all documents: ${names(having)}.`,
    ),
  );
  if (!form) return "";
  const people = chosen(form, annotators);
  if (!people.length) return "Nobody was chosen.";
  if (form.get("choice") === "withdraw") return withdrawal(documents, people);
  const told = await design(documents, people, Math.min(Number(form.get("each")), people.length));
  return told || `${UNCHANGED} Each document has that many of these people already.`;
}

/** Assign each document to so many of these people; who got how many. */
async function design(documents: Managed[], people: Known[], each: number): Promise<string> {
  const { assigned } = await ask<{ assigned: Record<string, number> }>("/api/design", "POST", {
    documents: documents.map(({ id }) => id),
    people: people.map(({ id }) => id),
    each,
  });
  if (!Object.keys(assigned).length) return "";
  return `Assigned: ${counts(people, ({ name }) => assigned[name] ?? 0)}.`;
}

/** Ask whether people are to lose these documents. */
async function withdrawal(documents: Managed[], people: Known[]): Promise<string> {
  const text = `They lose the ${number(documents.length, "document")} that are shown and not closed. What they have done is kept; it does not count until they are assigned again.`;
  if (!(await confirmed(`Withdraw ${names(people)}?`, text, "Withdraw"))) return "";
  const told = await withdraw(documents, people);
  return told || `${UNCHANGED} They have none of these documents.`;
}

async function withdraw(documents: Managed[], people: Known[]): Promise<string> {
  const lost = (who: Known) => documents.filter((one) => has(one, who)).length;
  const losing = people.filter(lost);
  const acts = documents.flatMap(({ id, people: own }) =>
    own
      .filter(({ person }) => losing.some((who) => who.id === person))
      .map(({ person, pass }) => ({ kind: "withdraw", document: id, person, pass })),
  );
  if (acts.length) await act(...acts);
  return acts.length ? `Withdrawn: ${counts(losing, lost)}.` : "";
}

/** `Anna 2 documents, Ben none`. */
function counts(people: Known[], of: (each: Known) => number): string {
  const told = (each: Known) => (of(each) ? number(of(each), "document") : "none");
  return people.map((each) => `${each.name} ${told(each)}`).join(", ");
}

function names(people: Known[]): string {
  return people.map(({ name }) => name).join(", ");
}

function has({ people }: Managed, { id }: Known): boolean {
  return people.some(({ person }) => person === id);
}

type Named = Pick<Known, "id" | "name">;

function box({ id, name }: Named, checked: boolean, facts = ""): HTMLElement {
  const how = { type: "checkbox", name: "people", value: id, checked };
  return h("label", h("input", how), " ", given(name), facts && h("small", facts));
}

function chosen<P extends Named>(form: FormData, people: P[]): P[] {
  const ids = form.getAll("people");
  return people.filter(({ id }) => ids.includes(String(id)));
}

/** The last passes of those who may annotate a document once more. */
export function finishedPasses({ people, is_closed }: Managed): Managed["people"] {
  const last = new Map(people.map((each) => [each.person, each]));
  return [...last.values()].filter(({ is_finished }) => is_finished && !is_closed);
}

/** Ask who annotates a document once more, from nothing. */
export async function anotherPass(document: Managed): Promise<void> {
  const passes = finishedPasses(document).map((each) => ({ ...each, id: each.person }));
  const note =
    "They begin again from nothing, and do not see what they did before. Their first pass stays, and counts; how far the two agree is under Agreement.";
  const content = [h("div.checks", ...passes.map((each) => box(each, false))), h("p.note", note)];
  const title = `Who annotates ${document.name} once more?`;
  const form = await confirmed(title, content, "Assign another pass");
  const again = form ? chosen(form, passes) : [];
  const acts = again.map(({ person, pass }) => ({
    kind: "assign",
    document: document.id,
    person,
    pass: pass + 1,
  }));
  if (acts.length) await act(...acts);
}
