/** The gaps of a document on which annotators differ, one after the other, to be decided. */

import { button, given, h } from "../../dom";
import { grouped, number } from "../../numbers";
import { ask, sentenceOf } from "../api";
import type { Studio, View } from "../view";
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
  { keys: ["s"], shown: "s", text: "skip", value: "skip" },
  { keys: ["d"], shown: "d", text: "discuss", value: "discuss" },
];

export class Adjudication implements View {
  readonly title = "Adjudicate";
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
          button("Next undecided (n)", () => (this.next(), this.list.focus())),
          button("Undo (u)", () => (this.undo(), this.list.focus())),
        ),
      ),
      this.list,
      this.said,
    );
  }

  private choice({ text, value, shown }: Choice): HTMLElement {
    const label = shown === text ? text : `${text} (${shown})`;
    return button(label, () => (this.decide(value), this.list.focus()), {
      "aria-label": value === null || value.length < 2 ? told(value) : text,
    });
  }

  opened(): void {
    void this.load().then(() => {
      this.current = Math.max(
        0,
        this.disputes.findIndex((each) => !each.is_decided),
      );
      this.draw();
      this.list.focus({ preventScroll: true });
    });
  }

  readonly again = () => void this.load().then(() => this.draw());

  private async load(): Promise<void> {
    try {
      const place = `/api/documents/${this.document}/disputes`;
      const [found, name] = await Promise.all([ask<Disputes>(place), this.name()]);
      const gap = this.disputes[this.current]?.gap ?? 0;
      this.disputes = found.disputes;
      this.current = Math.max(
        0,
        this.disputes.findIndex((each) => each.gap >= gap),
      );
      this.heading.replaceChildren("Adjudicate ", given(name));
      for (const act of this.studio.outbox.pendingIn(this.document)) this.take(act.gap, act.value);
    } catch (problem) {
      this.said.textContent = sentenceOf(problem);
    }
  }

  private async name(): Promise<string> {
    const all = await ask<{ id: number; name: string }[]>("/api/documents");
    return all.find(({ id }) => id === this.document)?.name ?? "";
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
    const isOpen = (each: Dispute, at: number) => !each.is_decided && at !== this.current;
    const after = this.disputes.findIndex((each, at) => at > this.current && isOpen(each, at));
    const found = after < 0 ? this.disputes.findIndex(isOpen) : after;
    if (found >= 0) this.move(found);
    else this.draw();
  }

  private decide(value: string | null): void {
    const dispute = this.disputes[this.current];
    if (!dispute) return;
    this.undone.push([dispute.gap, dispute.is_decided ? dispute.decision : "skip"]);
    this.send(dispute.gap, value);
    this.next();
  }

  /** The decision before; a gap that had none is skipped. */
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
    const dispute = this.disputes.find((each) => each.gap === gap);
    if (dispute) [dispute.decision, dispute.is_decided] = [value, true];
  }

  private draw(): void {
    const { disputes, current } = this;
    const decided = disputes.filter((each) => each.is_decided).length;
    this.facts.textContent = `${number(disputes.length, "gap")} in dispute, ${grouped(decided)} decided`;
    const first = Math.max(0, current - AROUND);
    const shown = disputes.slice(first, current + AROUND + 1);
    this.list.replaceChildren(...shown.map((each, at) => this.item(each, first + at)));
    if (!disputes.length)
      this.list.append(h("li", { role: "option" }, "Annotators agree everywhere."));
    const item = this.list.querySelector<HTMLElement>('[aria-selected="true"]');
    if (item) this.list.setAttribute("aria-activedescendant", item.id);
    item?.scrollIntoView({ block: "center" });
    const here = disputes[current];
    if (here)
      this.said.textContent = `${grouped(current + 1)} of ${grouped(disputes.length)} · ${decisionOf(here)}`;
  }

  private item(dispute: Dispute, at: number): HTMLElement {
    const votes = Object.entries(dispute.marks).map(([name, mark]) =>
      h(
        "span",
        { class: mark === null ? "vote" : "vote has" },
        h("b", {}, mark === null ? "–" : signOf(mark)),
        " ",
        given(name),
      ),
    );
    const comments = Object.entries(dispute.comments ?? {}).map(([name, text]) =>
      h("span", { class: "remark" }, h("b", {}, given(name), ": "), given(text)),
    );
    const isShown =
      dispute.is_decided && dispute.decision !== "skip" && dispute.decision !== "discuss";
    return h(
      "li",
      {
        id: `dispute-${dispute.gap}`,
        role: "option",
        "aria-selected": at === this.current,
        class: dispute.is_decided ? "decided" : null,
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

function decisionOf({ is_decided, decision }: Dispute): string {
  if (!is_decided) return "not decided";
  if (decision === "skip") return "skipped";
  if (decision === "discuss") return "to discuss";
  return told(decision);
}
