/** The screen on which a document is annotated. */

import { button, given, h } from "../../dom";
import { grouped, number } from "../../numbers";
import { ask, sentenceOf } from "../api";
import { asked, confirmed } from "../dialogs";
import { fresh } from "../outbox";
import type { Studio, View } from "../view";
import {
  type Act,
  type DocumentData,
  type Kind,
  type Mark,
  type Numbered,
  type Past,
  told,
  UNSURE,
} from "../wire";
import { Bar } from "./bar";
import { Comments } from "./comments";
import { Finder } from "./finder";
import { showHelp } from "./help";
import { History } from "./history";
import { type Command, commandOf } from "./keys";
import { nextAfter } from "./next";
import { Reading } from "./reading";
import { Sheet } from "./sheet";
import { Sound } from "./sound";
import { Text } from "./text";

const BLIND = "What others do is hidden; after finishing, you can ask to see it.";
/** How many gaps a long step is. */
const LONG_STEP = 5;
const LOCKED = "This document is finished; reopen it to change something.";
const READ_ONLY = "You look on; only annotators who are assigned set boundaries.";
const CLOSED = "This document is closed.";

export class Editor implements View {
  readonly title: string;
  readonly element: HTMLElement;
  private readonly text: Text;
  private readonly sheet: Sheet;
  private readonly bar: Bar;
  private readonly finder: Finder;
  private readonly comments: Comments;
  private readonly sound?: Sound;
  private readonly reading: Reading;
  private readonly page = h("div", { class: "editor" });
  private readonly history = new History();
  private readonly status = h("p", { class: "status", role: "status" });
  private readonly facts = h("p", { class: "lead" });
  private readonly legend = h("p", { class: "note legend" });
  private readonly commands: Record<Command, () => void>;
  /** The last gap that the cursor has reached, ever. */
  private furthest: number;
  /** Whether the status is an answer to a key: it stays until the next. */
  private isAnswer = false;
  private loading = Promise.resolve();
  /** A load that waits for the one before it to end. */
  private nextLoad?: Promise<void>;

  constructor(
    private readonly studio: Studio,
    data: DocumentData,
    past: Past = { steps: [] },
  ) {
    this.title = data.name;
    const { me, owner } = studio;
    this.text = new Text(data, data.is_readonly, me.project.language);
    this.furthest = data.layer.reached - 1;
    this.history.recall(data.id, past);
    for (const act of studio.outbox.pendingIn(data.id)) this.text.take(act);
    this.sheet = new Sheet(this.text);
    this.sheet.look.cursor = Math.min(past.steps.at(-1)?.gap ?? 0, Math.max(0, this.text.last));
    this.reading = new Reading(owner, this.page, () => this.sheet.remeasure());
    this.finder = new Finder(
      this.text,
      () => this.sheet.repaint(),
      (goes) => (goes ? this.commands.findNext() : this.focus()),
    );
    this.sheet.look.isHit = this.finder.has;
    if (data.audio)
      this.sound = new Sound(
        data.audio,
        owner,
        this.text,
        () => this.sheet.look.cursor,
        (word) => this.sheet.hear(word),
      );
    this.commands = this.makeCommands();
    this.bar = new Bar(
      (command) => {
        // First, so that a dialog gives the focus back to the text, and not to a button.
        this.focus();
        this.commands[command]();
      },
      this.sound?.element,
      this.reading.element,
      this.finder.element,
    );
    this.comments = new Comments(this.text, (gap) => (this.move(gap), this.focus()));
    this.listen();
    this.element = this.frame(data.name);
  }

  private frame(name: string): HTMLElement {
    const back = button("← Documents", () => this.studio.go("/"), { class: "back" });
    this.page.append(
      h("div", { class: "editor-head" }, back, h("h1", {}, given(name)), this.facts, this.legend),
      this.bar.element,
      h("div", { class: "desk" }, this.sheet.element, this.comments.element),
      this.status,
    );
    return this.page;
  }

  opened(): void {
    this.sheet.remeasure();
    this.focus();
    this.tell();
    this.tellOthers();
    this.comments.draw();
  }

  closed(): void {
    this.sound?.close();
  }

  private focus(): void {
    this.sheet.element.focus({ preventScroll: true });
  }

  private listen(): void {
    const { element } = this.sheet;
    element.addEventListener("keydown", (event) => {
      const command = commandOf(event);
      if (!command) return;
      event.preventDefault();
      this.commands[command]();
    });
    element.addEventListener("click", (event) => {
      if (!(event.target instanceof Element)) return;
      const found = this.sheet.gapAt(event.target, event.clientX);
      if (!found) return;
      this.move(found.gap);
      if (found.isGap) this.flip();
      else this.sound?.follows(found.gap);
    });
  }

  private makeCommands(): Record<Command, () => void> {
    const { sheet, text, sound } = this;
    const step = (by: number) => this.move(this.cursor + (sheet.isRightToLeft ? -by : by));
    const vertical = (rows: number) => this.move(sheet.vertical(rows), true);
    const seek = (way: 1 | -1, test: (gap: number) => boolean, none: string) => {
      const found = text.seek(this.cursor, way, test);
      if (found === undefined) this.say(none);
      else this.move(found);
    };
    const isBound = (gap: number) => text.has(gap);
    const isDisputed = (gap: number) => text.isDisputed(gap);
    const dispute = (way: 1 | -1) =>
      seek(way, isDisputed, text.others ? "No disagreement further on." : BLIND);
    const mark = (sign: Mark) => () => this.set(sign);
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
      nextBoundary: () => seek(1, isBound, "No boundary further on."),
      previousBoundary: () => seek(-1, isBound, "No boundary before this."),
      skip: () => step(LONG_STEP),
      skipBack: () => step(-LONG_STEP),
      nextPause: () => seek(1, text.isPause, "No pause further on."),
      previousPause: () => seek(-1, text.isPause, "No pause before this."),
      nextTurn: () => seek(1, text.isTurn, "No other speaker further on."),
      previousTurn: () => seek(-1, text.isTurn, "No other speaker before this."),
      nextDispute: () => dispute(1),
      previousDispute: () => dispute(-1),
      toggle: () => (sound?.isPlaying ? this.tap(sound) : this.flip()),
      full: mark("."),
      question: mark("?"),
      exclamation: mark("!"),
      semicolon: mark(";"),
      remove: () => text.has(this.cursor) && this.set(null),
      unsure: () => this.doubt(),
      comment: () => void this.comment(),
      undo: () => this.repeatAct(this.history.undo(), "Nothing to undo."),
      redo: () => this.repeatAct(this.history.redo(), "Nothing to redo."),
      finish: () => void this.finish(),
      find: () => this.finder.focus(),
      findNext: () => this.findNext(),
      breaks: () => this.toggleBreaks(),
      play: () => sound?.play(),
      repeat: () => sound?.repeat(),
      slower: () => sound?.shift(-1),
      faster: () => sound?.shift(1),
      smaller: () => this.reading.grow(-1),
      larger: () => this.reading.grow(1),
      documents: () => this.studio.go("/"),
      help: () => void showHelp(sound !== undefined),
      leave: () => this.bar.focus(),
    };
  }

  private get cursor(): number {
    return this.sheet.look.cursor;
  }

  private move(gap: number, keepsGoal = false): void {
    this.sheet.move(gap, keepsGoal);
    this.furthest = Math.max(this.furthest, this.cursor);
    this.tell();
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

  /** Set or remove a boundary at the cursor. */
  private flip(): void {
    this.set(this.text.has(this.cursor) ? null : "");
  }

  /** A unit has ended at the word that was heard a moment ago. */
  private tap(sound: Sound): void {
    const gap = sound.tapped();
    if (gap < 0 || gap > this.text.last) return;
    this.move(gap);
    if (!this.text.has(gap)) this.set("");
  }

  /** Say that a boundary is unsure, or sure again. */
  private doubt(): void {
    const mark = this.text.markAt(this.cursor) ?? "";
    const isUnsure = this.text.own.unsure.has(this.cursor);
    if (this.text.length < 2) return;
    if (this.text.isFinished) this.say(this.locked);
    else this.act("set", this.cursor, isUnsure ? mark : `${mark}${UNSURE}`);
  }

  private set(value: Mark | null): void {
    if (this.text.length < 2) return;
    if (this.text.isFinished) this.say(this.locked);
    else if (value !== this.text.signedAt(this.cursor)) this.act("set", this.cursor, value);
  }

  /** Do something that can be undone. */
  private act(kind: Kind, gap: number, value: string | null): void {
    const act = { document: this.text.id, kind, gap, value };
    this.history.add(act, this.text.valueAt(act));
    this.send(act);
  }

  /** Undo or redo. */
  private repeatAct(act: Act | undefined, none: string): void {
    if (!act) this.say(none);
    else if (this.text.isFinished && act.kind === "set") this.say(this.locked);
    else {
      this.send(act);
      this.move(act.gap);
    }
  }

  private send(act: Act): void {
    this.take(act);
    this.studio.outbox.add(act);
    this.tell();
  }

  /** Apply an act, of this tab or of another. */
  private take(act: Act): void {
    const hasMoved = this.text.take(act);
    this.sheet.refresh(act.gap);
    if (hasMoved) {
      this.sheet.relayout();
      this.sheet.reveal();
    }
    if (act.kind === "comment") this.comments.draw();
  }

  private async comment(): Promise<void> {
    const { cursor: gap, text } = this;
    if (text.isReadonly) return this.say(READ_ONLY);
    const known = text.own.comments.get(gap) ?? "";
    const title = `Comment ${text.around(gap)}`;
    const found = await asked(title, "Comment", known, {
      isLong: true,
      note: "Enter saves, Shift Enter begins a line. An empty comment is removed.",
    });
    const value = found?.replace(/[^\P{C}\n]/gu, " ").trim();
    if (value !== undefined && value !== known) this.act("comment", gap, value || null);
  }

  private async finish(): Promise<void> {
    const { text } = this;
    if (text.isReadonly || text.isClosed) return this.say(this.locked);
    const isDone = text.isFinished;
    const left = Math.max(0, text.last - this.furthest);
    const gaps = `You have set ${number(text.count, "boundary").replace(/boundarys$/, "boundaries")} in ${number(text.length, "word")}.`;
    const question = left
      ? `${gaps} You have not reached the last ${number(left, "word")}: finishing says that there is no boundary in them.`
      : `${gaps} You can reopen the document; it stays yours alone until you ask to see others.`;
    const does = left ? "Finish, none there" : "Finish";
    if (!isDone && !(await confirmed(`Finish ${text.name}?`, question, does))) return;
    const gap = Math.max(0, Math.min(this.furthest, text.last));
    this.send({ document: text.id, kind: "state", gap, value: isDone ? "open" : "finished" });
    if (!(await this.studio.outbox.settled())) return;
    await this.reload();
    const next = isDone ? undefined : await nextAfter(text.id);
    if (next !== undefined) this.studio.go(`/document/${next}`);
  }

  /** Load the document again, after whatever load is under way. */
  private reload(): Promise<void> {
    this.nextLoad ??= this.loading.then(() => {
      this.nextLoad = undefined;
      this.loading = this.load();
      return this.loading;
    });
    return this.nextLoad;
  }

  /** Take what the server has, with what is still on its way. */
  private async load(): Promise<void> {
    const { outbox } = this.studio;
    try {
      const data = await fresh(outbox, () => ask<DocumentData>(`/api/documents/${this.text.id}`));
      this.text.reload(data);
      for (const act of outbox.pendingIn(data.id)) this.text.take(act);
      this.sheet.relayout();
      this.sheet.repaint();
      this.comments.draw();
      this.tell(true);
      this.tellOthers();
    } catch (problem) {
      this.say(sentenceOf(problem));
    }
  }

  events(events: Numbered[]): void {
    const here = events.filter((each) => each.document === this.text.id);
    const own = here.filter((each) => ["set", "comment", "state"].includes(each.kind));
    if (here.length > own.length) void this.reload();
    for (const event of own) if (!this.studio.outbox.isPending(event)) this.take(event);
    this.tell(true);
  }

  again(): void {
    void this.reload();
  }

  private say(text: string): void {
    this.status.textContent = text;
    this.isAnswer = true;
  }

  /** Say what is at the cursor, and how far the document is; news do not wipe an answer away. */
  private tell(isNews = false): void {
    const { text, cursor } = this;
    const mark = text.markAt(cursor);
    this.bar.tell(mark, text.isFinished, this.sheet.breaks);
    this.bar.finish.hidden = text.isReadonly || text.isClosed;
    const units = `${number(text.count + 1, "unit")} in ${number(text.length, "word")}`;
    const facts = [text.isReadonly ? number(text.length, "word") : units, ...this.states].join(
      ", ",
    );
    if (this.facts.textContent !== facts) this.facts.textContent = facts;
    if (isNews && this.isAnswer) return;
    if (text.length < 2) return this.say("There is no gap in this document.");
    const others = (text.others ?? []).map(
      (each) => `${each.name}: ${told(text.markAt(cursor, each))}`,
    );
    const comment = text.own.comments.get(cursor);
    const place = `${grouped(cursor + 1)} of ${grouped(text.last + 1)}`;
    const parts = [
      told(mark, text.own.unsure.has(cursor)),
      text.around(cursor),
      ...others,
      comment && `comment: ${comment}`,
    ];
    this.say([...parts, place].filter(Boolean).join(" · "));
    this.isAnswer = false;
  }

  private get locked(): string {
    return this.text.isReadonly ? READ_ONLY : this.text.isClosed ? CLOSED : LOCKED;
  }

  private get states(): string[] {
    const { isClosed, isReadonly, isFinished, isSealed } = this.text;
    if (isClosed) return ["closed"];
    if (isReadonly) return ["read only"];
    return [...(isFinished ? ["finished"] : []), ...(isSealed ? ["others were shown"] : [])];
  }

  private shower(): HTMLElement {
    return button("Show the others…", () => void this.showOthers());
  }

  /** Others are shown on request: what is done until then stays as it is, whatever comes later. */
  private async showOthers(): Promise<void> {
    const text =
      "Your own version ends here, and counts as it is. What you change later is kept apart, as a revision. This cannot be undone.";
    if (!(await confirmed("Show what others have done?", text, "Show the others"))) return;
    // Before the wait: news from others may redraw the legend, and its button with the focus goes.
    this.focus();
    try {
      if (await this.studio.outbox.settled())
        await ask(`/api/documents/${this.text.id}/show`, "POST");
    } catch (problem) {
      this.say(sentenceOf(problem));
    }
    await this.reload();
  }

  private tellOthers(): void {
    const { others } = this.text;
    if (others === null && this.text.isReadonly)
      this.legend.textContent = "Nobody has done anything here yet.";
    else if (others === null && this.text.hasOthers) this.legend.replaceChildren(this.shower());
    else if (others === null && !this.text.isFinished) this.legend.textContent = BLIND;
    else if (!others?.length) this.legend.textContent = "Nobody else has finished yet.";
    else
      this.legend.replaceChildren(
        ...others.map(({ name }, index) =>
          h("span", { class: "item" }, h("i", { class: `tick c${(index % 8) + 1}` }), given(name)),
        ),
      );
  }
}
