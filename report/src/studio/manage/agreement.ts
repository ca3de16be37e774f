/** How far annotators agree and how far they are, as they work. */

import { given, h } from "../../dom";
import { grouped, number } from "../../numbers";
import { ask, sentenceOf } from "../api";
import { paced, type View } from "../view";
import type { Agreement, Pattern, Scores, Worker } from "../wire";
import { contextOf } from "./context";
import { type Cell, figures, table } from "./tables";

const COLUMNS: [key: string, title: string][] = [
  ["rgar", "RGAR"],
  ["fleiss_kappa", "Fleiss κ"],
  ["pairwise_f1_mean", "pairwise F1"],
  ["pairwise_boundary_similarity_mean", "B"],
];
const CEILING: [key: string, title: string][] = [
  ["wisebe", "WiSeBE"],
  ["window_f1", "window F1"],
  ["f1_mean", "mean F1"],
];
const MINUTE = 60;
/** Of less time nothing can be said. */
const LEAST = 10;

/** What is known before everyone is done: parts that some have not reached are no disagreement. */
function partial({ words, of, agreement }: NonNullable<Agreement["so_far"]>): HTMLElement[] {
  const told = `On the ${grouped(words)} of ${number(of, "word")} that all have reached:`;
  return [h("p", { class: "note" }, told), figures(columnsOf(agreement))];
}

function columnsOf(agreement: Scores): [string, number | null | undefined][] {
  return COLUMNS.map(([key, title]) => [title, agreement[key]]);
}

export class AgreementView implements View {
  readonly title = "Agreement";
  private readonly numbers = h("div", { class: "numbers" });
  private readonly people = h("div");
  private readonly patterns = h("div");
  private readonly said = h("p", { class: "note", role: "status" });
  readonly element = h(
    "section",
    {},
    h("h1", { id: "agreement-title" }, "Agreement"),
    this.said,
    this.numbers,
    this.people,
    this.patterns,
  );
  readonly progress = paced(() => this.load());
  readonly again = this.progress;
  private readonly patternsLater = paced(() => this.loadPatterns(), 5000);

  opened(): void {
    this.progress();
    this.patternsLater();
  }

  private async load(): Promise<void> {
    try {
      const found = await ask<Agreement>("/api/agreement");
      this.drawNumbers(found);
      this.people.replaceChildren(this.workers(found));
      this.patternsLater();
    } catch (problem) {
      this.said.textContent = sentenceOf(problem);
    }
  }

  private drawNumbers({ summary, so_far }: Agreement): void {
    if (!summary) {
      this.said.textContent =
        "Agreement is shown when two annotators have begun the same document.";
      this.numbers.replaceChildren();
      return;
    }
    const { agreement, ceiling, documents, references } = summary;
    this.said.textContent = `${number(references.length, "annotator")}, ${number(documents.length, "document")} that all of them have begun.`;
    const whole = so_far ? [h("p", { class: "note" }, "On all words, as exported:")] : [];
    this.numbers.replaceChildren(
      ...(so_far ? partial(so_far) : []),
      ...whole,
      figures(columnsOf(agreement)),
      h(
        "div",
        { class: "tables slim" },
        rates("By document", "document", COLUMNS, agreement.by_document),
        table(
          "Pairs",
          ["annotators", "F1", "B", "Cohen κ"],
          agreement.pairs.map(({ references: [a, b], f1, boundary_similarity, cohen_kappa }) => [
            h("span", {}, given(a), " and ", given(b)),
            f1,
            boundary_similarity,
            cohen_kappa,
          ]),
        ),
        ceiling
          ? rates("Human ceiling", "annotator against the others", CEILING, {
              "human average": ceiling.human,
              ...ceiling.annotators,
            })
          : h("div"),
      ),
    );
  }

  private workers({ people, documents }: Agreement): HTMLElement {
    return table(
      "Progress",
      ["annotator", "begun", "finished", "boundaries", "words", "time", "words a minute"],
      people.map((each) => [
        given(each.name),
        figure(`${grouped(each.begun)} of ${grouped(documents)}`),
        figure(`${grouped(each.finished)} of ${grouped(documents)}`),
        figure(grouped(each.boundaries)),
        figure(grouped(each.reached)),
        figure(timeOf(each.seconds)),
        figure(speedOf(each)),
      ]),
    );
  }

  private async loadPatterns(): Promise<void> {
    const found = await ask<Pattern[]>("/api/patterns");
    if (!found.length) {
      this.patterns.replaceChildren();
      return;
    }
    const rows = found
      .slice(0, 20)
      .map(({ side, word, times, document, example }): Cell[] => [
        h("span", {}, `${side} `, h("q", {}, given(word))),
        figure(grouped(times)),
        contextOf(example),
        given(document),
      ]);
    this.patterns.replaceChildren(
      table("Patterns of disagreement", ["a boundary", "times", "example", "in"], rows),
    );
  }
}

function rates(
  title: string,
  first: string,
  columns: [key: string, title: string][],
  scores: Record<string, Scores>,
): HTMLElement {
  const rows = Object.entries(scores).map(([name, own]): Cell[] => [
    given(name),
    ...columns.map(([key]) => own[key] ?? null),
  ]);
  return table(title, [first, ...columns.map(([, text]) => text)], rows);
}

/** Words that were passed in a minute of work. */
function speedOf({ reached, seconds }: Worker): string {
  return seconds < LEAST ? "–" : grouped(Math.round((reached * MINUTE) / seconds));
}

/** `1:05 h`, or `12 min`. */
function timeOf(seconds: number): string {
  const minutes = Math.round(seconds / MINUTE);
  if (minutes < MINUTE) return `${minutes} min`;
  return `${Math.floor(minutes / MINUTE)}:${String(minutes % MINUTE).padStart(2, "0")} h`;
}

function figure(text: string): HTMLElement {
  return h("span", { class: "whole" }, text);
}
