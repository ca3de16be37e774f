/** The summary: scores of the systems, the agreement of the references, the human ceiling. */

import { copy, given, h, number, select, shown, button, type Child } from "./dom";
import { type Cell, type Head, markBest, table } from "./table";
import {
  type Column,
  type Data,
  type Interval,
  type Scores,
  type Section,
  type System,
  scoresOf,
} from "./data";

export function summaryView(data: Data): HTMLElement {
  const { summary } = data;
  const view = h("section", { id: "summary", "aria-labelledby": "summary-title" });
  view.append(h("h2", { id: "summary-title" }, "Summary"));
  if (summary.agreement && summary.references.length > 1) view.append(agreement(data));
  if (summary.systems?.length) view.append(systems(data, summary.systems));
  if (summary.ceiling) view.append(ceiling(data));
  view.append(...more(data), ...notes(data), signature(summary.signature));
  return view;
}

export function lead(data: Data): string {
  const { summary } = data;
  const systems = number(summary.systems?.length ?? 0, "system");
  const documents = number(summary.documents.length, "document");
  if (summary.task === "terms") {
    const gold = summary.gold;
    return `${systems} against ${number(gold.words, "word")} and ${number(gold.phones, "phone")} in ${number(gold.recordings, "recording")}`;
  }
  if (summary.task === "text") return `${systems} against gold, in ${documents}`;
  const words = number(summary.sources?.[summary.references[0]]?.words ?? 0, "word");
  const references = number(summary.references.length, "reference");
  const who = summary.task === "agreement" ? references : `${systems} against ${references}`;
  return `${who}, on ${words} in ${documents}`;
}

function systems(data: Data, all: System[]): HTMLElement {
  const { summary } = data;
  const isSlim = data.sections.every(({ columns }) => columns.length < 6);
  const holder = h("div", { class: `tables${isSlim ? " slim" : ""}` });
  const fill = (scope: string) => {
    holder.replaceChildren(...data.sections.map((section) => scoreTable(section, all, scope)));
  };
  fill("micro");
  if (summary.documents.length < 2 || !all[0].by_document) return holder;
  const scopes: [string, string][] = [["micro", "all documents, counts summed (micro)"]];
  if (all[0].macro) scopes.push(["macro", "all documents, mean of scores (macro)"]);
  for (const name of summary.documents) scopes.push([`=${name}`, name]);
  return h("div", {}, h("div", { class: "tools" }, select("Documents", scopes, fill)), holder);
}

function scoreTable(section: Section, all: System[], scope: string): HTMLElement {
  const heads: Head[] = [
    { title: "system", label: true },
    ...section.columns.map((column) => headOf(column, all, scope)),
  ];
  const rows = all.map((system): Cell[] => {
    const scores = scoresOf(system, scope);
    const ends =
      (scope === "micro" || scope === "macro" ? system.confidence?.[scope] : undefined) ?? {};
    return [
      { value: system.name },
      ...section.columns.map((column) => cellOf(column, scores, ends[column.key])),
    ];
  });
  markBest(heads, rows);
  return table(section.title, heads, rows, "scores");
}

function headOf(column: Column, all: System[], scope: string): Head {
  const values = all.map((system) => scoresOf(system, scope)[column.key] ?? 0);
  return { title: column.title, better: column.better, scale: Math.max(1, ...values) };
}

function cellOf(column: Column, scores: Scores, interval?: Interval): Cell {
  return { value: scores[column.key] ?? null, key: column.key, interval };
}

function agreement(data: Data): HTMLElement {
  const { summary, columns } = data;
  const own = summary.agreement;
  const list = h("dl", { class: "figures" });
  for (const column of columns.agreement) {
    const ends: Interval | undefined = own.confidence?.micro?.[column.key];
    const range =
      ends && ends[0] !== null ? h("small", {}, `${shown(ends[0])} to ${shown(ends[1])}`) : null;
    list.append(
      h("div", {}, h("dt", {}, column.title), h("dd", {}, shown(own[column.key]), range)),
    );
  }
  const people = number(summary.references.length, "reference");
  return h("div", { class: "agreement" }, h("h3", {}, `How far ${people} agree`), list);
}

/** Systems and people against all references but one, and what people reach on the mean. */
function ceiling(data: Data): HTMLElement {
  const { human, annotators, systems: reached, confidence } = data.summary.ceiling!;
  const columns = data.columns.ceiling;
  const heads: Head[] = [
    { title: "who", label: true },
    ...columns.map((column): Head => ({ title: column.title, scale: 1, line: human[column.key] })),
  ];
  const group = (all: Record<string, Scores>, what: string): Cell[][] =>
    Object.entries(all).map(([name, scores]) => [
      { value: name, node: h("span", {}, given(name), what ? h("small", {}, ` ${what}`) : null) },
      ...columns.map((column) => {
        const side = what ? confidence?.annotators : confidence?.systems;
        return cellOf(column, scores, side?.[name]?.[column.key]);
      }),
    ]);
  const mean: Cell[] = [
    { value: "people, on the mean", node: h("em", {}, "people, on the mean") },
    ...columns.map((column) => cellOf(column, human, confidence?.human?.[column.key])),
  ];
  const own = group(reached ?? {}, "");
  markBest(
    heads.map((head) => ({ ...head, better: head.label ? null : "high" })),
    own,
  );
  const rows = [...own, ...group(annotators, "person"), mean];
  return h(
    "div",
    { class: "tables" },
    table(
      "The human ceiling: each against the references but one, a person against the others",
      heads,
      rows,
      "scores",
    ),
  );
}

/** Tables that few look at, folded. */
function more(data: Data): HTMLElement[] {
  const { summary, columns } = data;
  const folded: HTMLElement[] = [];
  if (summary.task === "transcript") {
    const labels: Head[] = [
      { title: "reference", label: true },
      { title: "system", label: true },
    ];
    const heads = [...labels, ...columns.references.map(({ title }): Head => ({ title }))];
    const rows = summary.references.flatMap((reference) =>
      summary.systems!.map((system): Cell[] => [
        { value: reference },
        { value: system.name },
        ...columns.references.map((column) => cellOf(column, system.by_reference![reference])),
      ]),
    );
    folded.push(fold("Against each reference", table("Against each reference", heads, rows)));
    const marks = markRows(data);
    if (marks.length) {
      const head: Head[] = [
        ...labels,
        { title: "mark", label: true },
        ...columns.marks.map(({ title }): Head => ({ title })),
      ];
      folded.push(fold("Mark by mark", table("Mark by mark", head, marks)));
    }
  }
  if (summary.agreement?.pairs?.length > 1) {
    const heads: Head[] = [
      { title: "one", label: true },
      { title: "other", label: true },
      ...columns.pairs.map(({ title }): Head => ({ title })),
    ];
    const rows = summary.agreement.pairs.map((pair: any): Cell[] => [
      { value: pair.references[0] },
      { value: pair.references[1] },
      ...columns.pairs.map((column) => cellOf(column, pair)),
    ]);
    folded.push(fold("References, pair by pair", table("References, pair by pair", heads, rows)));
  }
  for (const { title, heads, rows } of data.tables) {
    folded.push(
      fold(
        title,
        table(
          title,
          heads,
          rows.map((row) => row.map((value): Cell => ({ value }))),
        ),
      ),
    );
  }
  return folded;
}

function markRows(data: Data): Cell[][] {
  const rows: Cell[][] = [];
  for (const reference of data.summary.references) {
    for (const system of data.summary.systems!) {
      const marks = system.by_reference![reference].typed?.by_mark ?? {};
      for (const [mark, scores] of Object.entries(marks)) {
        rows.push([
          { value: reference },
          { value: system.name },
          { value: mark || "none" },
          ...data.columns.marks.map((column) => cellOf(column, scores as Scores)),
        ]);
      }
    }
  }
  return rows;
}

export function fold(title: string, ...content: Child[]): HTMLElement {
  return h("details", {}, h("summary", {}, title), ...content);
}

function notes(data: Data): HTMLElement[] {
  return data.notes.map((note) => h("p", { class: "note" }, given(note)));
}

function signature(text: string): HTMLElement {
  const done = h("span", { role: "status", class: "done" });
  const press = async () => {
    await copy(text);
    done.textContent = "copied";
    setTimeout(() => (done.textContent = ""), 2000);
  };
  return h("p", { class: "signature" }, h("code", {}, text), button("Copy signature", press), done);
}
