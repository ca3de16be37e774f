/** Scores for every limit of the windows. */

import * as Plot from "@observablehq/plot";
import { entries, type Value } from "../data";
import { color, select } from "../dom";
import type { Drawing } from "../figure";
import { shown } from "../numbers";
import type { PageData, WindowChart, WindowScore } from "../types";
import { grid, hues, plot, short, tick } from "./plot";

interface Point {
  name: string;
  limit: number;
  value: number | null;
}

export function windows({ charts, summary }: PageData): Drawing | undefined {
  const own = charts.windows;
  const first = own?.scores[0];
  if (!own || !first) return undefined;
  const names = summary.systems.map(({ name }) => name);
  let chosen = first;
  const change = (title: string) => {
    chosen = own.scores.find((each) => each.title === title) ?? first;
  };
  const titles = own.scores.map(({ title }) => title);
  return {
    title: "Score against the window limit",
    caption:
      "Gaps longer than the limit start a new window. The dashed line is the limit that was used.",
    file: "windows",
    columns: [
      ["system", "text"],
      ["limit", "count"],
      ...titles.map((title): [string, "rate"] => [title, "rate"]),
    ],
    rows: () => rows(own, names),
    controls: (redraw) =>
      titles.length > 1
        ? [
            select(
              "Score",
              titles.map((title): [string, string] => [title, title]),
              (title) => {
                change(title);
                redraw();
              },
            ),
          ]
        : [],
    draw: (width) => draw(own, chosen, names, width),
  };
}

function pointsOf({ limits }: WindowChart, score: WindowScore, names: string[]): Point[] {
  return entries(score.by_system, names).flatMap(([name, values]) =>
    limits.map((limit, at) => ({ name, limit, value: values[at] ?? null })),
  );
}

function rows(own: WindowChart, names: string[]): Value[][] {
  const columns = own.scores.map((score) => pointsOf(own, score, names));
  return (columns[0] ?? []).map(({ name, limit }, at) => [
    name,
    limit,
    ...columns.map((points) => points[at]?.value ?? null),
  ]);
}

function draw(own: WindowChart, score: WindowScore, names: string[], width: number) {
  const points = pointsOf(own, score, names);
  return plot({
    width,
    height: 300,
    marginRight: 110,
    marginLeft: 44,
    x: { label: "window limit (words)", ticks: own.limits },
    y: { label: score.title, zero: true, tickFormat: tick, nice: true, ticks: 6 },
    color: hues(names),
    marks: [
      ...grid(),
      Plot.ruleX([own.used], { stroke: color("muted"), strokeDasharray: "3 3" }),
      Plot.line(points, { x: "limit", y: "value", stroke: "name", strokeWidth: 2 }),
      Plot.dot(points, {
        x: "limit",
        y: "value",
        fill: "name",
        symbol: "name",
        r: 3.5,
        title: ({ name, limit, value }: Point) => `${name}, ${limit}: ${shown(value)}`,
      }),
      labels(points.filter(({ limit }) => limit === own.limits.at(-1))),
    ],
  });
}

/** Names at the end of lines, moved apart where they would overlap. */
function labels(points: Point[]): Plot.Markish {
  const known = points
    .flatMap(({ name, limit, value }) => (value === null ? [] : [{ name, limit, value }]))
    .sort((a, b) => b.value - a.value);
  const most = Math.max(...known.map(({ value }) => value), 0.01);
  let before = Infinity;
  const placed = known.map((each) => {
    before = Math.min(before - most * 0.062, each.value);
    return { ...each, y: before };
  });
  return Plot.text(placed, {
    x: "limit",
    y: "y",
    text: ({ name }: Point) => short(name, 16),
    fill: "name",
    textAnchor: "start",
    dx: 10,
  });
}
