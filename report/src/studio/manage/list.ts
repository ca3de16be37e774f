/** All documents of a project: their states, what comes next, who has them, and new ones. */

import { button, field, given, h, save } from "../../dom";
import { grouped } from "../../numbers";
import { ask, request, sentenceOf } from "../api";
import { confirmed, menu } from "../dialogs";
import { headOf, listing } from "../documents";
import { update } from "../update";
import { paced, type Studio, type View } from "../view";
import type { Managed, Step } from "../wire";
import { adding } from "./add";
import { anotherPass, assignment, finishedPasses } from "./assign";
import { eraseDocument } from "./erase";
import { importLayers } from "./layers";
import { putFirst, settings } from "./settings";

const STEPS: [step: Step | "", text: string][] = [
  ["", "all"],
  ["assign", "to assign"],
  ["wait", "in work"],
  ["adjudicate", "to adjudicate"],
  ["close", "to close"],
  ["done", "closed"],
];
const MOST = 200;
const UNREACHED = 0.1;

/** What somebody does here, and what there is to say of it, in lines. */
type Does = () => Promise<string | void>;

export class Managing implements View {
  readonly title = "Documents";
  private documents: Managed[] = [];
  private step: Step | "" = "";
  private most = MOST;
  private readonly isManager: boolean;
  private readonly lead = h("p.lead");
  private readonly chips = h("div.chips", { role: "group", "aria-label": "Show" });
  private readonly sought = h("input", { type: "search", input: () => this.draw() });
  private readonly find = field("Find a document", this.sought);
  private readonly rows = h("tbody");
  private readonly list: HTMLElement;
  private readonly more = h("p.note");
  private readonly said = h("div.told", { role: "status" });
  private readonly assigning = this.does("Assign…", () => assignment(this.shown));
  private readonly exporting = this.does("Export…", () => this.export());
  private readonly pickers = adding(this.said, () => this.doing());
  readonly element: HTMLElement;
  readonly again = paced(() => this.doing());
  readonly progress = this.again;
  readonly events = this.again;

  constructor(private readonly studio: Studio) {
    this.isManager = studio.me.person.role === "manager";
    const heads = ["document", "words", "annotators", "next"];
    const more = this.isManager ? [h("span.hush", "more")] : [];
    this.list = listing([...heads, ...more], this.rows, "managed");
    const importing = this.does("Import layers…", () => importLayers(this.documents));
    const setting = this.does("Settings…", () => settings(studio.me.project, this.documents));
    this.element = h(
      "section",
      h("h1", { id: "documents-title" }, "Documents"),
      this.lead,
      this.chips,
      h(
        "div.tools",
        this.find,
        this.isManager && h("div.group", ...this.pickers, importing),
        this.isManager && h("div.group", this.assigning, this.exporting, setting),
      ),
      this.said,
      this.list,
      this.more,
    );
  }

  opened(): void {
    void this.doing().then(() => this.rows.querySelector<HTMLElement>("a")?.focus());
  }

  /** Do something, and show how the documents are then; what there is to say of it is told. */
  private async doing(act?: Does): Promise<void> {
    for (const each of [act, () => this.load()]) {
      const told = await each?.().catch(sentenceOf);
      if (told) this.said.replaceChildren(...told.split("\n").map((line) => h("p", line)));
    }
  }

  private async load(): Promise<void> {
    this.documents = await ask<Managed[]>("/api/documents");
    this.draw();
  }

  /** The documents that the filter and the search leave. */
  private get shown(): Managed[] {
    const sought = this.sought.value.trim().toLowerCase();
    return this.at(this.step).filter(({ name }) => name.toLowerCase().includes(sought));
  }

  /** The documents at a step. */
  private at(step: Step | ""): Managed[] {
    return this.documents.filter(({ next }) => !step || next === step);
  }

  private draw(): void {
    const { shown, documents, isManager } = this;
    const isNew = !documents.length;
    for (const each of [this.chips, this.find, this.assigning, this.exporting]) each.hidden = isNew;
    this.list.hidden = !shown.length;
    this.pickers[0]?.querySelector("button")?.classList.toggle("main", isNew);
    const isUnassigned = !isNew && documents.every(({ people }) => !people.length);
    this.assigning.classList.toggle("main", isUnassigned);
    this.lead.textContent = isNew
      ? `There are no documents yet.${isManager ? " Add transcripts, with their sound if you have it." : ""}`
      : !shown.length
        ? "No document is like this."
        : isUnassigned && isManager
          ? "Nobody has a document yet."
          : "";
    const rows = shown.slice(0, this.most).map((each) => this.row(each));
    update(this.chips, STEPS.flatMap(this.chip));
    update(this.rows, rows);
    const left = shown.length - this.most;
    const all = button("Show all", () => ((this.most = Infinity), this.draw()));
    this.more.replaceChildren(...(left > 0 ? [`${grouped(left)} more. `, all] : []));
  }

  /** A button that shows only the documents at a step, if there are some. */
  private readonly chip = ([step, text]: (typeof STEPS)[number]): HTMLElement[] => {
    const count = this.at(step).length;
    const isPressed = step === this.step;
    if (!count && !isPressed) return [];
    const press = () => ((this.step = step), this.draw());
    const state = { "aria-pressed": isPressed, id: `chip-${step}` };
    return [button(`${text} ${grouped(count)}`, press, state)];
  };

  private row(each: Managed): HTMLElement {
    return h(
      "tr",
      { id: `row-${each.id}` },
      headOf(each),
      h("td.number", grouped(each.words)),
      h("td", people(each)),
      h("td", { class: `step to-${each.next}` }, this.next(each)),
      this.isManager && h("td.actions", this.menu(each)),
    );
  }

  /** What comes next, as a link where this person can do it. */
  private next({ id, next, open, disputes, people: own }: Managed): HTMLElement | string {
    const finished = own.filter(({ is_finished }) => is_finished).length;
    const said = {
      assign: "assign somebody",
      wait: `wait: ${finished} of ${own.length} finished`,
      adjudicate: `adjudicate ${grouped(open)} of ${grouped(disputes)}`,
      close: "close it",
      done: "closed",
    }[next];
    if (next === "assign" && this.isManager)
      return this.does("Assign…", () => assignment(this.with(id)), `assign-${id}`);
    if (next === "assign" || (next === "wait" && !finished)) return said;
    const isDue = next === "adjudicate" || next === "close";
    const link = { id: `judge-${id}`, href: `#/document/${id}`, class: isDue ? "due" : "quiet" };
    return h("a", link, said);
  }

  /** The document of a number as it is now, if it is there. */
  private with(id: number): Managed[] {
    return this.documents.filter((each) => each.id === id);
  }

  private menu({ id, name }: Managed): HTMLElement {
    return menu(`More for ${name}`, () =>
      this.with(id).flatMap((each) => [
        this.does("Assign…", () => assignment([each])),
        finishedPasses(each).length > 0 && this.does("Another pass…", () => anotherPass(each)),
        this.does("Put first", () => putFirst(this.documents, each)),
        this.does("Delete…", () => eraseDocument(each)),
      ]),
    );
  }

  /** A button that does something; what was told before is over. */
  private does(text: string, act: Does, id?: string): HTMLButtonElement {
    const pressed = () => {
      this.said.replaceChildren();
      void this.doing(act);
    };
    return button(text, pressed, { id });
  }

  private async export(): Promise<void> {
    const about = h(
      "p",
      "A ZIP file with a folder for each annotator, the adjudicated references, the comments and ",
      "the log: files that ",
      h("code", "caesura agreement"),
      " and ",
      h("code", "caesura transcript"),
      " take.",
    );
    if (!(await confirmed("Export the project", [about], "Download"))) return;
    const answer = await request("/api/export", "GET");
    save(`${this.studio.me.project.name}.zip`, await answer.blob());
  }
}

/** Who has a document, and how far they are. */
function people({ people: own, words }: Managed): HTMLElement | string {
  if (!own.length) return "nobody yet";
  const lines = own.map((each) =>
    h(
      "li",
      given(each.name),
      each.pass > 1 ? `, pass ${each.pass} ` : " ",
      h("span", { class: each.is_finished ? "how ready" : "how" }, howFar(each, words)),
    ),
  );
  return h("ul.workers", ...lines);
}

/** `finished, 99 % not reached, 2 s`, or `40 %`. */
function howFar(each: Managed["people"][number], words: number): string {
  const reached = Math.min(1, each.reached / Math.max(1, words - 1));
  const percent = (share: number) => `${Math.round(share * 100)} %`;
  const isOwn = each.is_finished && !each.source;
  const facts = [
    each.is_finished ? "finished" : each.acts ? percent(reached) : "not begun",
    isOwn && 1 - reached > UNREACHED && `${percent(1 - reached)} not reached`,
    isOwn && each.seconds < 60 && `${each.seconds} s`,
    each.source && "imported",
    !each.is_blind && "not blind",
  ];
  return facts.filter(Boolean).join(", ");
}
