/** What all charts share: Plot in the page's colours. */

import * as Plot from "@observablehq/plot";
import { color } from "../dom";
import { shown } from "../numbers";
import type { PageColumn } from "../types";

const COLORS = 8;

export function plot(options: Plot.PlotOptions): SVGElement | HTMLElement {
  return Plot.plot({
    marginBottom: 42,
    ...options,
    className: "drawing",
    style: {
      background: "transparent",
      color: color("ink"),
      fontSize: "12px",
      overflow: "visible",
    },
  });
}

/** The colours of systems, in order; people are ink. */
export function hues(names: string[]): { domain: string[]; range: string[] } {
  return { domain: names, range: names.map((_, at) => color(`c${(at % COLORS) + 1}`)) };
}

export const tick = (value: number): string => shown(value);

/** The ticks of a score, which are whole numbers where it is from 0 to 100. */
export function tickOf({ scale }: PageColumn): (value: number) => string {
  return scale > 1 ? String : tick;
}

const LINES = (ticks: number) => ({ stroke: color("rule"), strokeOpacity: 1, ticks });

export function gridX(ticks = 5): Plot.Markish {
  return Plot.gridX(LINES(ticks));
}

export function grid(): Plot.Markish[] {
  return [gridX(), Plot.gridY(LINES(6))];
}

/** Long names are cut where a chart has little room. */
export function short(name: string, size = 22): string {
  return name.length > size ? `${name.slice(0, size - 1)}…` : name;
}
