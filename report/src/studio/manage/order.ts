/** The order of documents, and further passes. */

import { given, h, select } from "../../dom";
import { act } from "../api";
import { choice, show } from "../dialogs";
import type { Arrangement, Managed, ProjectAct } from "../wire";

const ARRANGEMENTS: [how: Arrangement, text: string, about: string][] = [
  ["listed", "As listed", "everyone has them in the order of this list"],
  ["random", "At random", "everyone has an order of their own, which stays"],
  [
    "least",
    "Least annotated first",
    "what the fewest have finished; what one has begun stays first",
  ],
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

/** Ask in which order annotators get their documents; the arrangement that holds then. */
export async function ordering(documents: Managed[], now: Arrangement): Promise<Arrangement> {
  let sorting: Sorting = "";
  const boxes = ARRANGEMENTS.map(([how, text, about]) => {
    const box = h("input", { type: "radio", name: "arrangement", value: how });
    box.checked = how === now;
    return { how, box, line: optionLine(box, text, about) };
  });
  const answer = await show(
    "The order of documents",
    [choice("Save", "yes", true), choice("Cancel", "")],
    h(
      "fieldset",
      { class: "options" },
      h("legend", {}, "Annotators get their documents"),
      ...boxes.map(({ line }) => line),
    ),
    select("Sort this list", SORTINGS, (value) => (sorting = value as Sorting)),
  );
  const chosen = boxes.find(({ box }) => box.checked)?.how ?? now;
  if (answer !== "yes") return now;
  const acts: ProjectAct[] = chosen === now ? [] : [{ kind: "arrange", how: chosen }];
  if (sorting) acts.push(orderOf([...documents].sort(COMPARED[sorting])));
  if (acts.length) await act(...acts);
  return chosen;
}

/** Put a document before all others. */
export async function putFirst(documents: Managed[], first: Managed): Promise<void> {
  await act(orderOf([first, ...documents.filter(({ id }) => id !== first.id)]));
}

function orderOf(documents: Managed[]): ProjectAct {
  return { kind: "order", documents: documents.map(({ id }) => id) };
}

/** A choice of several, with what it means. */
export function optionLine(box: HTMLInputElement, text: string, about: string): HTMLElement {
  return h("label", { class: "option" }, box, h("span", {}, given(text), h("small", {}, about)));
}

/** The last pass of everyone who has finished theirs. */
function finishedPasses({ people }: Managed): Managed["people"] {
  const last = new Map(people.map((each) => [each.person, each]));
  return [...last.values()].filter(({ state }) => state === "finished" || state === "sealed");
}

export function mayPassAgain(document: Managed): boolean {
  return !document.is_closed && finishedPasses(document).length > 0;
}

/** Ask who annotates a document once more, from nothing. */
export async function anotherPass(document: Managed): Promise<void> {
  const boxes = finishedPasses(document).map((each) => {
    const box = h("input", { type: "checkbox" });
    const shown = each.state === "sealed" ? " (others were shown: not blind)" : "";
    return { each, box, line: h("label", {}, box, " ", given(each.name), shown) };
  });
  const answer = await show(
    `Who annotates ${document.name} once more?`,
    [choice("Assign another pass", "yes", true), choice("Cancel", "")],
    h("div", { class: "checks" }, ...boxes.map(({ line }) => line)),
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
    .map(({ each }) => ({
      kind: "assign", document: document.id, person: each.person, pass: each.pass + 1,
    })); // prettier-ignore
  if (acts.length) await act(...acts);
}
