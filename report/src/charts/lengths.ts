/** How long the units of each version are. */

import * as Plot from "@observablehq/plot";
import { color } from "../dom";
import type { Drawing } from "../figure";
import { number } from "../numbers";
import type { PageData, UnitLengths } from "../types";
import { gridX, plot, short } from "./plot";

const kindOf = ({ is_reference }: UnitLengths) => (is_reference ? "reference" : "system");
const quantile = (at: number) => (each: UnitLengths) => each.quantiles[at] ?? null;

export function lengths({ charts }: PageData): Drawing | undefined {
  const rows = charts.lengths;
  if (!rows.length) return undefined;
  return {
    title: "Length of units",
    caption:
      "Words in a unit: the bar is the middle 50%, the line the middle 90%, the notch the median. References above, systems below.",
    file: "lengths",
    columns: [
      ["version", "text"],
      ["kind", "text"],
      ["units", "count"],
      ["mean", "rate"],
      ["5%", "count"],
      ["25%", "count"],
      ["median", "count"],
      ["75%", "count"],
      ["95%", "count"],
    ],
    rows: () =>
      rows.map((each) => [each.name, kindOf(each), each.units, each.mean, ...each.quantiles]),
    draw: (width) => draw(rows, width),
  };
}

function draw(rows: UnitLengths[], width: number) {
  return plot({
    width,
    height: 60 + rows.length * 26,
    marginLeft: 120,
    marginRight: 20,
    x: { label: "words", zero: true, nice: true },
    y: {
      domain: rows.map(({ name }) => name),
      label: null,
      tickFormat: (name: string) => short(name, 16),
      tickSize: 0,
    },
    color: { domain: ["reference", "system"], range: [color("tone"), color("c1")] },
    marks: [
      gridX(),
      Plot.ruleY(rows, {
        y: "name",
        x1: quantile(0),
        x2: quantile(4),
        stroke: kindOf,
        strokeWidth: 1.5,
      }),
      Plot.barX(rows, {
        y: "name",
        x1: quantile(1),
        x2: quantile(3),
        fill: kindOf,
        insetTop: 5,
        insetBottom: 5,
        title: ({ name, mean, units }: UnitLengths) =>
          `${name}: ${number(units, "unit")}, mean ${mean?.toFixed(1) ?? "–"} words`,
      }),
      Plot.tickX(rows, {
        y: "name",
        x: quantile(2),
        stroke: color("leaf"),
        strokeWidth: 3,
        insetTop: 4,
        insetBottom: 4,
      }),
    ],
  });
}
