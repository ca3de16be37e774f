/** The guidelines: what annotators read, what has changed, and what managers write. */

import { button, type Child, h } from "../dom";
import { act, ask, sentenceOf } from "./api";
import type { Studio, View } from "./view";
import type { Guidelines } from "./wire";

export class GuidelinesView implements View {
  readonly title = "Guidelines";
  private readonly text = h("div", { class: "guidelines" });
  private readonly said = h("p", { class: "note", role: "status" });
  private readonly box = h("textarea", { rows: 18, maxlength: 200_000, spellcheck: "true" });
  readonly element: HTMLElement;
  readonly again = () => void this.load();

  constructor(private readonly studio: Studio) {
    const isManager = studio.me.person.role === "manager";
    this.element = h(
      "section",
      {},
      h("h1", { id: "guidelines-title" }, "Guidelines"),
      this.said,
      this.text,
      isManager && this.writer(),
    );
  }

  private writer(): HTMLElement {
    const note = "In Markdown. Saving makes a new version; annotators see what has changed.";
    return h(
      "details",
      { class: "writer" },
      h("summary", {}, "Change the guidelines"),
      h("label", { class: "control" }, h("span", {}, note), this.box),
      button("Save as a new version", () => void this.save(), { class: "main" }),
    );
  }

  opened(): void {
    void this.load();
  }

  private async load(): Promise<void> {
    try {
      const found = await ask<Guidelines>("/api/guidelines");
      this.show(found);
      if (found.version > found.seen) await act({ kind: "seen", version: found.version });
      this.studio.me.guidelines = { version: found.version, seen: found.version };
    } catch (problem) {
      this.said.textContent = sentenceOf(problem);
    }
  }

  private show({ version, text, seen, before, at }: Guidelines): void {
    this.box.value = text;
    const day = at === null ? "" : new Date(at * 1000).toLocaleDateString();
    const isNew = seen > 0 && version > seen;
    const changed = isNew ? ` Lines that are new since version ${seen} are marked.` : "";
    this.said.textContent = version
      ? `Version ${version}, ${day}.${changed}`
      : "There are none yet.";
    this.text.replaceChildren(...rendered(text, isNew ? before : null));
  }

  private async save(): Promise<void> {
    try {
      await act({ kind: "guidelines", text: this.box.value.replace(/\r/g, "") });
      await this.load();
    } catch (problem) {
      this.said.textContent = sentenceOf(problem);
    }
  }
}

/** Headings, lists and paragraphs of Markdown; all else is text. */
function rendered(text: string, before: string | null): HTMLElement[] {
  const known = before === null ? null : new Set(before.split("\n").map((line) => line.trim()));
  const made: HTMLElement[] = [];
  let [list, paragraph]: (HTMLElement | undefined)[] = [];
  for (const line of text.split("\n")) {
    const trimmed = line.trim();
    const isNew = known !== null && trimmed !== "" && !known.has(trimmed);
    const heading = /^(#{1,6})\s+(.*)/.exec(trimmed);
    const item = /^(?:[-*+]|\d+[.)])\s+(.*)/.exec(trimmed);
    if (!item) list = undefined;
    if (!trimmed || heading || item) paragraph = undefined;
    const content = (source: string) => (isNew ? [h("mark", {}, ...spans(source))] : spans(source));
    if (heading) {
      const level = (heading[1] ?? "").length < 2 ? "h2" : "h3";
      made.push(h(level, {}, ...content(heading[2] ?? "")));
    } else if (item) {
      if (!list) made.push((list = h("ul")));
      list.append(h("li", {}, ...content(item[1] ?? "")));
    } else if (trimmed) {
      if (!paragraph) made.push((paragraph = h("p")));
      else paragraph.append(" ");
      paragraph.append(...content(trimmed).filter((each) => each instanceof Node || each));
    }
  }
  return made;
}

/** Words in bold, in italics, and as code. */
function spans(text: string): (HTMLElement | string)[] {
  return text.split(/(\*\*[^*]+\*\*|\*[^*]+\*|`[^`]+`)/).map((part): HTMLElement | string => {
    if (/^\*\*.+\*\*$/.test(part)) return h("b", {}, part.slice(2, -2));
    if (/^\*.+\*$/.test(part)) return h("i", {}, part.slice(1, -1));
    if (/^`.+`$/.test(part)) return h("code", {}, part.slice(1, -1));
    return part;
  }) satisfies Child[];
}
