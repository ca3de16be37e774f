/** Tables and figures of the manager's screens. */

import { button, type Child, h } from "../../dom";
import { hinted } from "../../hint";
import { shown } from "../../numbers";
import { HELP } from "../../types";

export type Cell = Child | number;
/** What a column has, and the score in the report whose explanation it shares. */
export type Head = string | [title: string, score: string];

/**
 * A table with a heading; numbers are shown as rates, and rows are named by their first cell.
 * Rows that have ids keep their place in people's hands when the table is updated.
 */
export function table(title: string, heads: Head[], rows: Cell[][], ids: string[] = []) {
  const head = heads.map((each, at) =>
    h("th", { scope: "col", class: at ? kind(rows[0]?.[at]) : null }, named(each)),
  );
  const body = rows.map(([first, ...cells], at) =>
    h(
      "tr",
      { id: ids[at] },
      h("th.label", { scope: "row" }, text(first)),
      ...cells.map((cell) => h("td", { class: kind(cell) }, text(cell))),
    ),
  );
  return h(
    "div.scroll",
    { role: "region", "aria-label": title, tabindex: 0 },
    h("h2", title),
    h("table", h("thead", h("tr", ...head)), h("tbody", ...body)),
  );
}

/** The name of a score can be focused, if there is something to say about it. */
function named(head: Head): Child {
  const [title, score] = typeof head === "string" ? [head, ""] : head;
  const help = HELP[score];
  return help
    ? hinted(
        button(title, () => {}, { class: "term" }),
        help,
      )
    : title;
}

/** A count: a number that is no rate. */
export function counted(text: string): HTMLElement {
  return h("span.whole", text);
}

function kind(cell: Cell): string | null {
  const isCount = cell instanceof HTMLElement && cell.className === "whole";
  return isCount || typeof cell === "number" || cell === null ? "figure" : null;
}

function text(cell: Cell): Child {
  return typeof cell === "number" || cell === null ? shown(cell) : cell;
}

export type Figure = [
  head: Head,
  value: number | null | undefined,
  span?: [number | null, number | null],
];

/** A list of figures, each with what it is, and its interval if it has one. */
export function figures(every: Figure[]): HTMLElement {
  return h(
    "dl.figures",
    ...every.map(([head, value, span]) =>
      h(
        "div",
        h("dt", named(head)),
        // Drawn from below: the value is above its interval, and that above the name.
        span && span[0] !== null && h("dd.span", `${shown(span[0])} to ${shown(span[1])}`),
        h("dd", shown(value)),
      ),
    ),
  );
}
