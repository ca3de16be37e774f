/** The screen of a document: its text is read, searched, heard, annotated and adjudicated. */

import { button, given, h } from "../../dom";
import { ApiError, ask, sentenceOf } from "../api";
import { adjudicating, judged } from "../manage/adjudication";
import { fresh } from "../outbox";
import { paced, type Studio, type View } from "../view";
import type { Act, DocumentData, Kind, Numbered, Past } from "../wire";
import { annotating, finished, reading } from "./annotating";
import { Bar, SETTERS, type Tool } from "./bar";
import { Comments } from "./comments";
import { Finder } from "./finder";
import { showHelp } from "./help";
import { History } from "./history";
import { type Command, commandOf } from "./keys";
import { documentSaid, gapSaid, reasonOf } from "./said";
import { Sheet } from "./sheet";
import { Sound } from "./sound";
import { type Phase, Text } from "./text";

/** How many gaps a long step is. */
const LONG_STEP = 5;

export type Commands = Partial<Record<Command, () => void>>;

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
  readonly sound?: Sound;
  readonly history = new History();
  /** The last gap that the cursor has reached, ever. */
  furthest: number;
  private readonly sheet: Sheet;
  private readonly finder: Finder;
  private readonly comments: Comments;
  private readonly facts = h("p.lead");
  private readonly legend = h("p.note.legend");
  private readonly reason = h("p.reason");
  private readonly status = h("p.status", { role: "status", tabindex: 0 });
  private readonly moves: Commands;
  private phase: Phase;
  /** Whether there were marks when the bar was made. */
  private hadMarks: boolean;
  private work: Work;
  private bar: Bar;
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
    this.furthest = data.layer.reached - 1;
    this.history.recall(data.id, past);
    for (const act of outbox.pendingIn(data.id)) this.text.take(act);
    this.sheet = new Sheet(this.text);
    this.sheet.look.cursor = Math.min(past.steps.at(-1)?.gap ?? 0, Math.max(0, this.text.last));
    this.finder = new Finder(
      this.text,
      () => this.sheet.repaint(),
      (goes) => (goes ? this.findNext() : this.focus()),
    );
    this.sheet.look.isHit = this.finder.has;
    if (data.audio)
      this.sound = new Sound(
        data.audio,
        owner,
        this.text,
        () => this.cursor,
        (first, last) => this.sheet.hear(first, last),
      );
    this.moves = this.makeMoves();
    this.comments = new Comments(this.text, (gap) => (this.move(gap), this.focus()));
    this.phase = this.text.phase;
    this.hadMarks = this.hasMarks;
    this.work = WORKS[this.phase](this);
    this.bar = this.makeBar();
    this.element.append(
      h(
        "div.editor-head",
        button("← Documents", () => studio.go("/"), { class: "back" }),
        h("h1", given(data.name)),
        this.facts,
        this.legend,
      ),
      this.reason,
      this.bar.element,
      h("div.desk", this.sheet.element, this.comments.element),
      this.status,
    );
    this.listen();
  }

  get isJudge(): boolean {
    return this.text.adjudication !== null;
  }

  get hasMarks(): boolean {
    return this.studio.me.project.marks;
  }

  get cursor(): number {
    return this.sheet.look.cursor;
  }

  opened(): void {
    this.draw();
    this.sheet.reveal();
    this.focus();
    this.tell();
  }

  closed(): void {
    this.sound?.close();
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
      this.run(command);
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

  private run(command: Command): void {
    const does = this.work.commands[command] ?? this.moves[command];
    if (does) does();
    else if (this.work.refusal) this.say(this.work.refusal);
  }

  /** What is done with every text, whoever reads it. */
  private makeMoves(): Commands {
    const { sheet, text, sound } = this;
    const step = (by: number) => this.move(this.cursor + (sheet.isRightToLeft ? -by : by));
    const vertical = (rows: number) => this.move(sheet.vertical(rows), true);
    return {
      left: () => step(-1),
      right: () => step(1),
      up: () => vertical(-1),
      down: () => vertical(1),
      home: () => this.move(sheet.ends[0]),
      end: () => this.move(sheet.ends[1]),
      pageUp: () => vertical(-sheet.page),
      pageDown: () => vertical(sheet.page),
      first: () => this.move(0),
      last: () => this.move(text.last),
      nextBoundary: () => this.seek(1, (gap) => text.has(gap), "No boundary further on."),
      previousBoundary: () => this.seek(-1, (gap) => text.has(gap), "No boundary before this."),
      skip: () => this.move(this.cursor + LONG_STEP),
      skipBack: () => this.move(this.cursor - LONG_STEP),
      nextPause: () => this.seek(1, text.isPause, "No pause further on."),
      previousPause: () => this.seek(-1, text.isPause, "No pause before this."),
      nextTurn: () => this.seek(1, text.isTurn, "No other speaker further on."),
      previousTurn: () => this.seek(-1, text.isTurn, "No other speaker before this."),
      find: () => this.finder.focus(),
      findNext: () => this.findNext(),
      breaks: () => this.toggleBreaks(),
      play: () => sound?.play(),
      around: () => sound?.around(this.cursor),
      repeat: () => sound?.repeat(),
      slower: () => sound?.shift(-1),
      faster: () => sound?.shift(1),
      documents: () => this.studio.go("/"),
      help: () =>
        void showHelp({
          sound: sound !== undefined,
          marks: this.hasMarks,
          isJudge: this.isJudge,
        }),
      leave: () => this.bar.focus(),
    };
  }

  move(gap: number, keepsGoal = false): void {
    this.sheet.move(gap, keepsGoal);
    this.furthest = Math.max(this.furthest, this.cursor);
    this.tell();
  }

  /** Move to the next gap with a property, or say that there is none. */
  seek(way: 1 | -1, test: (gap: number) => boolean, none: string): void {
    const found = this.text.seek(this.cursor, way, test);
    if (found === undefined) this.say(none);
    else this.move(found);
  }

  private findNext(): void {
    const place = this.finder.next(this.cursor);
    if (place !== undefined) this.move(place);
    this.focus();
  }

  private toggleBreaks(): void {
    this.sheet.breaks = !this.sheet.breaks;
    this.sheet.remeasure();
    this.tell();
  }

  /** Do something that can be undone, at a gap or at several. */
  act(kind: Kind, value: string | null, gaps = [this.cursor]): void {
    if (this.text.length < 2) return;
    const acts = gaps.map((gap) => ({ document: this.text.id, kind, gap, value }));
    for (const act of acts) this.history.add(act, this.text.valueAt(act));
    this.send(...acts);
  }

  /** Undo or redo. */
  repeat(act: Act | undefined, none: string): void {
    if (!act) return this.say(none);
    this.send(act);
    this.move(act.gap);
  }

  send(...acts: Act[]): void {
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

  /** Say how far the document is, and have the buttons of its phase. */
  private arrange(): void {
    const { text } = this;
    this.facts.textContent = documentSaid(text);
    if (text.phase === this.phase && this.hadMarks === this.hasMarks) return;
    this.phase = text.phase;
    this.hadMarks = this.hasMarks;
    this.work = WORKS[text.phase](this);
    const hadFocus = this.bar.element.contains(document.activeElement);
    const bar = this.makeBar();
    this.bar.element.replaceWith(bar.element);
    this.bar = bar;
    if (hadFocus) this.focus();
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

  private makeBar(): Bar {
    return new Bar(
      (command) => {
        // First, so that a dialog gives the focus back to the text, and not to a button.
        this.focus();
        this.run(command);
      },
      this.isJudge,
      this.work.tools,
      [this.sound?.element, this.finder.element],
      this.work.ends,
    );
  }

  private drawLegend(): void {
    const items = this.text.votes.map(({ name, isBlind }, index) =>
      h(
        "span.item",
        h("i", { class: `vote c${(index % 8) + 1}`, "data-vote": "‖" }),
        given(name),
        !isBlind && " (not blind)",
      ),
    );
    const blind = this.isJudge ? "" : "What others do is hidden until the document is closed.";
    this.legend.replaceChildren(...(items.length ? items : [blind]));
  }

  /** Load the document again, after whatever load is under way. */
  reload(): Promise<void> {
    this.loading = this.loading.then(() => this.load());
    return this.loading;
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
      text.lose(sentenceOf(problem));
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
    if (this.hadMarks === this.hasMarks) return;
    this.draw();
    this.tell(true);
  }

  readonly again = (): void => void this.reload();
  private readonly refresh = paced(() => this.reload());

  /** Acts of document 0 are of the whole project. */
  progress(documents: number[]): void {
    if ([0, this.text.id].some((each) => documents.includes(each))) this.refresh();
  }

  say(text: string): void {
    // What is said already is not read out again.
    if (this.status.textContent !== text) this.status.textContent = text;
    this.isAnswer = true;
  }

  /** Say what is at the cursor; news do not wipe an answer away. */
  private tell(isNews = false): void {
    const { text, cursor, bar } = this;
    for (const [command, mark] of SETTERS) bar.press(command, text.markAt(cursor) === mark);
    bar.press("breaks", this.sheet.breaks);
    this.comments.mark(cursor);
    if (isNews && this.isAnswer) return;
    this.say(text.length < 2 ? "There is no gap in this document." : gapSaid(text, cursor));
    this.isAnswer = false;
  }
}
