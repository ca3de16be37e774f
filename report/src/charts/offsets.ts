/** How far the boundaries of each system are off. */

import * as Plot from "@observablehq/plot";
import { entries } from "../data";
import { color } from "../dom";
import type { Drawing } from "../figure";
import { grouped } from "../numbers";
import type { OffsetChart, PageData } from "../types";
import { plot, short } from "./plot";

interface Bar {
  name: string;
  offset: number;
  count: number;
  share: number;
  kind: "right" | "near" | "wrong";
}

export function offsets({ charts, summary }: PageData): Drawing | undefined {
  const own = charts.offsets;
  if (!own) return undefined;
  const names = summary.systems.map(({ name }) => name);
  const bars = barsOf(own, names);
  const label = (offset: number) => labelOf(offset, own.farthest);
  return {
    title: "Distance to the nearest reference boundary",
    caption:
      "Share of a system's boundaries by distance in words: negative is too early, positive too late.",
    file: "offsets",
    columns: [
      ["system", "text"],
      ["offset", "text"],
      ["boundaries", "count"],
      ["share", "rate"],
    ],
    rows: () => bars.map(({ name, offset, count, share }) => [name, label(offset), count, share]),
    draw: (width) => draw(own, bars, names, width),
  };
}

function barsOf({ counts, farthest, tolerance }: OffsetChart, names: string[]): Bar[] {
  return entries(counts, names).flatMap(([name, found]) => {
    const total = found.reduce((sum, each) => sum + each, 0);
    return found.map((count, at): Bar => {
      const offset = at - farthest;
      const isNear = Math.abs(offset) <= tolerance;
      return {
        name,
        offset,
        count,
        share: total ? count / total : 0,
        kind: offset === 0 ? "right" : isNear ? "near" : "wrong",
      };
    });
  });
}

function labelOf(offset: number, farthest: number): string {
  if (Math.abs(offset) === farthest) return `${offset < 0 ? "≤ −" : "≥ "}${farthest}`;
  if (offset > 0) return `+${offset}`;
  return offset < 0 ? `−${-offset}` : "0";
}

function draw({ farthest }: OffsetChart, bars: Bar[], names: string[], width: number) {
  const label = (offset: number) => labelOf(offset, farthest);
  return plot({
    width,
    height: 60 + names.length * 92,
    marginLeft: 44,
    marginRight: 20,
    marginTop: 8,
    x: {
      label: "words off",
      tickFormat: label,
      type: "band",
      ticks: [-farthest, -5, 0, 5, farthest],
    },
    y: {
      label: null,
      tickFormat: (share: number) => `${Math.round(share * 100)}%`,
      ticks: 2,
      grid: false,
      nice: true,
    },
    fy: { label: null, domain: names, axis: null, padding: 0.22 },
    color: {
      domain: ["right", "near", "wrong"],
      range: [color("right"), color("near"), color("wrong")],
    },
    marks: [
      Plot.barY(bars, {
        x: "offset",
        y: "share",
        fy: "name",
        fill: "kind",
        insetLeft: 1,
        insetRight: 1,
        title: ({ name, offset, count }: Bar) => `${name}, ${label(offset)}: ${grouped(count)}`,
      }),
      Plot.ruleY([0], { stroke: color("ink") }),
      Plot.text(names, {
        fy: (name: string) => name,
        text: (name: string) => short(name),
        frameAnchor: "top-left",
        dy: 4,
        dx: 8,
        fontWeight: 600,
      }),
    ],
  });
}
