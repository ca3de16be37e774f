/** Systems that give a score for each place: precision and recall, F1 by threshold, calibration. */

import * as Plot from "@observablehq/plot";
import type { Value } from "../data";
import { color } from "../dom";
import type { Drawing } from "../figure";
import { number, shown } from "../numbers";
import type { PageData, RankingCurve } from "../types";
import { grid, hues, plot, short, tick } from "./plot";

interface Point {
  name: string;
  threshold: number;
  precision: number | null;
  recall: number | null;
  f1: number | null;
}

interface Bin {
  name: string;
  score: number | null;
  share: number | null;
  places: number;
}

const RATE = { domain: [0, 1], tickFormat: tick };
const HEIGHT = 320;

export function precisionRecall(data: PageData): Drawing | undefined {
  return drawing(data, {
    title: "Precision against recall",
    caption:
      "Each point is a threshold of the scores; the ring is the one that was used. The area under the steps is average precision.",
    file: "precision-recall",
    draw: (points, names, width) =>
      curves(
        points,
        names,
        width,
        "recall",
        "precision",
        { label: "recall", ...RATE },
        "step-before",
      ),
    used: data.summary.curves,
  });
}

export function thresholds(data: PageData): Drawing | undefined {
  return drawing(data, {
    title: "F1 against the threshold",
    caption:
      "A unit ends where the score is at least the threshold; the ring is the one that was used. A flat top is a safe choice.",
    file: "thresholds",
    draw: (points, names, width) =>
      curves(
        points,
        names,
        width,
        "threshold",
        "f1",
        { label: "threshold", ...RATE },
        "step-before",
      ),
    used: data.summary.curves,
  });
}

export function reliability({ summary }: PageData): Drawing | undefined {
  const bins = summary.curves.flatMap(({ name, bins }) => bins.map((bin) => ({ name, ...bin })));
  if (!bins.length) return undefined;
  const names = namesOf(summary.curves, summary.systems);
  return {
    title: "Reliability of the scores",
    caption:
      "Places by score, in 15 bins: how often there is a boundary. On the dashed line scores are probabilities; below it the system is too sure of boundaries. Larger dots hold more places.",
    file: "reliability",
    columns: [
      ["system", "text"],
      ["mean score", "rate"],
      ["share of boundaries", "rate"],
      ["places", "count"],
    ],
    rows: () => bins.map(({ name, score, share, places }) => [name, score, share, places]),
    draw: (width) => reliabilityPlot(bins, names, width),
  };
}

interface Made {
  title: string;
  caption: string;
  file: string;
  used: RankingCurve[];
  draw: (points: Point[], names: string[], width: number) => SVGElement | HTMLElement;
}

function drawing({ summary }: PageData, made: Made): Drawing | undefined {
  const points = summary.curves.flatMap(pointsOf);
  if (!points.length) return undefined;
  const names = namesOf(summary.curves, summary.systems);
  return {
    title: made.title,
    caption: made.caption,
    file: made.file,
    columns: [
      ["system", "text"],
      ["threshold", "rate"],
      ["precision", "rate"],
      ["recall", "rate"],
      ["F1", "rate"],
    ],
    rows: () => points.map(rowOf),
    draw: (width) => made.draw(withUsed(points, made.used), names, width),
  };
}

/** The names of all systems, so that each has the colour of the other charts. */
function namesOf(curves: RankingCurve[], systems: { name: string }[]): string[] {
  const all = systems.map(({ name }) => name);
  return all.length ? all : curves.map(({ name }) => name);
}

function pointsOf({ name, thresholds, precision, recall, f1 }: RankingCurve): Point[] {
  return thresholds.map((threshold, at) => ({
    name,
    threshold: threshold ?? 0,
    precision: precision[at] ?? null,
    recall: recall[at] ?? null,
    f1: f1[at] ?? null,
  }));
}

const rowOf = ({ name, threshold, precision, recall, f1 }: Point): Value[] => [
  name,
  threshold,
  precision,
  recall,
  f1,
];

/** The points, and which of them is that of the threshold that was used. */
function withUsed(points: Point[], curves: RankingCurve[]): (Point & { isUsed: boolean })[] {
  const used = new Map(curves.map(({ name, used }) => [name, used ?? 0.5]));
  const last = new Map<string, number>();
  points.forEach(({ name, threshold }, at) => {
    if (threshold >= (used.get(name) ?? 0.5) - 1e-7) last.set(name, at);
  });
  return points.map((point, at) => ({ ...point, isUsed: last.get(point.name) === at }));
}

function curves(
  points: (Point & { isUsed?: boolean })[],
  names: string[],
  width: number,
  x: "recall" | "threshold",
  y: "precision" | "f1",
  scale: Plot.ScaleOptions,
  curve: Plot.CurveName,
) {
  const told = ({ name, threshold, ...rates }: Point) =>
    `${name} at ${shown(threshold)}: P ${shown(rates.precision)}, R ${shown(rates.recall)}, F1 ${shown(rates.f1)}`;
  const used = points.filter(({ isUsed }) => isUsed);
  return plot({
    width,
    height: HEIGHT,
    marginLeft: 44,
    marginRight: 20,
    x: scale,
    y: { label: y === "f1" ? "F1" : y, ...RATE, ticks: 6 },
    color: hues(names),
    marks: [
      ...grid(),
      Plot.line(points, { x, y, z: "name", stroke: "name", strokeWidth: 2, curve }),
      Plot.dot(points, { x, y, fill: "name", r: points.length > 120 ? 1.5 : 3, title: told }),
      Plot.dot(used, { x, y, stroke: "name", strokeWidth: 2.5, r: 8, title: told }),
      label(used, x, y),
    ],
  });
}

/** The name of each system at one of its points. */
function label(points: { name: string }[], x: string, y: string): Plot.Markish {
  return Plot.text(points, {
    x,
    y,
    text: ({ name }: { name: string }) => short(name, 16),
    fill: "name",
    stroke: color("paper"),
    strokeWidth: 4,
    dy: -16,
    fontWeight: "bold",
  });
}

/** The bin of each system that is farthest from the line on which scores are probabilities. */
function farthest(bins: Bin[], names: string[]): Bin[] {
  const off = ({ score, share }: Bin) => Math.abs((score ?? 0) - (share ?? 0));
  return names.flatMap((name) => {
    const own = bins.filter((bin) => bin.name === name).sort((a, b) => off(b) - off(a));
    return own.slice(0, 1);
  });
}

function reliabilityPlot(bins: Bin[], names: string[], width: number) {
  return plot({
    width,
    height: HEIGHT,
    marginLeft: 44,
    marginRight: 20,
    x: { label: "mean score", ...RATE },
    y: { label: "share of boundaries", ...RATE, ticks: 6 },
    r: { range: [2.5, 11] },
    color: hues(names),
    marks: [
      ...grid(),
      Plot.line(
        [
          [0, 0],
          [1, 1],
        ],
        { stroke: color("muted"), strokeDasharray: "3 3" },
      ),
      Plot.line(bins, { x: "score", y: "share", z: "name", stroke: "name", strokeWidth: 2 }),
      Plot.dot(bins, {
        x: "score",
        y: "share",
        r: "places",
        fill: "name",
        title: ({ name, score, share, places }: Bin) =>
          `${name}: ${number(places, "place")} of ${shown(score)}, boundaries at ${shown(share)}`,
      }),
      label(farthest(bins, names), "score", "share"),
    ],
  });
}
