/** The documents of an annotator, how far they are, and which comes next. */

import { type Child, given, h } from "../dom";
import { grouped, number } from "../numbers";
import { ask, sentenceOf } from "./api";
import { firstScreen } from "./first";
import { update } from "./update";
import { paced, type Studio, type View } from "./view";
import type { Listed, Progress } from "./wire";

export class Documents implements View {
  readonly title = "Documents";
  private readonly rows = h("tbody");
  private readonly lead = h("p.lead");
  private readonly said = h("p.note", { role: "status" });
  private readonly list: HTMLElement;
  readonly element: HTMLElement;
  readonly again = paced(() => this.load());
  readonly progress = this.again;
  readonly events = this.again;
  private next?: Listed;

  constructor(readonly studio: Studio) {
    this.list = listing(["document", "words", "your progress"], this.rows);
    this.element = h(
      "section",
      h("h1", { id: "documents-title" }, "Documents"),
      firstScreen(studio.owner, () => void this.begin()),
      this.lead,
      this.list,
      this.said,
    );
  }

  opened(): void {
    void this.load().then(() =>
      this.rows.querySelector<HTMLElement>("a")?.focus({ preventScroll: true }),
    );
  }

  private async load(): Promise<void> {
    try {
      const documents = await ask<Listed[]>("/api/documents");
      update(this.rows, documents.map(row));
      this.list.hidden = !documents.length;
      this.tell(documents);
    } catch (problem) {
      this.said.textContent = sentenceOf(problem);
    }
  }

  /** Open the first document, once it is known which that is. */
  private async begin(): Promise<void> {
    await this.load();
    if (this.next) this.studio.go(`/document/${this.next.id}`);
  }

  private tell(documents: Listed[]): void {
    const next = (this.next = documents.find((each) => !each.is_finished && !each.is_closed));
    const { version, seen } = this.studio.me.guidelines;
    const read = seen ? "The guidelines have changed." : "Read the guidelines first.";
    const guide = version > seen ? [h("a", { href: "#/guidelines" }, read), " "] : [];
    const rest = documents.length
      ? "You have finished everything."
      : "Nothing is assigned to you yet.";
    const link = next && h("a", { href: `#/document/${next.id}` }, given(next.name));
    this.lead.replaceChildren(...guide, ...(link ? ["Next: ", link] : [rest]));
  }
}

/** A list of documents, in which Up and Down go from one to the next. */
export function listing(heads: Child[], rows: HTMLElement, kind = ""): HTMLElement {
  rows.addEventListener("keydown", (event) => byArrows(event, rows));
  const head = h("tr", ...heads.map((text) => h("th", { scope: "col" }, text)));
  return h(
    "div.scroll",
    { role: "region", "aria-label": "Documents", tabindex: 0 },
    h("table", { class: `documents ${kind}` }, h("thead", head), rows),
  );
}

function byArrows(event: KeyboardEvent, rows: HTMLElement): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (!step) return;
  const links = [...rows.querySelectorAll<HTMLElement>("th a")];
  const at = links.findIndex((link) => link === document.activeElement);
  const next = links[at + step];
  if (at < 0 || !next) return;
  event.preventDefault();
  next.focus();
}

function row(each: Listed): HTMLElement {
  return h(
    "tr",
    { id: `row-${each.id}` },
    headOf(each),
    h("td.number", grouped(each.words)),
    h("td", progressOf(each)),
  );
}

/** The name of a document, and what it has. */
export function headOf(each: Omit<Listed, keyof Progress>): HTMLElement {
  const link = { id: `document-${each.id}`, href: `#/document/${each.id}` };
  return h(
    "th",
    { scope: "row" },
    h("a", link, given(each.name)),
    small(
      each.has_audio && "sound",
      (each.pass ?? 1) > 1 && `pass ${each.pass}: once more, from the beginning`,
    ),
  );
}

/** How far somebody is in a document. */
function progressOf({ is_finished, is_closed, words, ...own }: Listed): HTMLElement {
  const { acts, boundaries, comments } = own;
  const share = is_finished ? 1 : Math.min(1, own.reached / Math.max(1, words - 1));
  const fill = h("span.fill");
  fill.style.width = `${share * 100}%`;
  const name = is_closed ? "closed" : is_finished ? "finished" : acts ? "begun" : "not begun";
  const text = name === "begun" ? `${Math.round(share * 100)}%` : name;
  return h(
    "span.progress",
    h("span", { class: `state ${name.replace(" ", "-")}` }, text),
    acts > 0 && h("span.bar", { "aria-hidden": true }, fill),
    small(acts > 0 && number(boundaries, "boundary"), comments > 0 && number(comments, "comment")),
  );
}

function small(...facts: (string | false)[]): Child {
  const told = facts.filter(Boolean).join(", ");
  return told && h("small", told);
}
