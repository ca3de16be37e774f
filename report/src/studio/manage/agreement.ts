/** How far annotators agree and how far they are, as they work. */

import { given, h } from "../../dom";
import { grouped, number, shown } from "../../numbers";
import { ask, sentenceOf } from "../api";
import { update } from "../update";
import { paced, type View } from "../view";
import type { Agreement, Pattern, Scores, Worker } from "../wire";
import { contextOf } from "./context";
import { type Cell, counted, type Figure, figures, type Head, table } from "./tables";

const COLUMNS: [title: string, key: string][] = [
  ["RGAR", "rgar"],
  ["Fleiss κ", "fleiss_kappa"],
  ["pairwise F1", "pairwise_f1_mean"],
  ["B", "pairwise_boundary_similarity_mean"],
];
const CEILING: [title: string, key: string][] = [
  ["WiSeBE", "wisebe"],
  ["window F1", "window_f1"],
  ["mean F1", "f1_mean"],
];
/** The figures of two annotators, or of one with themselves. */
const OF_TWO: Head[] = [
  "documents",
  ["F1", "pairwise_f1_mean"],
  ["B", "pairwise_boundary_similarity_mean"],
  ["Cohen κ", "cohen_kappa_mean"],
];
const MINUTE = 60;
/** Of less time nothing can be said. */
const LEAST = 10;

const TENTATIVE = 0.667;
const RELIABLE = 0.8;
const WHY: Record<string, string> = {
  "in work": "in work",
  "not begun": "not begun",
  "not blind": "not blind",
  "imported without a statement": "imported without a statement that they were blind",
};

/** The number of documents that two or more have. */
function severalOf(panels: Record<string, number> | undefined, all: number): number {
  if (!panels) return all;
  const several = Object.entries(panels).filter(([size]) => Number(size) > 1);
  return several.reduce((sum, [, count]) => sum + count, 0);
}

type Whole = NonNullable<Agreement["summary"]>;

/** What is known before everyone is done, with layers in work. */
function partial({ gaps, agreement }: NonNullable<Agreement["so_far"]>): HTMLElement {
  const about = `So far, with layers in work: ${number(gaps, "gap")} that two or more have reached, each by those who have. Not exported.`;
  return h(
    "details.sofar",
    { id: "so-far" },
    h("summary", "So far"),
    h("p.note", about),
    figures(columnsOf(agreement)),
  );
}

function columnsOf(agreement: Scores, spans: Spans = {}): Figure[] {
  return COLUMNS.map((column) => [column, agreement[column[1]], spans[column[1]]]);
}

type Spans = Record<string, [number | null, number | null]>;

/** Intervals from few documents, or blocks of them, are unreliable. */
function caution({ signature }: Whole): string {
  const [, unit = "", size] = /drawn:(\w+)\/(\d+)/.exec(signature) ?? [];
  return size && Number(size) < 10 ? `, unreliable from ${number(Number(size), unit)} only` : "";
}

/** What the figures mean, in one sentence. */
function meaning({ agreement, documents, panels }: Whole): string {
  const alpha = agreement.krippendorff_alpha;
  if (alpha === null || alpha === undefined) return "There is not enough to say what this means.";
  const [low, high] = agreement.confidence?.micro?.krippendorff_alpha ?? [null, null];
  const isDrawn = low !== null && low !== undefined && high !== null && high !== undefined;
  const span = isDrawn ? ` (95 % ${shown(low)} to ${shown(high)})` : "";
  const least = isDrawn ? low : alpha;
  const said =
    least >= RELIABLE
      ? "one annotator’s boundaries can stand for the others’"
      : least >= TENTATIVE
        ? "enough for tentative conclusions; adjudicate, and report it"
        : "one annotator alone is no reference; see the patterns below, and clarify the guidelines";
  return `Krippendorff’s α is ${shown(alpha)}${span} over ${number(severalOf(panels, documents.length), "document")}: ${said}.`;
}

export class AgreementView implements View {
  readonly title = "Agreement";
  private readonly numbers = h("div.numbers");
  private readonly people = h("div");
  private readonly patterns = h("div");
  private readonly said = h("p.lead", { role: "status" });
  readonly element = h(
    "section",
    h("h1", { id: "agreement-title" }, "Agreement"),
    this.said,
    this.numbers,
    this.people,
    this.patterns,
  );
  readonly progress = paced(() => this.load(), 2000);
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
      update(this.people, found.people.length ? [this.workers(found)] : []);
      this.patternsLater();
    } catch (problem) {
      this.said.textContent = sentenceOf(problem);
    }
  }

  private drawNumbers({ summary, so_far, again, left_out }: Agreement): void {
    this.said.textContent = summary
      ? meaning(summary)
      : "Agreement is shown when two annotators have finished the same document.";
    const left = Object.entries(left_out).map(
      ([why, count]) => `${grouped(count)} ${WHY[why] ?? why}`,
    );
    update(this.numbers, [
      ...(summary ? this.whole(summary) : []),
      ...(left.length ? [h("p.note", `Not counted: ${left.join("; ")}.`)] : []),
      ...(so_far ? [partial(so_far)] : []),
      ...(again.length ? [withThemselves(again)] : []),
    ]);
  }

  private whole(found: Whole): HTMLElement[] {
    const { agreement, ceiling, documents, references, panels } = found;
    const several = severalOf(panels, documents.length);
    const told = `${number(references.length, "annotator")}; ${number(several, "document")} that two or more have finished, blind, as exported. Below each figure: its 95 % interval${caution(found)}.`;
    return [
      figures(columnsOf(agreement, agreement.confidence?.micro)),
      h("p.note", told),
      h(
        "div.tables.slim",
        rates("By document", "document", COLUMNS, defined(agreement.by_document)),
        table(
          "Pairs",
          ["annotators", ...OF_TWO],
          agreement.pairs.map(({ references: [a, b], f1, documents: shared, ...pair }) => [
            h("span", given(a), " and ", given(b)),
            counted(grouped(shared ?? documents.length)),
            f1,
            pair.boundary_similarity,
            pair.cohen_kappa,
          ]),
        ),
        ceiling
          ? rates("Human ceiling", "annotator against the others", CEILING, {
              "human average": ceiling.human,
              ...ceiling.annotators,
            })
          : h("div"),
      ),
    ];
  }

  private workers({ people }: Agreement): HTMLElement {
    return table(
      "Progress",
      ["annotator", "begun", "finished", "boundaries", "words", "time", "words a minute"],
      people.map((each) => [
        given(each.name),
        counted(`${grouped(each.begun)} of ${grouped(each.assigned)}`),
        counted(`${grouped(each.finished)} of ${grouped(each.assigned)}`),
        counted(grouped(each.boundaries)),
        counted(grouped(each.reached)),
        counted(timeOf(each.seconds)),
        counted(speedOf(each)),
      ]),
    );
  }

  private async loadPatterns(): Promise<void> {
    const found = await ask<Pattern[]>("/api/patterns");
    const rows = found
      .slice(0, 20)
      .map(({ side, word, times, document, example }): Cell[] => [
        h("span", `${side} `, h("q", given(word))),
        counted(grouped(times)),
        contextOf(example),
        given(document),
      ]);
    const heads = ["a boundary", "times", "example", "in"];
    update(this.patterns, rows.length ? [table("Patterns of disagreement", heads, rows)] : []);
  }
}

/** How far people agree with themselves: no two people can agree better than that. */
function withThemselves(again: Agreement["again"]): HTMLElement {
  const note =
    "First pass against second, both blind. Who does not agree with themselves cannot agree with others: it is a limit to the figures above.";
  return h(
    "div",
    table(
      "Annotators with themselves",
      ["annotator", ...OF_TWO],
      again.map((each) => [
        given(each.name),
        counted(grouped(each.documents)),
        each.f1,
        each.boundary_similarity,
        each.cohen_kappa,
      ]),
    ),
    h("p.note", note),
  );
}

function rates(
  title: string,
  first: string,
  columns: [title: string, key: string][],
  scores: Record<string, Scores>,
): HTMLElement {
  const rows = Object.entries(scores).map(([name, own]): Cell[] => [
    given(name),
    ...columns.map(([, key]) => own[key] ?? null),
  ]);
  return table(title, [first, ...columns], rows);
}

/** The documents that several have finished. */
function defined(scores: Record<string, Scores>): Record<string, Scores> {
  const every = Object.entries(scores).filter(([, own]) =>
    COLUMNS.some(([, key]) => own[key] != null),
  );
  return Object.fromEntries(every);
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
