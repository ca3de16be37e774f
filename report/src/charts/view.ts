/** The charts: what the numbers look like. */

import { h, section } from "../dom";
import { figure, type Drawing, type Figure } from "../figure";
import type { PageData } from "../types";
import { agreement } from "./agreement";
import { documents } from "./documents";
import { lengths } from "./lengths";
import { offsets } from "./offsets";
import { precisionRecall, reliability, thresholds } from "./ranking";
import { ranks } from "./ranks";
import { windows } from "./windows";

const CHARTS = [
  precisionRecall,
  thresholds,
  reliability,
  windows,
  ranks,
  offsets,
  lengths,
  documents,
  agreement,
];

export function chartsView(data: PageData): Figure | undefined {
  const drawings = CHARTS.map((make) => make(data)).filter((each): each is Drawing => !!each);
  if (!drawings.length) return undefined;
  const figures = drawings.map(figure);
  const holder = h("div.charts", ...figures.map(({ element }) => element));
  return {
    element: section("charts", "Charts", holder),
    repaint: () => figures.forEach(({ repaint }) => repaint()),
  };
}
