/** How far annotators agree and how far they are, as they work. */

import { given, h } from "../../dom";
import { grouped, number, shown } from "../../numbers";
import { directionOf } from "../../views/transcript/lines";
import { ask, sentenceOf } from "../api";
import { update } from "../update";
import { paced, type View } from "../view";
import type { Agreement, OfTwo, Pattern, Scores, Worker } from "../wire";
import { type Column, figures, type Score, table } from "./tables";

type Whole = NonNullable<Agreement["summary"]>;

const SCORES: Score[] = [
  ["RGAR", "rgar"],
  ["Fleiss κ", "fleiss_kappa"],
  ["pairwise F1", "pairwise_f1_mean"],
  ["B", "pairwise_boundary_similarity_mean"],
];
const CEILING: Score[] = [
  ["WiSeBE", "wisebe"],
  ["window F1", "window_f1"],
  ["mean F1", "f1_mean"],
];
const OF_TWO: Column<OfTwo>[] = [
  ["documents", ({ documents }) => grouped(documents)],
  ["F1", (pair) => shown(pair.f1), "pairwise_f1_mean"],
  ["B", (pair) => shown(pair.boundary_similarity), "pairwise_boundary_similarity_mean"],
  ["Cohen κ", (pair) => shown(pair.cohen_kappa), "cohen_kappa_mean"],
];
const PROGRESS: Column<Worker>[] = [
  ["annotator", ({ name }) => given(name)],
  ["begun", ({ begun, assigned }) => `${grouped(begun)} of ${grouped(assigned)}`],
  ["finished", ({ finished, assigned }) => `${grouped(finished)} of ${grouped(assigned)}`],
  ["boundaries", ({ boundaries }) => grouped(boundaries)],
  ["words", ({ reached }) => grouped(reached)],
  ["time", ({ seconds }) => timeOf(seconds)],
  ["words a minute", speedOf],
];
const PATTERNS: Column<Pattern>[] = [
  ["a boundary", ({ side, word }) => h("span", `${side} `, h("q", given(word)))],
  ["times", ({ times }) => grouped(times)],
  ["example", ({ example }) => around(example)],
  ["in", ({ document }) => given(document)],
];
const MOST_PATTERNS = 20;
const MINUTE = 60;
/** Of less time nothing can be said. */
const LEAST = 10;

const TENTATIVE = 0.667;
const RELIABLE = 0.8;

export class AgreementView implements View {
  readonly title = "Agreement";
  private readonly numbers = h("div");
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
  readonly opened = this.progress;
  private readonly patternsLater = paced(() => this.loadPatterns(), 5000);

  private async load(): Promise<void> {
    try {
      this.draw(await ask<Agreement>("/api/agreement"));
      this.patternsLater();
    } catch (problem) {
      this.said.textContent = sentenceOf(problem);
    }
  }

  private draw({ summary, so_far, again, left_out, people }: Agreement): void {
    this.said.textContent = summary
      ? meaning(summary)
      : "Agreement is shown when two annotators have finished the same document.";
    const left = Object.entries(left_out).map(
      ([why, count]) =>
        `${grouped(count)} ${why.replace(/ statement$/, "$& that they were blind")}`,
    );
    update(this.numbers, [
      ...(summary ? whole(summary) : []),
      ...(left.length ? [h("p.note", `Not counted: ${left.join("; ")}.`)] : []),
      ...(so_far ? [partial(so_far)] : []),
      ...(again.length ? [withThemselves(again)] : []),
    ]);
    update(this.people, people.length ? [table("Progress", people, PROGRESS)] : []);
  }

  private async loadPatterns(): Promise<void> {
    const found = (await ask<Pattern[]>("/api/patterns")).slice(0, MOST_PATTERNS);
    update(this.patterns, found.length ? [table("Patterns of disagreement", found, PATTERNS)] : []);
  }
}

/** What the figures mean, in one sentence. */
function meaning(found: Whole): string {
  const { krippendorff_alpha: alpha, confidence } = found.agreement;
  if (alpha === null || alpha === undefined) return "There is not enough to say what this means.";
  const [low, high] = confidence?.micro?.krippendorff_alpha ?? [null, null];
  const span = low === null ? "" : ` (95 % ${shown(low)} to ${shown(high)})`;
  const least = low ?? alpha;
  const said =
    least >= RELIABLE
      ? "one annotator’s boundaries can stand for the others’"
      : least >= TENTATIVE
        ? "enough for tentative conclusions; adjudicate, and report it"
        : "one annotator alone is no reference; see the patterns below, and clarify the guidelines";
  return `Krippendorff’s α is ${shown(alpha)}${span} over ${number(severalOf(found), "document")}: ${said}.`;
}

/** The number of documents that two or more have. */
function severalOf({ panels, documents }: Whole): number {
  return documents.length - (panels["1"] ?? 0);
}

/** What is exported: of all, by document, in pairs, and of each against the others. */
function whole(found: Whole): HTMLElement[] {
  const { agreement, ceiling, references } = found;
  const several = number(severalOf(found), "document");
  const told = `${number(references.length, "annotator")}; ${several} that two or more have finished, blind, as exported. Below each figure: its 95 % interval${caution(found)}.`;
  const shared = Object.entries(agreement.by_document).filter(([, own]) =>
    SCORES.some(([, key]) => own[key] != null),
  );
  return [
    figures(SCORES, agreement, agreement.confidence?.micro),
    h("p.note", told),
    h(
      "div.tables.slim",
      table("By document", shared, rates("document", SCORES)),
      table("Pairs", agreement.pairs, [
        ["annotators", ({ references: [a, b] }) => h("span", given(a), " and ", given(b))],
        ...OF_TWO,
      ]),
      ceiling &&
        table(
          "Human ceiling",
          Object.entries({ "human average": ceiling.human, ...ceiling.annotators }),
          rates("annotator against the others", CEILING),
        ),
    ),
  ];
}

/** Columns of a name and the scores that it has. */
function rates(head: string, scores: Score[]): Column<[string, Scores]>[] {
  type Rate = Column<[string, Scores]>;
  const columns = scores.map(([title, key]): Rate => [title, ([, own]) => shown(own[key]), key]);
  return [[head, ([name]) => given(name)], ...columns];
}

/** Intervals from few documents, or blocks of them, are unreliable. */
function caution({ signature }: Whole): string {
  const [, unit = "", size] = /drawn:(\w+)\/(\d+)/.exec(signature) ?? [];
  return size && Number(size) < 10 ? `, unreliable from ${number(Number(size), unit)} only` : "";
}

/** What is known before everyone is done, with layers in work. */
function partial({ gaps, agreement }: NonNullable<Agreement["so_far"]>): HTMLElement {
  const about = `So far, with layers in work: ${number(gaps, "gap")} that two or more have reached, each by those who have. Not exported.`;
  return h(
    "details.sofar",
    { id: "so-far" },
    h("summary", "So far"),
    h("p.note", about),
    figures(SCORES, agreement),
  );
}

/** How far people agree with themselves: no two people can agree better than that. */
function withThemselves(again: Agreement["again"]): HTMLElement {
  const note =
    "First pass against second, both blind. Who does not agree with themselves cannot agree with others: it is a limit to the figures above.";
  return h(
    "div",
    table("Annotators with themselves", again, [
      ["annotator", ({ name }) => given(name)],
      ...OF_TWO,
    ]),
    h("p.note", note),
  );
}

/** `1:05 h`, or `12 min`. */
function timeOf(seconds: number): string {
  const minutes = Math.round(seconds / MINUTE);
  if (minutes < MINUTE) return `${minutes} min`;
  return `${Math.floor(minutes / MINUTE)}:${String(minutes % MINUTE).padStart(2, "0")} h`;
}

/** Words that were passed in a minute of work. */
function speedOf({ reached, seconds }: Worker): string {
  return seconds < LEAST ? "–" : grouped(Math.round((reached * MINUTE) / seconds));
}

/** A gap with the words around it. */
function around({ before, after }: Pattern["example"]): HTMLElement {
  return h(
    "span.around",
    { dir: directionOf(`${before} ${after}`.split(" ")) },
    given(`… ${before}`),
    h("span.sign-at", " | "),
    given(`${after} …`),
  );
}
