/** Tables and figures of the manager's screens. */

import { button, type Child, h } from "../../dom";
import { shown } from "../../numbers";
import { HELP } from "../../types";
import type { Scores } from "../wire";

/** A score, and its key in the report, whose explanation it shares. */
export type Score = [title: string, key: string];
/** What a column has of a row: a figure as it is written, or something to read. */
export type Column<R> = [title: string, cell: (row: R) => string | Element, score?: string];

/**
 * A table with a heading, whose rows are named by their first cell. Rows that have ids keep their
 * place in people's hands when the table is updated.
 */
export function table<R>(
  title: string,
  rows: R[],
  columns: Column<R>[],
  idOf?: (row: R) => string,
) {
  const heads = columns.map(([title, cell, score]) =>
    h("th", { scope: "col", class: rows[0] && kind(cell(rows[0])) }, named(title, score)),
  );
  const lines = rows.map((row) => {
    const [first, ...cells] = columns.map(([, cell]) => cell(row));
    return h(
      "tr",
      { id: idOf?.(row) },
      h("th.label", { scope: "row" }, first),
      ...cells.map((cell) => h("td", { class: kind(cell) }, cell)),
    );
  });
  return h(
    "div.scroll",
    { role: "region", "aria-label": title, tabindex: 0 },
    h("h2", title),
    h("table", h("thead", h("tr", ...heads)), h("tbody", ...lines)),
  );
}

/** The name of a score can be focused, if there is something to say about it. */
function named(title: string, score = ""): Child {
  const hint = HELP[score];
  return hint ? button(title, () => {}, { class: "term", "data-hint": hint }) : title;
}

function kind(cell: string | Element): string | null {
  return typeof cell === "string" ? "figure" : null;
}

/** A list of scores, each with its interval if it has one. */
export function figures(
  scores: Score[],
  values: Scores,
  spans: Record<string, [number | null, number | null]> = {},
): HTMLElement {
  return h(
    "dl.figures",
    ...scores.map(([title, key]) => {
      const [low, high] = spans[key] ?? [null, null];
      return h(
        "div",
        h("dt", named(title, key)),
        // Drawn from below: the value is above its interval, and that above the name.
        low !== null && h("dd.span", `${shown(low)} to ${shown(high)}`),
        h("dd", shown(values[key])),
      );
    }),
  );
}
