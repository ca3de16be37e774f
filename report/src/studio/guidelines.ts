/** The guidelines: what annotators read, what has changed, and what managers write. */

import { button, h } from "../dom";
import { directionOf } from "../views/transcript/lines";
import { act, ask, sentenceOf } from "./api";
import { confirmed } from "./dialogs";
import { recall, remember } from "./kept";
import { markdown } from "./markdown";
import { paced, type Studio, type View } from "./view";
import type { Guidelines } from "./wire";

/** What a manager writes, as this browser keeps it, and the version that it changes. */
type Draft = Pick<Guidelines, "version" | "text">;
const KEPT = "guidelines";
/** What is marked if it is new. */
const LEAVES = "p, h2, h3, h4, h5, h6, th, td, pre";

export class GuidelinesView implements View {
  readonly title = "Guidelines";
  private shown?: Guidelines;
  private draft?: Draft;
  private readonly said = h("p.note", { role: "status" });
  private readonly write = button("Change…", () => this.begin());
  private readonly box = h("textarea", {
    rows: 24,
    maxlength: 200_000,
    spellcheck: "true",
    "aria-label": "Guidelines in Markdown",
    input: () => this.keep(),
  });
  private readonly writer = h(
    "div.writer",
    { hidden: true },
    this.box,
    h(
      "div.choices",
      button("Save as a new version", () => void this.save().catch(this.fail), { class: "main" }),
      button("Discard", () => void this.discard()),
    ),
    h("p.note", "Markdown. Annotators see what is new."),
  );
  private readonly text = h("div.guidelines");
  readonly element = h(
    "section",
    h("h1", { id: "guidelines-title" }, "Guidelines"),
    h("div.group", this.said, this.write),
    h("div.guidelines-desk", this.writer, this.text),
  );
  readonly again = () => void this.load().catch(this.fail);
  /** Long texts take longer to show than a key to press. */
  private readonly preview = paced(() => Promise.resolve(this.tell()), 250);

  constructor(private readonly studio: Studio) {}

  private get isManager(): boolean {
    return this.studio.me.person.role === "manager";
  }

  opened(): void {
    const kept = recall(this.studio.owner, KEPT);
    if (kept && this.isManager) this.draft = JSON.parse(kept);
    this.again();
  }

  private readonly fail = (problem: unknown): void => {
    this.said.textContent = sentenceOf(problem);
  };

  /** Take what the server has; marks of what is new stay until there is a newer version. */
  private async load(): Promise<void> {
    const found = await ask<Guidelines>("/api/guidelines");
    if (found.version === this.shown?.version) return;
    this.shown = found;
    this.tell();
    const { version, seen } = found;
    if (version > seen) await act({ kind: "seen", version });
    this.studio.me.guidelines = { version, seen: version };
  }

  /** Show the draft while one is written, and else what is in force. */
  private tell(): void {
    const { shown, draft } = this;
    if (!shown) return;
    const isEmpty = !shown.version && !draft;
    this.write.textContent = isEmpty ? "Write them" : "Change…";
    this.write.classList.toggle("main", isEmpty);
    this.write.hidden = !this.isManager || draft !== undefined;
    this.writer.hidden = !draft;
    if (draft && this.box.value !== draft.text) this.box.value = draft.text;
    const facts = factsOf(shown, draft);
    if (this.said.textContent !== facts) this.said.textContent = facts;
    const text = draft?.text ?? shown.text;
    const made = markdown(text);
    // Browsers find the direction of long texts themselves, but slowly.
    this.text.dir = this.box.dir = directionOf(text.split(/\s+/));
    if (shown.before !== null && shown.seen > 0 && !draft) markNew(made, markdown(shown.before));
    this.text.replaceChildren(...made.childNodes);
  }

  private begin(): void {
    this.draft = { version: this.shown?.version ?? 0, text: this.shown?.text ?? "" };
    this.tell();
    this.box.focus();
  }

  private keep(): void {
    if (!this.draft) return;
    this.draft.text = this.box.value;
    remember(this.studio.owner, KEPT, JSON.stringify(this.draft));
    this.preview();
  }

  private async save(): Promise<void> {
    await act({ kind: "guidelines", text: this.box.value });
    this.end();
    await this.load();
  }

  private async discard(): Promise<void> {
    const isChanged = this.draft?.text !== this.shown?.text;
    const question = "What you have written since the last version is removed.";
    if (!isChanged || (await confirmed("Discard the draft?", question, "Discard"))) this.end();
  }

  private end(): void {
    this.draft = undefined;
    remember(this.studio.owner, KEPT, "");
    this.tell();
  }
}

function factsOf({ version, seen, at }: Guidelines, draft?: Draft): string {
  const late = ` Version ${version} was saved meanwhile: yours would replace it.`;
  if (draft)
    return `A draft, kept in this browser until it is saved.${version > draft.version ? late : ""}`;
  if (!version) return "There are no guidelines yet.";
  const day = at === null ? "" : `, ${new Date(at * 1000).toLocaleDateString()}`;
  const isNew = seen > 0 && version > seen;
  const news = `. What is new since version ${seen} is marked.`;
  return `Version ${version}${day}${isNew ? news : ""}`;
}

/** Mark the paragraphs, headings and cells that were not there before. */
function markNew(made: HTMLElement, before: HTMLElement): void {
  const known = new Set([...before.querySelectorAll(LEAVES)].map((leaf) => leaf.textContent));
  for (const leaf of made.querySelectorAll(LEAVES))
    if (!known.has(leaf.textContent)) leaf.replaceChildren(h("mark", ...leaf.childNodes));
}
