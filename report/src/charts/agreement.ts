/** Two coefficients of agreement in every document. */

import * as Plot from "@observablehq/plot";
import { entries, scoreOf } from "../data";
import { color } from "../dom";
import type { Drawing } from "../figure";
import { shown } from "../numbers";
import type { PageColumn, PageData } from "../types";
import { grid, plot, short, tick } from "./plot";

const FEW = 12;

interface Dot {
  name: string;
  x: number | null;
  y: number | null;
}

export function agreement({ charts, summary }: PageData): Drawing | undefined {
  const own = summary.agreement;
  if (!own || !charts.agreement || summary.references.length < 2) return undefined;
  const [across, up] = charts.agreement;
  const dots = entries(own.by_document, summary.documents).map(([name, scores]): Dot => ({
    name,
    x: scoreOf(scores, across),
    y: scoreOf(scores, up),
  }));
  const known = dots.filter(({ x, y }) => x !== null && y !== null);
  if (known.length < 2) return undefined;
  const r = own.pearson_rgar_fleiss_kappa;
  const told = r === null ? "Their correlation is undefined." : `Pearson's r is ${shown(r)}.`;
  return {
    title: `${up.title} against ${across.title}`,
    caption: `A dot is a document. ${told}`,
    file: "agreement",
    columns: [
      ["document", "text"],
      [across.title, across.format],
      [up.title, up.format],
    ],
    rows: () => dots.map(({ name, x, y }) => [name, x, y]),
    draw: (width) => draw(known, across, up, width),
  };
}

function draw(known: Dot[], across: PageColumn, up: PageColumn, width: number) {
  return plot({
    width,
    height: 320,
    marginLeft: 48,
    marginRight: 24,
    x: { label: across.title, tickFormat: tick, nice: true, ticks: 5 },
    y: { label: up.title, tickFormat: tick, nice: true, ticks: 6 },
    marks: [
      ...grid(),
      Plot.dot(known, {
        x: "x",
        y: "y",
        fill: color("accent"),
        fillOpacity: 0.75,
        r: 4,
        title: ({ name, x, y }: Dot) =>
          `${name}: ${across.title} ${shown(x)}, ${up.title} ${shown(y)}`,
      }),
      known.length <= FEW
        ? Plot.text(known, {
            x: "x",
            y: "y",
            text: ({ name }: Dot) => short(name, 14),
            dy: -10,
            fill: color("ink"),
          })
        : null,
    ],
  });
}
