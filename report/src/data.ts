/** The data of the page, and how to look things up in it. */

import type { PageColumn, PageData, Scores, Summary, System } from "./types";

export type Interval = [number | null, number | null];
export type Value = string | number | null;

export function load(): PageData {
  return JSON.parse(document.getElementById("data")?.textContent ?? "") as PageData;
}

/** What a record holds under a name of the input; `toString` and the like are names, too. */
export function own<T>(record: Record<string, T> | undefined, name: string): T | undefined {
  return record && Object.hasOwn(record, name) ? record[name] : undefined;
}

/** Those of some names under which a record holds anything, in their order. */
export function entries<T>(record: Record<string, T>, names: string[]): [string, T][] {
  return names.flatMap((name): [string, T][] => {
    const found = own(record, name);
    return found === undefined ? [] : [[name, found]];
  });
}

export type Scope = "micro" | "macro" | { document: string };

/** The scores of a system: of all documents, or of one. */
export function scoresOf(system: System, scope: Scope): Scores {
  if (typeof scope === "object") return own(system.by_document, scope.document) ?? {};
  return system[scope];
}

/** How the words of a version were aligned: in all documents, or in one. */
export function alignmentOf({ sources }: Summary, name: string, scope: Scope): Scores {
  const version = own(sources, name);
  if (!version || !hasAny(version.alignment)) return {};
  if (typeof scope === "object") return own(version.by_document, scope.document) ?? {};
  const { words, units, alignment } = version;
  return { words, units, ...alignment };
}

export function scoreOf(scores: Scores | undefined, { key }: PageColumn): number | null {
  return own(scores, key) ?? null;
}

/** The scores that can be listed by document, before counts. */
export function documentColumns({ sections, by_document }: PageData): PageColumn[] {
  const every = [...sections.flatMap(({ columns }) => columns), ...by_document];
  const isCount = ({ format }: PageColumn) => Number(format === "count");
  return every.sort((a, b) => isCount(a) - isCount(b));
}

/** Whether there are scores to choose by document. */
export function hasDocuments({ summary }: PageData): boolean {
  return summary.documents.length > 1 && hasAny(summary.systems[0]?.by_document);
}

export function hasAny(record: object | undefined): boolean {
  return record !== undefined && Object.keys(record).length > 0;
}
