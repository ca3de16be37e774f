/** The summary: scores of the systems, the agreement of the references, the human ceiling. */

import { button, type Child, copy, given, h, section, select } from "./dom";
import {
  alignmentOf,
  hasAny,
  hasDocuments,
  type Interval,
  own,
  type Scope,
  scoreOf,
  scoresOf,
} from "./data";
import { hinted } from "./hint";
import { number, shown } from "./numbers";
import { barredHead, type Cell, type Head, headOf, labelHead, markBest, table } from "./table";
import type {
  ReferenceAgreement,
  Ceiling,
  PageColumn,
  PageData,
  PageTable,
  Scores,
  Section,
  System,
} from "./types";

type Intervals = Record<string, Interval> | undefined;

export function summaryView(data: PageData): HTMLElement {
  const { summary } = data;
  const parts: Child[] = [];
  if (summary.agreement && summary.references.length > 1)
    parts.push(agreement(data, summary.agreement));
  if (data.sections.length) parts.push(systems(data));
  else parts.push(...aligned(data, "micro"));
  parts.push(...data.tables.filter(({ is_folded }) => !is_folded).map(open));
  if (summary.ceiling) parts.push(ceiling(data.ceiling, summary.ceiling));
  const folded = data.tables.filter(({ is_folded }) => is_folded);
  parts.push(...folded.map((each) => fold(each.title, tableOf(each, false))));
  parts.push(definitions(data), ...notes(data), signature(summary.signature));
  return section("summary", "Summary", ...parts);
}

/** What may be wrong with the input or the options, above all else. */
export function warnings({ summary }: PageData): HTMLElement[] {
  const all = summary.warnings;
  if (!all.length) return [];
  const list = h("ul", ...all.map((each) => h("li", given(each))));
  const title = all.length > 1 ? `${all.length} warnings` : "Warning";
  return [h("aside.warnings", { "aria-label": "Warnings" }, h("h2", title), list)];
}

/** What was scored, in a line. */
export function lead({ summary, item, has_gold }: PageData): string {
  const scored = number(summary.systems.length, "system");
  const documents = number(summary.documents.length, "document");
  const { gold } = summary;
  if (gold) {
    const words = `${number(gold.words, "word")} and ${number(gold.phones, "phone")}`;
    return `${scored} against ${words} in ${number(gold.recordings, "recording")}`;
  }
  if (has_gold) return `${scored} against gold, in ${documents}`;
  const words = number(summary.words, item);
  const references = number(summary.references.length, "reference");
  const who = summary.systems.length === 0 ? references : `${scored} against ${references}`;
  const hasWords = (summary.options.axis ?? "words") === "words";
  return hasWords ? `${who}, on ${words} in ${documents}` : `${who}, in ${documents}`;
}

function systems(data: PageData): HTMLElement {
  const { documents, systems: all } = data.summary;
  const isSlim = data.sections.every(({ columns }) => columns.length < 5);
  const holder = h("div", { class: `tables${isSlim ? " slim" : ""}` });
  const fill = (scope: Scope) => {
    const tables = data.sections.map((each) => scoreTable(each, all, scope));
    holder.replaceChildren(...tables, ...aligned(data, scope));
  };
  const columns = data.sections[0]?.columns ?? [];
  const isKnown = columns.some((column) => all.some(({ micro }) => own(micro, column.key) != null));
  const hasMean = hasDocuments(data) && hasAny(all[0]?.macro);
  const first = hasMean && !isKnown ? "macro" : "micro";
  fill(first);
  if (!hasDocuments(data)) return holder;
  const scopes: [string, string][] = [["micro", "all documents, counts summed (micro)"]];
  if (hasMean) scopes.push(["macro", "all documents, mean of scores (macro)"]);
  for (const name of documents) scopes.push([`=${name}`, name]);
  const change = (value: string) =>
    fill(value === "micro" || value === "macro" ? value : { document: value.slice(1) });
  return h("div", h("div.tools", select("Documents", scopes, change, first)), holder);
}

function scoreTable({ title, columns }: Section, all: System[], scope: Scope): HTMLElement {
  const heads = [labelHead("system"), ...columns.map((column) => scaled(column, all, scope))];
  const rows = all.map((system): Cell[] => {
    const ends = typeof scope === "string" ? system.confidence?.[scope] : undefined;
    return [{ value: system.name }, ...scoreCells(columns, scoresOf(system, scope), ends)];
  });
  markBest(heads, rows);
  return table(title, heads, rows, "scores");
}

/** Word error rate and coverage of every version whose words were aligned. */
function aligned({ alignment, summary }: PageData, scope: Scope): HTMLElement[] {
  if (!alignment) return [];
  const isOne = typeof scope === "object";
  const columns = alignment.columns.filter(({ format }) => !isOne || format === "rate");
  const each = Object.keys(summary.sources)
    .map((name): [string, Scores] => [name, alignmentOf(summary, name, scope)])
    .filter(([, scores]) => hasAny(scores));
  const heads = [
    labelHead("version"),
    ...columns.map((column) =>
      scaledBy(
        column,
        each.map(([, scores]) => scores),
      ),
    ),
  ];
  const rows = each.map(([name, scores]): Cell[] => [
    { value: name },
    ...scoreCells(columns, scores, undefined),
  ]);
  markBest(heads, rows);
  return rows.length ? [table(alignment.title, heads, rows, "scores")] : [];
}

/** A head with bars, for rates. */
function scaled(column: PageColumn, all: System[], scope: Scope): Head {
  return scaledBy(
    column,
    all.map((system) => scoresOf(system, scope)),
  );
}

function scaledBy(column: PageColumn, all: Scores[]): Head {
  return barredHead(
    column,
    all.map((scores) => scoreOf(scores, column)),
  );
}

function scoreCells(columns: PageColumn[], scores: Scores, ends: Intervals): Cell[] {
  return columns.map((column) => ({
    value: scoreOf(scores, column),
    interval: own(ends, column.key),
  }));
}

function agreement(data: PageData, { micro, confidence }: ReferenceAgreement): HTMLElement {
  const list = h("dl.figures");
  for (const column of data.agreement) {
    const ends = own(confidence?.micro, column.key);
    const range =
      ends && ends[0] !== null ? h("small", `${shown(ends[0])} to ${shown(ends[1])}`) : null;
    list.append(
      h("div", h("dt", term(column)), h("dd", shown(scoreOf(micro, column), column.format), range)),
    );
  }
  const people = number(data.summary.references.length, "reference");
  return h("div.agreement", h("h3", `Agreement of ${people}`), list);
}

/** The name of a score, which can be focused if there is something to say about it. */
function term({ title, help }: PageColumn): HTMLElement {
  return help
    ? hinted(
        button(title, () => {}, { class: "term" }),
        help,
      )
    : h("span", title);
}

/** Systems and annotators against all references but one, with the human average as a line. */
function ceiling(columns: PageColumn[], found: Ceiling): HTMLElement {
  const { human, annotators, systems: reached, confidence } = found;
  const heads = [
    labelHead("who"),
    ...columns.map((column): Head => ({
      ...headOf(column),
      scale: column.scale,
      line: scoreOf(human, column),
    })),
  ];
  const group = (all: Record<string, Scores>, ends: Record<string, Intervals>, what = "") =>
    Object.entries(all).map(([name, scores]): Cell[] => [
      { value: name, node: h("span", given(name), what && h("small", ` ${what}`)) },
      ...scoreCells(columns, scores, own(ends, name)),
    ]);
  const ours = group(reached, confidence?.systems ?? {});
  markBest(heads, ours);
  const average: Cell[] = [
    { value: "human average", node: h("em", "human average") },
    ...scoreCells(columns, human, confidence?.human),
  ];
  const people = group(annotators, confidence?.annotators ?? {}, "annotator");
  const made = table("Human ceiling", heads, [...ours, ...people, average], "scores");
  made.append(
    h(
      "p.note",
      "One reference is left out at a time; its annotator is scored against the others. " +
        "The line on the bars is the human average.",
    ),
  );
  return h("div.tables", made);
}

function open(each: PageTable): HTMLElement {
  return h("div.tables", tableOf(each, true));
}

/** A table with the values that Python gave it. */
function tableOf(each: PageTable, hasBars: boolean): HTMLElement {
  const heads = each.columns.map((column, at): Head => {
    const values = each.rows.map((row) => row[at] ?? null);
    return hasBars ? barredHead(column, values) : headOf(column);
  });
  const rows = each.rows.map((row) => row.map((value): Cell => ({ value })));
  for (const [row, at] of each.best) mark(rows[row]?.[at], { best: true });
  for (const [row, at] of each.daggers) mark(rows[row]?.[at], { dagger: true });
  return table(each.title, heads, rows, hasBars ? "scores" : "");
}

function mark(cell: Cell | undefined, what: Partial<Cell>): void {
  if (cell) Object.assign(cell, what);
}

/** What the headings mean, for those who cannot point at them. */
function definitions(data: PageData): HTMLElement | null {
  const every = [
    ...data.agreement,
    ...data.sections.flatMap(({ columns }) => columns),
    ...data.ceiling,
    ...(data.alignment?.columns ?? []),
    ...data.tables.flatMap(({ columns }) => columns),
  ];
  const told = new Map<string, string>();
  for (const { label, help } of every) if (help && !told.has(label)) told.set(label, help);
  if (!told.size) return null;
  const list = h("dl.definitions");
  for (const [title, help] of told) list.append(h("dt", title), h("dd", help));
  return fold("What the scores mean", list);
}

function fold(title: string, ...content: Child[]): HTMLElement {
  return h("details", h("summary", title), ...content);
}

function notes(data: PageData): HTMLElement[] {
  return data.notes.map((note) => h("p.note", given(note)));
}

function signature(text: string): HTMLElement {
  const done = h("span.done", { role: "status" });
  const press = () => {
    void copy(text).then(() => {
      done.textContent = "copied";
      setTimeout(() => (done.textContent = ""), 2000);
    });
  };
  return h("p.signature", h("code", text), button("Copy signature", press), done);
}
