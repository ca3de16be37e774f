/** Systems against the references as they stand, and everything as files. */

import { button, given, h } from "../../dom";
import { ask, request, sentenceOf } from "../api";
import { save } from "../../dom";
import type { View } from "../view";
import type { Detector, Listed, Managed } from "../wire";

/** A file of a system, for one document. */
interface Entry {
  name: string;
  document: string;
  file: string;
  text: string;
}

export class Score implements View {
  readonly title = "Score and export";
  private readonly detectors = h("input", { type: "text", value: "best" });
  private readonly system = h("input", { type: "text", value: "system" });
  private readonly files = h("input", { type: "file", multiple: true });
  private readonly able = h("div", { class: "able" });
  private readonly matches = h("ul", { class: "matches" });
  private readonly said = h("p", { class: "note", role: "status" });
  private entries: Entry[] = [];
  private runnable: Detector[] = [];
  readonly element: HTMLElement;

  constructor(private readonly project: string) {
    this.files.addEventListener("change", () => void this.take());
    const field = (text: string, input: HTMLElement) =>
      h("label", { class: "control" }, h("span", {}, text), input);
    this.element = h(
      "section",
      {},
      h("h1", { id: "score-title" }, "Score and export"),
      h("h2", {}, "Score systems"),
      h(
        "p",
        { class: "note" },
        "Detectors and files are scored against what annotators have made; the report opens in a new tab.",
      ),
      h(
        "form",
        { class: "tools", submit: (event) => void this.report(event) },
        field("Detectors, separated by spaces", this.detectors),
        field("Files of a system, named like the documents", this.files),
        field("Name of the system", this.system),
        h("button", { type: "submit", class: "main" }, "Open the report"),
      ),
      this.able,
      this.matches,
      this.said,
      h("h2", {}, "Export"),
      h(
        "p",
        { class: "note" },
        "One folder for each annotator, the adjudicated references, and the log, as files that ",
        h("code", {}, "caesura transcript --ref"),
        " takes.",
      ),
      button("Download the export", () => void this.export(), { class: "main" }),
    );
  }

  opened(): void {
    this.detectors.addEventListener("input", () => this.drawAble());
    void this.load();
  }

  /** The detectors that can run on the first document, to be added by a click. */
  private async load(): Promise<void> {
    try {
      const [first] = await ask<Managed[]>("/api/documents");
      if (!first) return;
      const every = await ask<Detector[]>(`/api/documents/${first.id}/detectors`);
      this.runnable = every.filter(({ why_not }) => !why_not);
      this.drawAble();
    } catch (problem) {
      this.said.textContent = sentenceOf(problem);
    }
  }

  private get chosen(): string[] {
    return this.detectors.value.split(/[\s,]+/).filter(Boolean);
  }

  private drawAble(): void {
    const { chosen } = this;
    const toggle = (name: string) => {
      const isOn = chosen.includes(name);
      const names = isOn ? chosen.filter((each) => each !== name) : [...chosen, name];
      this.detectors.value = names.join(" ");
      this.drawAble();
      document.getElementById(`detector-${name}`)?.focus();
    };
    this.able.replaceChildren(
      ...this.runnable.map(({ name, about }) =>
        h(
          "p",
          {},
          button(name, () => toggle(name), {
            id: `detector-${name}`,
            "aria-pressed": chosen.includes(name),
          }),
          " ",
          about,
        ),
      ),
    );
  }

  /** Match files to documents by their names without endings. */
  private async take(): Promise<void> {
    try {
      const known = (await ask<Listed[]>("/api/documents")).map(({ name }) => name);
      const files = [...(this.files.files ?? [])];
      const found = files.map((file) => ({ file, document: matchOf(file.name, known) }));
      this.entries = await Promise.all(
        found.flatMap(({ file, document }) => (document ? [this.entry(file, document)] : [])),
      );
      this.matches.replaceChildren(
        ...found.map(({ file, document }) =>
          h(
            "li",
            {},
            given(file.name),
            document ? " → " : ": there is no document of this name",
            given(document ?? ""),
          ),
        ),
      );
    } catch (problem) {
      this.said.textContent = sentenceOf(problem);
    }
  }

  private async entry(file: File, document: string): Promise<Entry> {
    return { name: "", document, file: file.name, text: await file.text() };
  }

  /** The report has a policy of its own, so it is opened from the server and not from here. */
  private async report(event: Event): Promise<void> {
    event.preventDefault();
    const tab = open("about:blank", "_blank");
    this.said.textContent = "Scoring …";
    const name = this.system.value.trim() || "system";
    const detectors = this.chosen;
    const systems = this.entries.map((each) => ({ ...each, name }));
    try {
      const answer = await request("/api/report", "POST", { detectors, systems });
      const place = answer.headers.get("content-location");
      if (tab && place) tab.location.href = new URL(place, location.origin).href;
      else save("report.html", await answer.blob());
      this.said.textContent =
        tab && place ? "The report is open in a new tab." : "The report is saved.";
    } catch (problem) {
      tab?.close();
      this.said.textContent = sentenceOf(problem);
    }
  }

  private async export(): Promise<void> {
    try {
      const answer = await request("/api/export", "GET");
      save(`${this.project}.zip`, await answer.blob());
    } catch (problem) {
      this.said.textContent = sentenceOf(problem);
    }
  }
}

/** The document whose name is the longest that a file's name begins with, up to a dot. */
function matchOf(file: string, documents: string[]): string | undefined {
  const parts = file.split(".");
  for (let count = parts.length; count > 0; count--) {
    const stem = parts.slice(0, count).join(".");
    if (documents.includes(stem)) return stem;
  }
  return undefined;
}
