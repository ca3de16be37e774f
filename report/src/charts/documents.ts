/** One score of every system in every document. */

import * as Plot from "@observablehq/plot";
import { documentColumns, hasDocuments, type Interval, own, scoreOf, scoresOf } from "../data";
import { color, select } from "../dom";
import type { Drawing } from "../figure";
import { shown } from "../numbers";
import type { PageColumn, PageData, Summary } from "../types";
import { gridX, hues, plot, short, tickOf } from "./plot";

const MANY = 200;

interface Dot {
  name: string;
  document: string;
  value: number | null;
}

export function documents(data: PageData): Drawing | undefined {
  const { summary } = data;
  const columns = documentColumns(data).filter(({ format }) => format === "rate");
  const [first] = columns;
  if (!first || !hasDocuments(data)) return undefined;
  let chosen = first;
  return {
    title: "Scores by document",
    caption:
      "A dot is a document, the tall line the overall score, the bar its confidence interval.",
    file: "documents",
    columns: [
      ["system", "text"],
      ["document", "text"],
      ["score", "rate"],
    ],
    rows: () => dots(summary, chosen).map(({ name, document, value }) => [name, document, value]),
    controls: (redraw) => [
      select(
        "Score",
        columns.map(({ key, label }): [string, string] => [key, label]),
        (key) => {
          chosen = columns.find((column) => column.key === key) ?? first;
          redraw();
        },
      ),
    ],
    draw: (width) => draw(summary, chosen, width),
  };
}

function dots({ systems, documents: names }: Summary, column: PageColumn): Dot[] {
  return systems.flatMap((system) =>
    names.map((document) => ({
      name: system.name,
      document,
      value: scoreOf(scoresOf(system, { document }), column),
    })),
  );
}

function draw(summary: Summary, column: PageColumn, width: number) {
  const names = summary.systems.map(({ name }) => name);
  const known = dots(summary, column).filter(({ value }) => value !== null);
  const overall = summary.systems.map(({ name, micro }) => ({
    name,
    value: scoreOf(micro, column),
  }));
  const intervals = summary.systems.flatMap(({ name, confidence }) => {
    const ends: Interval | undefined = own(confidence?.micro, column.key);
    return ends && ends[0] !== null ? [{ name, low: ends[0], high: ends[1] }] : [];
  });
  return plot({
    width,
    height: 70 + names.length * 64,
    marginLeft: 120,
    marginRight: 24,
    x: { label: column.label, tickFormat: tickOf(column), nice: true, ticks: 6 },
    fy: {
      domain: names,
      label: null,
      tickFormat: (name: string) => short(name, 16),
      axis: "left",
    },
    color: hues(names),
    marks: [
      gridX(6),
      Plot.dot(
        known,
        Plot.dodgeY("middle", {
          x: "value",
          fy: "name",
          fill: "name",
          r: summary.documents.length > MANY ? 1.6 : 3.2,
          fillOpacity: 0.75,
          title: ({ document, value }: Dot) => `${document}: ${shown(value)}`,
        }),
      ),
      Plot.tickX(overall, { x: "value", fy: "name", stroke: color("ink"), strokeWidth: 2.5 }),
      Plot.ruleY(intervals, {
        x1: "low",
        x2: "high",
        fy: "name",
        y: null,
        stroke: color("ink"),
        strokeWidth: 2,
      }),
    ],
  });
}
