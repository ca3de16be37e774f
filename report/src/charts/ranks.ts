/** The ranks of the systems by two scores. */

import * as Plot from "@observablehq/plot";
import { scoreOf } from "../data";
import type { Drawing } from "../figure";
import { shown } from "../numbers";
import type { PageData } from "../types";
import { hues, plot, short } from "./plot";

type Pair = [number, number];

interface Ranked {
  name: string;
  scores: Pair;
  /** Equal scores have one rank, but a place each. */
  ranks: Pair;
  places: Pair;
}

export function ranks({ charts, summary }: PageData): Drawing | undefined {
  if (!charts.ranks || summary.references.length < 2) return undefined;
  const [one, other] = charts.ranks;
  const rows = ranked(
    summary.systems.map(({ name, micro }) => [name, scoreOf(micro, one), scoreOf(micro, other)]),
  );
  if (rows.length < 2) return undefined;
  const changed = rows.filter(({ ranks: [from, to] }) => from !== to).length;
  const titles: [string, string] = [`mean ${one.title}`, other.title];
  return {
    title: `Mean ${one.title} against ${other.title}`,
    caption: changed
      ? `${changed} of ${rows.length} systems change rank when all references count together.`
      : "Both rank the systems in the same order.",
    file: "ranks",
    columns: [
      ["system", "text"],
      [titles[0], "rate"],
      [`rank by ${titles[0]}`, "count"],
      [titles[1], "rate"],
      [`rank by ${titles[1]}`, "count"],
    ],
    rows: () =>
      rows.map(({ name, scores, ranks: [from, to] }) => [name, scores[0], from, scores[1], to]),
    draw: (width) => draw(rows, titles, width),
  };
}

function ranked(scored: [string, number | null, number | null][]): Ranked[] {
  const known = scored.flatMap(([name, a, b]): { name: string; scores: Pair }[] =>
    a === null || b === null ? [] : [{ name, scores: [a, b] }],
  );
  const rank = (side: 0 | 1, score: number) =>
    1 + known.filter(({ scores }) => scores[side] > score).length;
  return known.map(({ name, scores }, at) => {
    const ranks: Pair = [rank(0, scores[0]), rank(1, scores[1])];
    const before = (side: 0 | 1) =>
      known.slice(0, at).filter((each) => each.scores[side] === scores[side]).length;
    return { name, scores, ranks, places: [ranks[0] + before(0), ranks[1] + before(1)] };
  });
}

function draw(rows: Ranked[], [left, right]: [string, string], width: number) {
  const sides = rows.flatMap(({ name, scores, places: [from, to] }) => [
    { name, side: left, rank: from, label: `${short(name, 16)}  ${shown(scores[0])}` },
    { name, side: right, rank: to, label: `${shown(scores[1])}  ${short(name, 16)}` },
  ]);
  const at = (wanted: string, anchor: "start" | "end", dx: number) =>
    Plot.text(
      sides.filter(({ side }) => side === wanted),
      { x: "side", y: "rank", text: "label", fill: "name", textAnchor: anchor, dx },
    );
  return plot({
    width,
    height: Math.max(150, 90 + rows.length * 34),
    marginLeft: 140,
    marginRight: 140,
    marginTop: 40,
    marginBottom: 12,
    x: {
      type: "point",
      domain: [left, right],
      axis: "top",
      label: null,
      tickSize: 0,
      padding: 0,
    },
    y: { reverse: true, axis: null, domain: [0.6, rows.length + 0.4] },
    color: hues(rows.map(({ name }) => name)),
    marks: [
      Plot.line(sides, {
        x: "side",
        y: "rank",
        stroke: "name",
        strokeWidth: 2.5,
        curve: "bump-x",
      }),
      Plot.dot(sides, { x: "side", y: "rank", fill: "name", r: 5, title: "label" }),
      at(left, "end", -12),
      at(right, "start", 12),
    ],
  });
}
