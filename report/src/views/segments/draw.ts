/** The two ways to show a segment: words in columns, or each side as a text. */

import { type Child, given, h } from "../../dom";
import { number } from "../../numbers";
import { directionOf } from "../transcript/lines";
import { type Column, hitsOf, type Kind } from "./model";

/** The reference, and systems by name. */
export const REFERENCE = "reference";

/** Words in columns that wrap like a text: the reference's above, those of systems beneath. */
export function aligned(columns: Column[], names: string[], phrase: string): HTMLElement {
  const rows = rowsOf(columns);
  const hits = rows.map((words) => hitsOf(words, phrase));
  const direction = directionOf(rows.flat());
  const holder = h("div.aligned", { dir: direction, "aria-hidden": true });
  holder.append(h("span.column.names", ...[REFERENCE, ...names].map(name)));
  columns.forEach(({ reference, cells }, at) => {
    const isHit = (row: number) => !!hits[row]?.has(at);
    const made = h("span", { class: `column${isApart(columns[at + 1]) ? " apart" : ""}` });
    made.append(word(reference, theirs(cells), 0, isHit(0)));
    cells.forEach(({ text, kind }, row) => made.append(word(text, kind, row + 1, isHit(row + 1))));
    holder.append(made);
  });
  return holder;
}

/** Each side as a text in which words that differ are marked. */
export function texts(columns: Column[], names: string[], phrase: string): HTMLElement {
  const rows = rowsOf(columns);
  const direction = directionOf(rows.flat());
  const sides = rows.map((words, row) => {
    const hits = hitsOf(words, phrase);
    const parts = words.flatMap((text, at): Child[] => {
      const cells = columns[at]?.cells ?? [];
      const kind = row ? (cells[row - 1]?.kind ?? "beyond") : theirs(cells);
      if (!text) return kind === "lacking" && names.length > 1 ? [" ", word("", kind), " "] : [];
      const bare = text.trimStart();
      return [text.slice(0, -bare.length), word(bare, kind, row, hits.has(at))];
    });
    const said = words.some(Boolean) ? parts : [h("em", "no words")];
    const who = row ? (names[row - 1] ?? "") : REFERENCE;
    return h("p", name(who), h("span.said", ...said));
  });
  return h("div.sides", { dir: direction }, ...sides);
}

/** The words of each row. */
function rowsOf(columns: Column[]): string[][] {
  const size = columns[0]?.cells.length ?? 0;
  const ours = Array.from({ length: size }, (_, row) =>
    columns.map(({ cells }) => cells[row]?.text ?? ""),
  );
  return [columns.map(({ reference }) => reference), ...ours];
}

/** What a word of the reference is: as the system has it, unless there are several. */
function theirs(cells: Column["cells"]): Kind {
  const [first] = cells;
  return first && cells.length === 1 ? first.kind : "same";
}

/** Whether white space is before a column. */
function isApart(column: Column | undefined): boolean {
  return !!column && [column.reference, ...column.cells.map(({ text }) => text)].some(hasSpace);
}

function hasSpace(text: string): boolean {
  return text.startsWith(" ");
}

function name(text: string): HTMLElement {
  return h("span.who", given(text));
}

/** A word of a row, of which the first is the reference. */
function word(text: string, kind: Kind, row = 1, isHit = false): HTMLElement {
  const bare = text.trimStart();
  if (!bare) return h("span", { class: row && kind === "lacking" ? "no-word" : null });
  const classes = ["heard", row ? "ours" : "gold", kind, isHit ? "hit" : ""]
    .filter(Boolean)
    .join(" ");
  const tag = kind === "extra" ? "ins" : kind === "lacking" ? "del" : "bdi";
  return h(tag, { class: classes, dir: "auto" }, bare);
}

/** What is not shown of a long segment. */
export function rest(left: number): Child {
  return left > 0 && h("p.note", `… and ${number(left, "more word")}`);
}
