/** Tables and figures of the manager's screens. */

import { type Child, h } from "../../dom";
import { shown } from "../../numbers";

export type Cell = Child | number;

/** A table with a heading; numbers are shown as rates, and rows are named by their first cell. */
export function table(title: string, heads: string[], rows: Cell[][]): HTMLElement {
  const cells = (row: Cell[]) =>
    row.map((cell, at) =>
      at
        ? h(
            "td",
            { class: typeof cell === "number" || cell === null ? "figure" : null },
            text(cell),
          )
        : h("th", { scope: "row", class: "label" }, text(cell)),
    );
  return h(
    "div",
    { class: "scroll", role: "region", "aria-label": title, tabindex: 0 },
    h("h2", {}, title),
    h(
      "table",
      {},
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          ...heads.map((head, at) => h("th", { scope: "col", class: kind(rows, at) }, head)),
        ),
      ),
      h("tbody", {}, ...rows.map((row) => h("tr", {}, ...cells(row)))),
    ),
  );
}

function kind(rows: Cell[][], at: number): string | null {
  const first = rows[0]?.[at];
  return at && (typeof first === "number" || first === null) ? "figure" : null;
}

function text(cell: Cell): Child {
  return typeof cell === "number" || cell === null ? shown(cell) : cell;
}

export type Figure = [
  name: string,
  value: number | null | undefined,
  span?: [number | null, number | null],
];

/** A list of figures, each with what it is, and its interval if it has one. */
export function figures(every: Figure[]): HTMLElement {
  return h(
    "dl",
    { class: "figures" },
    ...every.map(([name, value, span]) =>
      h(
        "div",
        {},
        h("dt", {}, name),
        // Drawn from below: the value is above its interval, and that above the name.
        span &&
          span[0] !== null &&
          h("dd", { class: "span" }, `${shown(span[0])} to ${shown(span[1])}`),
        h("dd", {}, shown(value)),
      ),
    ),
  );
}
