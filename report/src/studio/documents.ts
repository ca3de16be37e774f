/** All documents, how far they are, and for managers the files that become documents. */

import { button, given, h } from "../dom";
import { grouped } from "../numbers";
import { ask, request, sentenceOf } from "./api";
import { asked, confirmed } from "./dialogs";
import { paced, type Studio, type View } from "./view";
import type { Listed, Progress } from "./wire";

export class Documents implements View {
  readonly title = "Documents";
  private readonly rows = h("tbody");
  private readonly said = h("p", { class: "note", role: "status" });
  private readonly table: HTMLElement;
  readonly element: HTMLElement;
  readonly again = () => this.refresh();
  readonly progress = () => this.refresh();
  readonly events = () => this.refresh();
  private readonly refresh = paced(() => this.load());

  constructor(private readonly studio: Studio) {
    const { is_manager } = studio.me.person;
    const heads = ["document", "words", is_manager ? "annotators" : "your progress"];
    const head = h("tr", {}, ...heads.map((text) => h("th", { scope: "col" }, text)));
    if (is_manager) head.append(h("th", { scope: "col" }, h("span", { class: "hush" }, "actions")));
    this.table = h(
      "div",
      { class: "scroll", role: "region", "aria-label": "Documents", tabindex: 0 },
      h("table", { class: "documents" }, h("thead", {}, head), this.rows),
    );
    this.element = h(
      "section",
      {},
      h("h1", { id: "documents-title" }, "Documents"),
      this.table,
      is_manager && this.uploader(),
      this.said,
    );
    this.rows.addEventListener("keydown", (event) => this.pressed(event));
  }

  opened(): void {
    void this.load().then(() => this.rows.querySelector<HTMLElement>("a")?.focus());
  }

  private async load(): Promise<void> {
    try {
      const documents = await ask<Listed[]>("/api/documents");
      const focused = document.activeElement?.id;
      this.rows.replaceChildren(...documents.map((each) => this.row(each)));
      if (focused) document.getElementById(focused)?.focus();
      if (!documents.length) this.rows.append(this.empty());
    } catch (problem) {
      this.said.textContent = sentenceOf(problem);
    }
  }

  private empty(): HTMLElement {
    const text = "There are no documents yet. Add transcripts below, or put them into the folder.";
    return h("tr", {}, h("td", { colspan: 4 }, text));
  }

  /** Up and Down go from document to document. */
  private pressed(event: KeyboardEvent): void {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step) return;
    const links = [...this.rows.querySelectorAll<HTMLElement>("th a")];
    const at = links.findIndex((link) => link === document.activeElement);
    const next = links[at + step];
    if (at < 0 || !next) return;
    event.preventDefault();
    next.focus();
  }

  private row(each: Listed): HTMLElement {
    const { is_manager } = this.studio.me.person;
    const link = h(
      "a",
      { id: `document-${each.id}`, href: `#/document/${each.id}` },
      given(each.name),
    );
    const facts = [
      each.has_audio && "sound",
      each.begins_with && `begins with ${grouped(each.begins_with)} boundaries`,
    ].filter(Boolean);
    const head = h(
      "th",
      { scope: "row" },
      link,
      facts.length ? h("small", {}, facts.join(", ")) : null,
    );
    const row = h("tr", {}, head, h("td", { class: "number" }, grouped(each.words)));
    if (!is_manager) row.append(h("td", {}, stateOf(each, each.words)));
    else
      row.append(
        h("td", {}, this.people(each)),
        h("td", { class: "actions" }, ...this.actions(each)),
      );
    return row;
  }

  private people({ people = {}, words }: Listed): HTMLElement | string {
    const every = Object.entries(people);
    if (!every.length) return "nobody yet";
    return h(
      "ul",
      { class: "workers" },
      ...every.map(([name, own]) => h("li", {}, h("b", {}, given(name)), " ", stateOf(own, words))),
    );
  }

  private actions(each: Listed): HTMLElement[] {
    const hasBegun = Object.keys(each.people ?? {}).length > 0;
    const judge = h(
      "a",
      { id: `judge-${each.id}`, href: `#/adjudicate/${each.id}` },
      "Adjudicate",
      nameFor(each),
    );
    if (hasBegun) return [judge];
    return [
      button("Begin with…", () => void this.begin(each), {
        id: `begin-${each.id}`,
        "aria-label": `Begin ${each.name} with a detector’s boundaries`,
      }),
    ];
  }

  /** Let annotators begin with a detector's boundaries. */
  private async begin({ id, name, begins_with }: Listed): Promise<void> {
    const detector = await asked(`Begin ${name} with a detector’s boundaries`, "Detector", "best", {
      does: "Run",
      note: "Annotators see these boundaries and correct them. Leave it empty for none.",
    });
    if (detector === undefined) return;
    if (!detector.trim() && begins_with && !(await confirmed("Remove them?", "", "Remove"))) return;
    this.said.textContent = `Running ${detector.trim()} …`;
    try {
      const found = await ask<{ boundaries: number }>(`/api/documents/${id}/begin`, "POST", {
        detector: detector.trim() || null,
      });
      this.said.textContent = `${name} begins with ${grouped(found.boundaries)} boundaries.`;
    } catch (problem) {
      this.said.textContent = sentenceOf(problem);
    }
    await this.load();
  }

  private uploader(): HTMLElement {
    const input = h("input", { type: "file", multiple: true });
    input.addEventListener("change", () => void this.upload(input));
    const label = "Add documents: text, Whisper JSON, CTM, TextGrid, EAF, SRT, …";
    return h("label", { class: "control upload" }, h("span", {}, label), input);
  }

  private async upload(input: HTMLInputElement): Promise<void> {
    const told: string[] = [];
    for (const file of input.files ?? []) {
      this.said.textContent = `Adding ${file.name} …`;
      try {
        const path = `/api/upload?name=${encodeURIComponent(file.name)}`;
        const added = (await (await request(path, "POST", file)).json()) as Listed[];
        told.push(`Added ${added.map(({ name }) => name).join(", ")}.`);
      } catch (problem) {
        told.push(`${file.name}: ${sentenceOf(problem)}`);
      }
    }
    this.said.textContent = told.join(" ");
    input.value = "";
    await this.load();
  }
}

function nameFor({ name }: Listed): HTMLElement {
  return h("span", { class: "hush" }, ` ${name}`);
}

function stateOf(own: Progress, words: number): HTMLElement {
  const { is_finished, acts, boundaries, comments, reached } = own;
  const state = is_finished ? "finished" : acts ? "begun" : "not begun";
  const share = is_finished ? 1 : Math.min(1, reached / Math.max(1, words - 1));
  const facts = [
    acts > 0 && `${grouped(boundaries)} ${boundaries === 1 ? "boundary" : "boundaries"}`,
    comments > 0 && `${grouped(comments)} ${comments === 1 ? "comment" : "comments"}`,
  ].filter(Boolean);
  const fill = h("span", { class: "fill" });
  fill.style.width = `${share * 100}%`;
  const text = state === "begun" ? `${Math.round(share * 100)}%` : state;
  return h(
    "span",
    { class: "progress" },
    h("span", { class: `state ${state.replace(" ", "-")}` }, text),
    acts > 0 && h("span", { class: "bar", "aria-hidden": true }, fill),
    facts.length ? h("small", {}, facts.join(", ")) : null,
  );
}
