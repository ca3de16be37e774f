/** The gaps of a document on which annotators differ, one after the other, to be decided. */

import { button, given, h, select } from "../../dom";
import { grouped, number } from "../../numbers";
import { act, ask, sentenceOf } from "../api";
import { confirmed } from "../dialogs";
import { fresh } from "../outbox";
import { paced, type Studio, type View } from "../view";
import { type Dispute, type Disputes, MARKS, signOf, told } from "../wire";
import { contextOf } from "./context";

const AROUND = 25;

interface Choice {
  keys: string[];
  shown: string;
  text: string;
  value: string | null;
}

const CHOICES: Choice[] = [
  { keys: [" ", "Enter"], shown: "Space", text: "‖ boundary", value: "" },
  ...MARKS.slice(1).map((mark): Choice => ({ keys: [mark], shown: mark, text: mark, value: mark })),
  { keys: ["Backspace", "Delete", "x"], shown: "x", text: "none", value: null },
  { keys: ["d"], shown: "d", text: "discuss", value: "discuss" },
];

type Shown = "all" | "open" | "boundaries" | "marks";
const FILTERS: [Shown, string][] = [
  ["all", "all gaps"],
  ["open", "not decided"],
  ["boundaries", "boundary or none"],
  ["marks", "mark only"],
];

export class Adjudication implements View {
  readonly title = "Adjudicate";
  private every: Dispute[] = [];
  private filter: Shown = "all";
  private data?: Disputes;
  private readonly end = h("div", { class: "ending" });
  private readonly facts = h("p", { class: "lead" });
  private readonly list = h("ol", {
    class: "disputes",
    role: "listbox",
    tabindex: 0,
    "aria-label": "Gaps in dispute",
  });
  private readonly said = h("p", { class: "status", role: "status" });
  private readonly heading = h("h1", { id: "adjudicate-title" }, "Adjudicate");
  private disputes: Dispute[] = [];
  private current = 0;
  private readonly undone: [gap: number, value: string | null][] = [];
  readonly element: HTMLElement;

  constructor(
    private readonly studio: Studio,
    private readonly document: number,
  ) {
    this.list.addEventListener("keydown", (event) => this.pressed(event));
    this.element = h(
      "section",
      { class: "adjudicate" },
      button("← Documents", () => this.studio.go("/"), { class: "back" }),
      this.heading,
      this.facts,
      h(
        "div",
        { class: "toolbar", role: "toolbar", "aria-label": "Decide" },
        h("div", { class: "group" }, ...CHOICES.map((each) => this.choice(each))),
        h(
          "div",
          { class: "group" },
          button("Next open (n)", () => (this.next(), this.list.focus())),
          button("Undo (u)", () => (this.undo(), this.list.focus())),
        ),
        select("Show", FILTERS, (value) => this.choose(value as Shown)),
      ),
      this.list,
      this.said,
      this.end,
    );
  }

  private choice({ text, value, shown }: Choice): HTMLElement {
    const label = shown === text ? text : `${text} (${shown})`;
    return button(label, () => (this.decide(value), this.list.focus()), {
      "aria-label": value === null || value.length < 2 ? told(value) : text,
    });
  }

  opened(): void {
    // At once: what is heard meanwhile may draw the gaps before this load ends.
    this.list.focus({ preventScroll: true });
    void this.load().then(() => {
      this.current = Math.max(
        0,
        this.disputes.findIndex((each) => each.state === "open"),
      );
      this.draw();
      this.list.focus({ preventScroll: true });
    });
  }

  readonly again = () => void this.load().then(() => this.draw());
  readonly progress = paced(() => this.load().then(() => this.draw()));

  private choose(filter: Shown): void {
    this.filter = filter;
    this.sift();
    this.current = 0;
    this.draw();
  }

  private sift(): void {
    const isShown: Record<Shown, (each: Dispute) => boolean> = {
      all: () => true,
      open: (each) => each.state !== "decided",
      boundaries: (each) => !each.is_of_marks,
      marks: (each) => each.is_of_marks,
    };
    this.disputes = this.every.filter(isShown[this.filter]);
  }

  private async load(): Promise<void> {
    try {
      const place = `/api/documents/${this.document}/disputes`;
      const found = await fresh(this.studio.outbox, () => ask<Disputes>(place));
      const gap = this.disputes[this.current]?.gap ?? 0;
      this.data = found;
      this.every = found.disputes;
      this.sift();
      this.current = Math.max(
        0,
        this.disputes.findIndex((each) => each.gap >= gap),
      );
      this.heading.replaceChildren("Adjudicate ", given(found.name));
      for (const { gap: at, value } of this.studio.outbox.pendingIn(this.document))
        this.take(at, value);
    } catch (problem) {
      this.said.textContent = sentenceOf(problem);
    }
  }

  private pressed(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { key } = event;
    const found = CHOICES.find(({ keys }) => keys.includes(key));
    const moves: Record<string, () => void> = {
      ArrowDown: () => this.move(this.current + 1),
      ArrowUp: () => this.move(this.current - 1),
      PageDown: () => this.move(this.current + 10),
      PageUp: () => this.move(this.current - 10),
      Home: () => this.move(0),
      End: () => this.move(this.disputes.length - 1),
      n: () => this.next(),
      u: () => this.undo(),
      g: () => this.studio.go("/"),
    };
    const act = found ? () => this.decide(found.value) : moves[key];
    if (!act) return;
    event.preventDefault();
    act();
  }

  private move(to: number): void {
    this.current = Math.max(0, Math.min(this.disputes.length - 1, to));
    this.draw();
  }

  /** The next gap that is not decided, from the beginning again where there is none. */
  private next(): void {
    const isOpen = (each: Dispute, at: number) => each.state === "open" && at !== this.current;
    const after = this.disputes.findIndex((each, at) => at > this.current && isOpen(each, at));
    const found = after < 0 ? this.disputes.findIndex(isOpen) : after;
    if (found >= 0) this.move(found);
    else this.draw();
  }

  private decide(value: string | null): void {
    const dispute = this.disputes[this.current];
    if (!dispute || this.data?.closed) return;
    const before = dispute.state === "decided" ? dispute.decision : dispute.state;
    this.undone.push([dispute.gap, before]);
    this.send(dispute.gap, value);
    this.next();
  }

  /** The decision before; a gap that had none is open again. */
  private undo(): void {
    const last = this.undone.pop();
    if (!last) return;
    this.send(...last);
    this.move(this.disputes.findIndex(({ gap }) => gap === last[0]));
  }

  private send(gap: number, value: string | null): void {
    this.take(gap, value);
    this.studio.outbox.add({ document: this.document, kind: "decide", gap, value });
  }

  private take(gap: number, value: string | null): void {
    const dispute = this.every.find((each) => each.gap === gap);
    if (!dispute) return;
    dispute.state = value === "open" || value === "discuss" ? value : "decided";
    dispute.decision = dispute.state === "decided" ? value : null;
    dispute.by = this.studio.me.person.name;
  }

  private draw(): void {
    const { disputes, current } = this;
    const count = (state: string) => this.every.filter((each) => each.state === state).length;
    const toDiscuss = count("discuss");
    this.facts.textContent = [
      `${number(this.every.length, "gap")} in dispute`,
      `${grouped(count("decided"))} decided`,
      toDiscuss && `${grouped(toDiscuss)} to discuss`,
    ]
      .filter(Boolean)
      .join(", ");
    this.drawEnd();
    const first = Math.max(0, current - AROUND);
    const shown = disputes.slice(first, current + AROUND + 1);
    this.list.replaceChildren(...shown.map((each, at) => this.item(each, first + at)));
    if (!disputes.length) this.list.append(h("li", { role: "option" }, this.nothing));
    const item = this.list.querySelector<HTMLElement>('[aria-selected="true"]');
    if (item) this.list.setAttribute("aria-activedescendant", item.id);
    item?.scrollIntoView({ block: "center" });
    const here = disputes[current];
    if (here)
      this.said.textContent = `${grouped(current + 1)} of ${grouped(disputes.length)} · ${decisionOf(here)}`;
  }

  private get nothing(): string {
    if (!Object.keys(this.data?.people ?? {}).length) return "Nobody has finished yet.";
    return this.every.length ? "No gap is like this." : "Annotators agree everywhere.";
  }

  /** Close the document when everything is decided, or open it again. */
  private drawEnd(): void {
    const { data } = this;
    if (!data) return;
    const left = this.every.filter((each) => each.state !== "decided").length;
    const waiting = Object.values(data.unfinished);
    if (data.closed) {
      const { by, since, boundaries } = data.closed;
      const changed = since
        ? ` Since then, ${number(since.gaps, "gap")} would be another${since.people.length ? `, and the layers of ${since.people.join(", ")} came or went` : ""}.`
        : "";
      this.end.replaceChildren(
        h(
          "p",
          {},
          "Closed by ",
          given(by),
          ` with ${number(boundaries, "boundary").replace(/boundarys$/, "boundaries")}.${changed}`,
        ),
        button(
          "Open again",
          () => void this.doing(() => act({ kind: "reopen", document: this.document })),
        ),
      );
      return;
    }
    const said = left
      ? `Closing stores the result; ${number(left, "gap")} must be decided first.`
      : waiting.length
        ? `Closing stores the result. Not finished: ${waiting.join(", ")}.`
        : "Everything is decided. Closing stores the result for the export.";
    const name = waiting.length ? `Withdraw ${waiting.join(", ")} and close` : "Close";
    const close = button(name, () => void this.close(waiting), {
      class: waiting.length ? null : "main",
    });
    close.disabled = left > 0 || !Object.keys(data.people).length;
    this.end.replaceChildren(h("p", {}, said), close);
  }

  private async close(waiting: string[]): Promise<void> {
    const text = `${waiting.join(", ")} will not count here. What they have done is kept.`;
    if (waiting.length && !(await confirmed("Close without them?", text, "Withdraw and close")))
      return;
    const withdraw = Object.keys(this.data?.unfinished ?? {}).map(Number);
    await this.studio.outbox.settled();
    await this.doing(() => ask(`/api/documents/${this.document}/close`, "POST", { withdraw }));
  }

  private async doing(does: () => Promise<unknown>): Promise<void> {
    let problem = "";
    try {
      await does();
    } catch (found) {
      problem = sentenceOf(found);
    }
    await this.load();
    this.draw();
    if (problem) this.said.textContent = problem;
  }

  private item(dispute: Dispute, at: number): HTMLElement {
    const votes = Object.entries(this.data?.people ?? {}).map(([name, isBlind]) => {
      const mark = dispute.marks[name];
      const later = dispute.later[name];
      return h(
        "span",
        { class: mark === null || mark === undefined ? "vote" : "vote has" },
        h("b", {}, mark === undefined ? "not reached" : mark === null ? "–" : signOf(mark)),
        " ",
        given(name),
        !isBlind && " (not blind)",
        dispute.unsure.includes(name) && " (unsure)",
        later !== undefined && ` (later: ${told(later)})`,
      );
    });
    const comments = Object.entries(dispute.comments ?? {}).map(([name, text]) =>
      h("span", { class: "remark" }, h("b", {}, given(name), ": "), given(text)),
    );
    const isShown = dispute.state === "decided";
    return h(
      "li",
      {
        id: `dispute-${dispute.gap}`,
        role: "option",
        "aria-selected": at === this.current,
        class: isShown ? "decided" : null,
        click: () => (this.move(at), this.list.focus()),
      },
      contextOf(dispute, isShown ? dispute.decision : undefined),
      h(
        "span",
        { class: "votes" },
        ...votes,
        h("span", { class: "decision" }, decisionOf(dispute)),
      ),
      ...comments,
    );
  }
}

function decisionOf({ state, decision, is_against_all }: Dispute): string {
  if (state === "open") return "open";
  if (state === "discuss") return "to discuss";
  return is_against_all ? `${told(decision)}, against all` : told(decision);
}
