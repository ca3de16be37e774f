/** Tables that can be sorted. */

import { button, given, h } from "./dom";
import { hinted } from "./hint";
import { type Interval, type Value } from "./data";
import { type Format, shown } from "./numbers";
import type { PageColumn } from "./types";

export interface Cell {
  value: Value;
  interval?: Interval | undefined;
  best?: boolean;
  dagger?: boolean;
  node?: Node;
}

export interface Head {
  title: string;
  help?: string;
  better?: PageColumn["better"];
  format: Format;
  label?: boolean;
  /** How long a whole bar is; without it there is none. */
  scale?: number;
  /** A score to reach, marked on every bar. */
  line?: number | null;
}

/** The head of a column of names. */
export function labelHead(title: string): Head {
  return { title, format: "text", label: true };
}

/** The head of a column of the data. */
export function headOf({ key, title, help, better, format }: PageColumn): Head {
  return { title, help, better, format, label: !key };
}

/** The same with bars, for rates that can be better or worse: the largest of some values fits. */
export function barredHead(column: PageColumn, values: Value[]): Head {
  const { format, better, scale } = column;
  if (format !== "rate" || better === null) return headOf(column);
  const known = values.filter((value) => typeof value === "number");
  return { ...headOf(column), scale: Math.max(scale, ...known) };
}

/** From more columns on, they are narrow. */
const MANY = 12;

/** A table whose columns sort by a click on their head; bars where a column has a scale. */
export function table(caption: string, heads: Head[], rows: Cell[][], className = ""): HTMLElement {
  const body = h("tbody");
  const order = rows.map((cells, index) => ({ cells, index }));
  let by = -1;
  let down = true;
  const head = h("tr");
  heads.forEach((each, at) => {
    const sort = hinted(
      button(each.title, () => pressed(each, at), { class: "sort" }),
      each.help,
    );
    head.append(h("th", { scope: "col", class: each.label ? "label" : figureClass(each) }, sort));
  });
  const isGrouped = !!heads[0]?.label && !!heads[1]?.label;
  const fill = () => {
    let before: Value | undefined;
    const made = order.map(({ cells }) => {
      const isAgain = isGrouped && cells[0]?.value === before;
      before = cells[0]?.value;
      return row(heads, cells, isAgain);
    });
    body.replaceChildren(...made);
  };
  const pressed = (each: Head, at: number) => {
    down = by === at ? !down : !(each.label || each.better === "low");
    by = at;
    const value = (cells: Cell[]) => cells[at]?.value ?? null;
    order.sort((a, b) => compare(value(a.cells), value(b.cells), down) || a.index - b.index);
    [...head.children].forEach((other, index) => {
      if (index === at) other.setAttribute("aria-sort", down ? "descending" : "ascending");
      else other.removeAttribute("aria-sort");
    });
    fill();
  };
  fill();
  const classes = heads.length > MANY ? `${className} many` : className;
  const made = h("table", { class: classes, "aria-label": caption }, h("thead", head), body);
  const region = h("div.scroll", { role: "region", "aria-label": caption, tabindex: 0 }, made);
  return h("div.tabular", h("h3", caption), region);
}

function compare(a: Value, b: Value, down: boolean): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  const least =
    typeof a === "string" || typeof b === "string"
      ? String(a).localeCompare(String(b), undefined, { numeric: true })
      : a - b;
  return down ? -least : least;
}

/** A row; one that begins as the one before says so quietly. */
function row(heads: Head[], cells: Cell[], isAgain: boolean): HTMLElement {
  const made = h("tr", { class: isAgain ? "again" : null });
  heads.forEach((head, at) => {
    const cell = cells[at];
    if (cell) made.append(head.label ? label(cell, at === 0) : figure(cell, head));
  });
  return made;
}

function label(cell: Cell, isFirst: boolean): HTMLElement {
  const attributes = isFirst ? { scope: "row", class: "label" } : { class: "label" };
  return h(isFirst ? "th" : "td", attributes, cell.node ?? given(String(cell.value ?? "")));
}

function figureClass({ scale }: Head): string {
  return scale ? "figure barred" : "figure";
}

function figure(cell: Cell, head: Head): HTMLElement {
  const text = typeof cell.value === "string" ? cell.value : shown(cell.value, head.format);
  const value = h("span.value", text, cell.dagger ? "†" : "");
  const made = h("td", { class: `${figureClass(head)}${cell.best ? " best" : ""}` }, value);
  if (head.scale && typeof cell.value === "number") made.append(bar(cell.value, cell, head));
  return made;
}

/** A bar beneath a number, its interval, and a line to reach. */
function bar(value: number, cell: Cell, head: Head): HTMLElement {
  const scale = head.scale ?? 1;
  const part = (each: number) => `${Math.max(0, Math.min(100, (each / scale) * 100))}%`;
  const fill = h("i.fill");
  fill.style.width = part(value);
  const holder = h(
    "span",
    { class: `bar${head.better === "low" ? " low" : ""}`, "aria-hidden": true },
    fill,
  );
  const [low, high] = cell.interval ?? [null, null];
  if (low !== null && high !== null) {
    const ends = h("i.interval");
    ends.style.left = part(low);
    ends.style.width = `calc(${part(high)} - ${part(low)})`;
    holder.append(ends);
  }
  if (head.line !== null && head.line !== undefined) {
    const line = h("i.line-at");
    line.style.left = part(head.line);
    holder.append(line);
  }
  return holder;
}

/** Marks the best of each column, where there is anything to compare. */
export function markBest(heads: Head[], rows: Cell[][]): void {
  heads.forEach((head, at) => {
    const cells = rows.flatMap((each) => each[at] ?? []);
    if (head.better && !head.label) markBestOf(cells, head.better);
  });
}

/** Marks the best of some cells. */
export function markBestOf(cells: Cell[], better: PageColumn["better"]): void {
  const values = cells.map(({ value }) => value).filter((each) => typeof each === "number");
  const isAlike = new Set(values).size < 2 && values.length === cells.length;
  if (!better || cells.length < 2 || isAlike) return;
  const best = better === "high" ? Math.max(...values) : Math.min(...values);
  for (const cell of cells) cell.best = cell.value === best;
}

export function csv(heads: string[], rows: Value[][]): string {
  const cell = (value: Value) => {
    let text = value === null ? "" : String(value);
    if (typeof value === "string" && /^[=+\-@\t\r]/.test(text)) text = `'${text}`;
    return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return [heads, ...rows].map((each) => each.map(cell).join(",")).join("\n") + "\n";
}
