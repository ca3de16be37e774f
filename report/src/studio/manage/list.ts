/** All documents of a project: their states, what comes next, who has them, and new ones. */

import { button, given, h } from "../../dom";
import { grouped, number } from "../../numbers";
import { act, ask, sentenceOf } from "../api";
import { byArrows, headOf } from "../documents";
import { closeMenu } from "../dialogs";
import { paced, type Studio, type View } from "../view";
import type { Known, Managed, Step } from "../wire";
import { adding } from "./add";
import { assignment } from "./assign";
import { chosenDetector } from "./detectors";
import { importLayers } from "./layers";
import { anotherPass, mayPassAgain, ordering, putFirst } from "./order";

const STEPS: [step: Step, text: string][] = [
  ["assign", "to assign"],
  ["wait", "in work"],
  ["adjudicate", "to adjudicate"],
  ["close", "to close"],
  ["done", "closed"],
];
const MOST = 200;
const UNREACHED = 0.1;

export class Managing implements View {
  readonly title = "Documents";
  private documents: Managed[] = [];
  private step: Step | "hidden" | "" = "";
  private most = MOST;
  private readonly isManager: boolean;
  private readonly chips = h("div", { class: "chips", role: "group", "aria-label": "Show" });
  private readonly sought = h("input", { type: "search", autocomplete: "off" });
  private readonly rows = h("tbody");
  private readonly more = h("p", { class: "note" });
  private readonly said = h("div", { class: "told", role: "status" });
  readonly element: HTMLElement;
  readonly again = () => this.refresh();
  readonly progress = () => this.refresh();
  readonly events = () => this.refresh();
  private readonly refresh = paced(() => this.load());

  constructor(private readonly studio: Studio) {
    this.isManager = studio.me.person.role === "manager";
    this.sought.addEventListener("input", () => this.draw());
    const heads = ["document", "words", "annotators", "next"];
    const head = h("tr", {}, ...heads.map((text) => h("th", { scope: "col" }, text)));
    if (this.isManager)
      head.append(h("th", { scope: "col" }, h("span", { class: "hush" }, "more")));
    this.element = h(
      "section",
      {},
      h("h1", { id: "documents-title" }, "Documents"),
      this.chips,
      h(
        "div",
        { class: "tools" },
        h("label", { class: "control" }, h("span", {}, "Find a document"), this.sought),
        ...(this.isManager ? this.managing() : []),
      ),
      this.said,
      h(
        "div",
        { class: "scroll", role: "region", "aria-label": "Documents", tabindex: 0 },
        h("table", { class: "documents managed" }, h("thead", {}, head), this.rows),
      ),
      this.more,
    );
    this.rows.addEventListener("keydown", (event) => byArrows(event, this.rows));
  }

  opened(): void {
    void this.load().then(() => this.rows.querySelector<HTMLElement>("a")?.focus());
  }

  private async load(): Promise<void> {
    try {
      this.documents = await ask<Managed[]>("/api/documents");
      const focused = document.activeElement?.id;
      this.draw();
      if (focused) document.getElementById(focused)?.focus();
    } catch (problem) {
      this.tell(sentenceOf(problem));
    }
  }

  /** The documents that are not hidden, in their order. */
  private get visible(): Managed[] {
    return this.documents.filter((each) => !each.is_hidden);
  }

  /** The documents that the filter and the search leave. */
  private get shown(): Managed[] {
    const sought = this.sought.value.trim().toLowerCase();
    return this.documents.filter(
      (each) =>
        (this.step === "hidden" ? each.is_hidden : !each.is_hidden) &&
        (!this.step || this.step === "hidden" || each.next === this.step) &&
        each.name.toLowerCase().includes(sought),
    );
  }

  private draw(): void {
    const { shown } = this;
    this.drawChips();
    this.rows.replaceChildren(...shown.slice(0, this.most).map((each) => this.row(each)));
    if (!shown.length) this.rows.append(h("tr", {}, h("td", { colspan: 5 }, this.nothing)));
    const left = shown.length - this.most;
    const all = button("Show all", () => ((this.most = Infinity), this.draw()));
    this.more.replaceChildren(...(left > 0 ? [`${grouped(left)} more. `, all] : []));
  }

  private get nothing(): string {
    if (this.documents.length) return "No document is like this.";
    return "There are no documents yet. Add transcripts, or put them into the folder.";
  }

  private drawChips(): void {
    const here = this.documents.filter((each) => !each.is_hidden);
    const hidden = this.documents.length - here.length;
    const chip = (step: Step | "hidden" | "", text: string, count: number) =>
      button(`${text} ${grouped(count)}`, () => ((this.step = step), this.draw()), {
        "aria-pressed": this.step === step,
        id: `chip-${step}`,
      });
    const counts = STEPS.map(
      ([step, text]) => [step, text, here.filter(({ next }) => next === step).length] as const,
    );
    this.chips.replaceChildren(
      chip("", "all", here.length),
      ...counts.filter(([, , count]) => count).map((each) => chip(...each)),
      hidden ? chip("hidden", "hidden", hidden) : "",
    );
  }

  private row(each: Managed): HTMLElement {
    const row = h(
      "tr",
      { class: each.is_hidden ? "gone" : null },
      headOf(each),
      h("td", { class: "number" }, grouped(each.words)),
      h("td", {}, people(each)),
      h("td", { class: `step to-${each.next}` }, this.next(each)),
    );
    if (this.isManager) row.append(h("td", { class: "actions" }, this.menu(each)));
    return row;
  }

  /** What comes next, as a link where this person can do it. */
  private next(each: Managed): HTMLElement | string {
    const { id, next, open, disputes, people: own } = each;
    const finished = own.filter(({ state }) => state === "finished" || state === "sealed").length;
    const isDue = next === "adjudicate" || next === "close";
    const judge = (text: string) =>
      h(
        "a",
        { id: `judge-${id}`, href: `#/adjudicate/${id}`, class: isDue ? "due" : "quiet" },
        text,
      );
    const mayJudge = this.studio.me.person.role !== "observer";
    const said = {
      assign: "assign somebody",
      wait: `wait: ${finished} of ${own.length} finished`,
      adjudicate: `adjudicate ${grouped(open)} of ${grouped(disputes)}`,
      close: "close it",
      done: "closed",
    }[next];
    if (next === "assign" && this.isManager)
      return button("Assign…", () => void this.assign([each]), { id: `assign-${id}` });
    const isLinked = mayJudge && next !== "assign" && (next !== "wait" || finished > 0);
    return isLinked ? judge(said) : said;
  }

  private menu(each: Managed): HTMLElement {
    const { id, name } = each;
    const key = { document: id, person: null, pass: null };
    const hasBegun = each.people.some(({ acts, source }) => acts || source);
    const choice = (text: string, does: () => Promise<void> | void) =>
      button(text, () => {
        closeMenu();
        void this.doing(does);
      });
    return h(
      "details",
      { class: "menu", name: "menu" },
      h("summary", { "aria-label": `More for ${name}` }, "⋯"),
      h(
        "div",
        { class: "choices" },
        choice("Assign…", () => this.assign([each])),
        mayPassAgain(each) && choice("Another pass…", () => anotherPass(each)),
        !hasBegun && choice("Begin with a detector…", () => this.begin(each)),
        choice("Put first", () => putFirst(this.visible, each)),
        this.studio.me.project.waits &&
          !each.is_released &&
          choice("Let annotators see others", () => act({ kind: "release", document: id })),
        choice(each.is_omitted ? "Count in agreement" : "Leave out of agreement", () =>
          act({ kind: each.is_omitted ? "count" : "omit", ...key }),
        ),
        choice(each.is_hidden ? "Restore" : "Hide", () =>
          act({ kind: each.is_hidden ? "restore" : "hide", ...key }),
        ),
      ),
    );
  }

  private async doing(does: () => Promise<void> | void): Promise<void> {
    try {
      await does();
    } catch (problem) {
      this.tell(sentenceOf(problem));
    }
    await this.load();
  }

  private async assign(documents: Managed[]): Promise<void> {
    await this.doing(async () => {
      const everyone = await ask<Known[]>("/api/people");
      const annotators = everyone.filter((each) => each.role === "annotator" && !each.is_hidden);
      await assignment(documents, annotators);
    });
  }

  /** Let annotators begin with a detector's boundaries. */
  private async begin(each: Managed): Promise<void> {
    const detector = await chosenDetector(each);
    if (detector === undefined) return;
    this.tell(detector ? `Running ${detector} on ${each.name} …` : "Removing the boundaries …");
    const path = `/api/documents/${each.id}/begin`;
    const found = await ask<{ boundaries: number }>(path, "POST", { detector });
    const count = number(found.boundaries, "boundary").replace(/boundarys$/, "boundaries");
    this.tell(
      `${each.name} begins with ${detector ? `${count} of ${detector}` : "no boundaries"}.`,
    );
  }

  /** What concerns all documents: new ones, who has them, and their order. */
  private managing(): HTMLElement[] {
    return [
      h(
        "div",
        { class: "group" },
        button("Assign…", () => void this.assign(this.shown)),
        button("Order…", () => void this.doing(() => this.order())),
      ),
      h(
        "div",
        { class: "group adding" },
        ...adding(this.said, () => this.load()),
        button("Import layers…", () => void this.doing(() => this.importing())),
      ),
    ];
  }

  private async order(): Promise<void> {
    const { project } = this.studio.me;
    project.arrangement = await ordering(this.visible, project.arrangement);
  }

  private async importing(): Promise<void> {
    const told = await importLayers(this.documents, await ask<Known[]>("/api/people"));
    if (told.length) this.tell(...told.map((line) => `Imported ${line}.`));
  }

  private tell(...lines: string[]): void {
    this.said.replaceChildren(...lines.map((line) => h("p", {}, line)));
  }
}

/** Who has a document, and how far they are. */
function people({ people: own, words, aside }: Managed): HTMLElement | string {
  const kept = Object.entries(aside).map(([name, count]) =>
    h("li", { class: "aside" }, `${number(count, "act")} of `, given(name), " kept aside"),
  );
  if (!own.length && !kept.length) return "nobody yet";
  return h(
    "ul",
    { class: "workers" },
    ...own.map((each) =>
      h(
        "li",
        {},
        h("b", {}, given(each.name), each.pass > 1 ? `, pass ${each.pass}` : ""),
        " ",
        h("span", { class: isDone(each) ? "how ready" : "how" }, howFar(each, words)),
      ),
    ),
    ...kept,
  );
}

function isDone({ is_finished, state }: Managed["people"][number]): boolean {
  return is_finished || state === "sealed";
}

/** `finished, 99 % not reached, 2 s`, or `40 %`. */
function howFar(each: Managed["people"][number], words: number): string {
  const reached = Math.min(1, each.reached / Math.max(1, words - 1));
  const percent = (share: number) => `${Math.round(share * 100)} %`;
  const state = isDone(each) ? "finished" : each.acts ? percent(reached) : "not begun";
  const facts = [
    state,
    isDone(each) &&
      !each.source &&
      1 - reached > UNREACHED &&
      `${percent(1 - reached)} not reached`,
    isDone(each) && !each.source && each.seconds < 60 && `${each.seconds} s`,
    each.source && "imported",
    !each.is_blind && "not blind",
    each.is_revised && "revised",
  ];
  return facts.filter(Boolean).join(", ");
}
