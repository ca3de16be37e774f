/** The screen of a document: its text is read, searched, heard, annotated and adjudicated. */

import { button, given, h } from "../../dom";
import { ApiError, ask, sentenceOf } from "../api";
import { adjudicating, judged } from "../manage/adjudication";
import { fresh } from "../outbox";
import { paced, type Studio, type View } from "../view";
import type { Act, DocumentData, Kind, Numbered, Past } from "../wire";
import { annotating, finished, reading } from "./annotating";
import { groups, SETTERS, type Tool } from "./bar";
import { Comments } from "./comments";
import { Finder } from "./finder";
import { History, type Step } from "./history";
import { type Command, commandOf, showHelp } from "./keys";
import { voteOf } from "./rows";
import { BLIND, documentSaid, gapSaid, reasonOf } from "./said";
import { Sheet } from "./sheet";
import { Sound } from "./sound";
import { type Phase, Text } from "./text";

/** How many gaps a long step is. */
const LONG_STEP = 5;

export type Commands = Partial<Record<Command, () => void | Promise<void>>>;

/** What can be done in a phase of a document, besides reading it. */
export interface Work {
  commands: Commands;
  /** Groups of buttons, and the buttons at the end of the bar. */
  tools: Tool[][];
  ends: Tool[];
  /** Why nothing else is done. */
  refusal?: string;
  /** A gap was clicked. */
  clicked?: () => void;
}

const WORKS: Record<Phase, (editor: Editor) => Work> = {
  open: annotating,
  finished,
  sealed: reading,
  closed: reading,
  lost: reading,
  adjudicating,
  adjudicated: judged,
};

export class Editor implements View {
  readonly title: string;
  readonly element = h("div.editor");
  readonly text: Text;
  readonly isJudge: boolean;
  readonly sound?: Sound;
  readonly history: History;
  /** The last gap that the cursor has reached, ever. */
  furthest: number;
  private readonly sheet: Sheet;
  private readonly finder: Finder;
  private readonly comments: Comments;
  private readonly facts = h("p.lead");
  private readonly legend = h("p.note.legend");
  private readonly reason = h("p.reason");
  private readonly bar = h("div.toolbar", { role: "toolbar", "aria-label": "Boundaries" });
  private readonly status = h("p.status", { role: "status", tabindex: 0 });
  /** The phase and the marks of which the bar has the buttons. */
  private inBar = "";
  /** Whether the status is an answer to a key: it stays until the next. */
  private isAnswer = false;
  private loading = Promise.resolve();

  constructor(
    readonly studio: Studio,
    data: DocumentData,
    past: Past = { steps: [] },
  ) {
    const { me, owner, outbox } = studio;
    this.title = data.name;
    this.text = new Text(data, me);
    this.isJudge = data.adjudication !== null;
    this.furthest = data.layer.reached - 1;
    this.history = new History(past);
    for (const act of outbox.pendingIn(data.id)) this.text.take(act);
    this.sheet = new Sheet(this.text);
    this.sheet.move(past.steps.at(-1)?.gap ?? 0);
    this.finder = new Finder(this.sheet, (goes) => (goes ? this.findNext() : this.focus()));
    if (data.audio) this.sound = new Sound(data.audio, owner, this.sheet);
    this.comments = new Comments(this.text, (gap) => (this.move(gap), this.focus()));
    this.element.append(
      h(
        "div.editor-head",
        button("← Documents", () => studio.go("/"), { class: "back" }),
        h("h1", given(data.name)),
        this.facts,
        this.legend,
      ),
      this.reason,
      this.bar,
      h("div.desk", this.sheet.element, this.comments.element),
      this.status,
    );
    this.listen();
  }

  get hasMarks(): boolean {
    return this.studio.me.project.marks;
  }

  get cursor(): number {
    return this.sheet.cursor;
  }

  private get work(): Work {
    return WORKS[this.text.phase](this);
  }

  opened(): void {
    this.draw();
    this.sheet.reveal();
    this.focus();
    this.tell();
  }

  focus(): void {
    this.sheet.element.focus({ preventScroll: true });
  }

  private listen(): void {
    const { element } = this.sheet;
    element.addEventListener("keydown", (event) => {
      const command = commandOf(event, this.isJudge);
      if (!command) return;
      event.preventDefault();
      void this.run(command);
    });
    element.addEventListener("click", (event) => {
      if (!(event.target instanceof Element)) return;
      const found = this.sheet.gapAt(event.target, event.clientX);
      if (!found) return;
      this.move(found.gap);
      if (found.isGap) this.work.clicked?.();
      else this.sound?.follows(found.gap);
    });
  }

  private async run(command: Command): Promise<void> {
    const { commands, refusal } = this.work;
    const does = commands[command] ?? this.moves[command];
    if (!does && refusal) this.say(refusal);
    try {
      await does?.();
    } catch (problem) {
      if (!(problem instanceof ApiError)) throw problem;
      this.say(sentenceOf(problem));
    }
  }

  /** What is done with every text, whoever reads it. */
  private readonly moves: Commands = {
    left: () => this.step(-1),
    right: () => this.step(1),
    up: () => this.move(this.sheet.vertical(-1)),
    down: () => this.move(this.sheet.vertical(1)),
    home: () => this.move(this.sheet.ends[0]),
    end: () => this.move(this.sheet.ends[1]),
    pageUp: () => this.move(this.sheet.vertical(-this.sheet.page)),
    pageDown: () => this.move(this.sheet.vertical(this.sheet.page)),
    first: () => this.move(0),
    last: () => this.move(this.text.last),
    nextBoundary: () => this.seek(1, this.text.has, "No boundary further on."),
    previousBoundary: () => this.seek(-1, this.text.has, "No boundary before this."),
    skip: () => this.move(this.cursor + LONG_STEP),
    skipBack: () => this.move(this.cursor - LONG_STEP),
    nextPause: () => this.seek(1, this.text.isPause, "No pause further on."),
    previousPause: () => this.seek(-1, this.text.isPause, "No pause before this."),
    nextTurn: () => this.seek(1, this.text.isTurn, "No other speaker further on."),
    previousTurn: () => this.seek(-1, this.text.isTurn, "No other speaker before this."),
    find: () => this.finder.focus(),
    findNext: () => this.findNext(),
    breaks: () => {
      this.sheet.breaks = !this.sheet.breaks;
      this.sheet.remeasure();
      this.tell();
    },
    play: () => this.sound?.play(),
    around: () => this.sound?.around(this.cursor),
    repeat: () => this.sound?.repeat(),
    slower: () => this.sound?.shift(-1),
    faster: () => this.sound?.shift(1),
    documents: () => this.studio.go("/"),
    help: () => showHelp(this),
    leave: () => this.bar.querySelector("button")?.focus(),
  };

  /** A gap to the right, or to the left. */
  private step(by: 1 | -1): void {
    this.move(this.cursor + (this.text.direction === "rtl" ? -by : by));
  }

  move(gap: number): void {
    this.sheet.move(gap);
    this.furthest = Math.max(this.furthest, this.cursor);
    this.tell();
  }

  /** Move to the next gap with a property, or say that there is none; `around`: also from the other end. */
  seek(way: 1 | -1, test: (gap: number) => boolean, none: string, around = false): void {
    const gaps = this.text.gaps(test);
    if (way < 0) gaps.reverse();
    const next = gaps.find((gap) => (gap - this.cursor) * way > 0);
    const found = next ?? (around ? gaps[0] : undefined);
    if (found === undefined) this.say(none);
    else this.move(found);
  }

  private findNext(): void {
    const place = this.finder.next(this.cursor);
    if (place !== undefined) this.move(place);
    this.focus();
  }

  /** Do something that can be undone, at a gap or at several. */
  act(kind: Kind, value: string | null, gaps = [this.cursor]): void {
    if (this.text.length < 2) return;
    const steps = gaps
      .map((gap) => ({ kind, gap, value, before: this.text.valueAt({ kind, gap }) }))
      .filter(({ before }) => before !== value);
    for (const step of steps) this.history.add(step);
    this.send(...steps);
  }

  /** Undo or redo. */
  repeat(step: Step | undefined, none: string): void {
    if (!step) return this.say(none);
    this.send(step);
    this.move(step.gap);
  }

  send(...steps: Omit<Act, "document">[]): void {
    const document = this.text.id;
    const acts = steps.map(({ kind, gap, value }) => ({ document, kind, gap, value }));
    this.take(acts);
    for (const act of acts) this.studio.outbox.add(act);
    this.tell();
  }

  /** Apply acts of this tab or of another, as far as they change something. */
  private take(acts: Act[]): void {
    const fresh = acts.filter((act) => this.text.take(act));
    if (!fresh.length) return;
    this.sheet.relayout();
    this.sheet.reveal();
    if (fresh.some(({ kind }) => kind === "comment")) this.comments.draw();
    this.arrange();
  }

  /** Say how far the document is, and have the buttons of its phase; whether these are others. */
  private arrange(): boolean {
    const { text, hasMarks } = this;
    this.facts.textContent = documentSaid(text);
    const inBar = `${text.phase} ${hasMarks}`;
    if (inBar === this.inBar) return false;
    this.inBar = inBar;
    if (this.bar.contains(document.activeElement)) this.focus();
    const group = groups(this.isJudge, (command) => {
      // First, so that a dialog gives the focus back to the text, and not to a button.
      this.focus();
      void this.run(command);
    });
    const { tools, ends } = this.work;
    const general = group(["breaks", "help"]);
    const sound = this.sound ? [this.sound.element] : [];
    const every = [...tools.map(group), general, ...sound, this.finder.element];
    this.bar.replaceChildren(h("div.strip", ...every), group(ends));
    return true;
  }

  /** Draw all that a load may have changed. */
  private draw(): void {
    const { text, element, sheet } = this;
    this.arrange();
    element.dataset.phase = text.phase;
    element.classList.toggle("voted", text.votes.length > 0);
    this.reason.textContent = reasonOf(text);
    this.drawLegend();
    this.comments.draw();
    sheet.measure();
  }

  private drawLegend(): void {
    const items = this.text.votes.map(({ name, isBlind }, index) =>
      h("span.item", voteOf(index, "‖"), given(name), !isBlind && " (not blind)"),
    );
    this.legend.replaceChildren(...(items.length || this.isJudge ? items : [BLIND]));
  }

  /** Load the document again, after whatever load is under way. */
  reload(): Promise<void> {
    return (this.loading = this.loading.then(() => this.load()));
  }

  /** Take what the server has, with what is still on its way. */
  private async load(): Promise<void> {
    const { outbox } = this.studio;
    const { text } = this;
    try {
      text.reload(await fresh(outbox, () => ask<DocumentData>(`/api/documents/${text.id}`)));
      for (const act of outbox.pendingIn(text.id)) text.take(act);
    } catch (problem) {
      this.say(sentenceOf(problem));
      if (!(problem instanceof ApiError) || ![403, 404].includes(problem.status)) return;
      text.phase = "lost";
      text.lost = sentenceOf(problem);
    }
    this.draw();
    this.tell(true);
  }

  events(events: Numbered[]): void {
    const here = events.filter((each) => each.document === this.text.id);
    const kinds = ["set", "comment", "state", "decide"];
    const own = here.filter((each) => kinds.includes(each.kind));
    if (here.length > own.length) void this.reload();
    this.take(own.filter((each) => !this.studio.outbox.isPending(each)));
    this.tell(true);
  }

  /** With marks, there are other buttons, and other disputes. */
  known(): void {
    if (!this.arrange()) return;
    this.sheet.relayout();
    this.tell(true);
  }

  readonly again = paced(() => this.reload());

  /** Acts of document 0 are of the whole project. */
  progress(documents: number[]): void {
    if ([0, this.text.id].some((each) => documents.includes(each))) this.again();
  }

  say(text: string): void {
    // What is said already is not read out again.
    if (this.status.textContent !== text) this.status.textContent = text;
    this.isAnswer = true;
  }

  /** Say what is at the cursor; news do not wipe an answer away. */
  private tell(isNews = false): void {
    const { text, cursor } = this;
    for (const [command, mark] of SETTERS) this.press(command, text.markAt(cursor) === mark);
    this.press("breaks", this.sheet.breaks);
    this.comments.mark(cursor);
    if (isNews && this.isAnswer) return;
    this.say(text.length < 2 ? "There is no gap in this document." : gapSaid(text, cursor));
    this.isAnswer = false;
  }

  /** Say of a button whether what it does is done. */
  private press(command: Command, isPressed: boolean): void {
    const found = this.bar.querySelector(`[data-command=${command}]`);
    found?.setAttribute("aria-pressed", String(isPressed));
  }
}
