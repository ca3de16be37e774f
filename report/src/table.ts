/** Tables that can be sorted. */

import { given, h, shown } from "./dom";
import type { Better, Interval } from "./data";

export interface Cell {
  value: number | string | null;
  text?: string;
  key?: string;
  interval?: Interval;
  best?: boolean;
  node?: Node;
}

export interface Head {
  title: string;
  better?: Better;
  label?: boolean;
  scale?: number;
  line?: number | null;
}

/** A table whose columns sort by a click on their head; bars where a column has a scale. */
export function table(caption: string, heads: Head[], rows: Cell[][], className = ""): HTMLElement {
  const body = h("tbody");
  const order = rows.map((_, at) => at);
  let by = -1;
  let down = true;
  const head = h("tr");
  heads.forEach((each, at) => {
    const sort = h(
      "button",
      { type: "button", class: "sort", click: () => pressed(at) },
      each.title,
    );
    head.append(h("th", { scope: "col", class: each.label ? "label" : "figure" }, sort));
  });
  const fill = () => body.replaceChildren(...order.map((at) => row(heads, rows[at])));
  const pressed = (at: number) => {
    down = by === at ? !down : !(heads[at].label || heads[at].better === "low");
    by = at;
    order.sort((a, b) => compare(rows[a][at].value, rows[b][at].value, down) || a - b);
    [...head.children].forEach((each, index) => {
      if (index === at) each.setAttribute("aria-sort", down ? "descending" : "ascending");
      else each.removeAttribute("aria-sort");
    });
    fill();
  };
  fill();
  const made = h("table", { class: className, "aria-label": caption }, h("thead", {}, head), body);
  const region = h(
    "div",
    { class: "scroll", role: "region", "aria-label": caption, tabindex: 0 },
    made,
  );
  return h("div", { class: "tabular" }, h("h3", {}, caption), region);
}

function compare(a: Cell["value"], b: Cell["value"], down: boolean): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  const least =
    typeof a === "string" || typeof b === "string"
      ? String(a).localeCompare(String(b), undefined, { numeric: true })
      : a - b;
  return down ? -least : least;
}

function row(heads: Head[], cells: Cell[]): HTMLElement {
  return h(
    "tr",
    {},
    ...cells.map((cell, at) => {
      const head = heads[at];
      if (head.label) {
        const attributes = at === 0 ? { scope: "row", class: "label" } : { class: "label" };
        return h(at === 0 ? "th" : "td", attributes, cell.node ?? given(String(cell.value ?? "")));
      }
      const text =
        cell.text ?? (typeof cell.value === "string" ? cell.value : shown(cell.value, cell.key));
      const figure = h(
        "td",
        { class: `figure${cell.best ? " best" : ""}` },
        h("span", { class: "value" }, text),
      );
      if (head.scale && typeof cell.value === "number") figure.append(bar(cell, head));
      return figure;
    }),
  );
}

/** A bar beneath a number, its interval, and a line to reach. */
function bar(cell: Cell, head: Head): HTMLElement {
  const part = (value: number) => `${Math.max(0, Math.min(100, (value / head.scale!) * 100))}%`;
  const fill = h("i", { class: "fill" });
  fill.style.width = part(cell.value as number);
  const holder = h(
    "span",
    { class: `bar${head.better === "low" ? " low" : ""}`, "aria-hidden": true },
    fill,
  );
  const [low, high] = cell.interval ?? [null, null];
  if (low !== null && high !== null) {
    const ends = h("i", { class: "interval" });
    ends.style.left = part(low);
    ends.style.width = `calc(${part(high)} - ${part(low)})`;
    holder.append(ends);
  }
  if (head.line !== null && head.line !== undefined) {
    const line = h("i", { class: "line-at" });
    line.style.left = part(head.line);
    holder.append(line);
  }
  return holder;
}

/** Marks the best of each column, where there is anything to compare. */
export function markBest(heads: Head[], rows: Cell[][]): void {
  heads.forEach((head, at) => {
    if (!head.better) return;
    const values = rows
      .map((cells) => cells[at].value)
      .filter((each): each is number => typeof each === "number");
    const best = head.better === "high" ? Math.max(...values) : Math.min(...values);
    if (new Set(values).size < 2 && rows.length - values.length === 0) return;
    if (rows.length < 2) return;
    for (const cells of rows) cells[at].best = cells[at].value === best;
  });
}

export function csv(heads: string[], rows: (string | number | null)[][]): string {
  const cell = (value: string | number | null) => {
    let text = value === null ? "" : String(value);
    if (typeof value === "string" && /^[=+\-@\t\r]/.test(text)) text = `'${text}`;
    return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return [heads, ...rows].map((each) => each.map(cell).join(",")).join("\n") + "\n";
}
