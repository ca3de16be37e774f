/** The charts: what the numbers look like. */

import * as Plot from "@observablehq/plot";
import { color, h, select, shown } from "./dom";
import { figure, type Drawing, type Figure } from "./figure";
import { type Data, type System, scoresOf } from "./data";

const COLORS = 8;

export function chartsView(data: Data): { element: HTMLElement; repaint: () => void } | undefined {
  const drawings = [windows, ranks, offsets, lengths, documents, agreement]
    .map((make) => make(data))
    .filter((each): each is Drawing => !!each);
  if (!drawings.length) return undefined;
  const figures: Figure[] = drawings.map(figure);
  const element = h(
    "section",
    { id: "charts", "aria-labelledby": "charts-title" },
    h("h2", { id: "charts-title" }, "Charts"),
    h("div", { class: "charts" }, ...figures.map(({ element: each }) => each)),
  );
  return { element, repaint: () => figures.forEach(({ repaint }) => repaint()) };
}

function systemsOf(data: Data): System[] {
  return data.summary.systems ?? [];
}

/** The colours of systems, in order; people are ink. */
function hues(names: string[]): { domain: string[]; range: string[] } {
  return { domain: names, range: names.map((_, at) => color(`c${(at % COLORS) + 1}`)) };
}

function plot(options: Plot.PlotOptions): SVGElement | HTMLElement {
  return Plot.plot({
    ...options,
    className: "drawing",
    marginBottom: 42,
    style: {
      background: "transparent",
      color: color("ink"),
      fontSize: "12px",
      overflow: "visible",
      ...(options.style as object),
    },
  });
}

const text = (value: number) => shown(value);

function grid(): Plot.Markish[] {
  const how = { stroke: color("rule"), strokeOpacity: 1 };
  return [Plot.gridX({ ...how, ticks: 5 }), Plot.gridY({ ...how, ticks: 6 })];
}

/** Long names are cut where a chart has little room. */
function short(name: string, size = 22): string {
  return name.length > size ? `${name.slice(0, size - 1)}…` : name;
}

function windows(data: Data): Drawing | undefined {
  const own = data.charts.windows;
  if (!own) return undefined;
  const names = Object.keys(own.wisebe);
  const several = data.summary.references.length > 1;
  let score: "wisebe" | "window_f1" = several ? "wisebe" : "window_f1";
  const titles = { wisebe: "WiSeBE", window_f1: "F1 RW" };
  const points = () =>
    names.flatMap((name) =>
      own.limits.map((limit, at) => ({ name, limit, value: own[score][name][at] })),
    );
  const last = () => points().filter(({ limit }) => limit === own.limits.at(-1));
  return {
    title: "Score against the window limit",
    caption:
      "A gap of more than so many words parts two windows; the line marks the limit that was used.",
    file: "windows",
    heads: ["system", "limit", "WiSeBE", "F1 RW"],
    rows: () =>
      names.flatMap((name) =>
        own.limits.map((limit, at) => [name, limit, own.wisebe[name][at], own.window_f1[name][at]]),
      ),
    controls: (redraw) =>
      several
        ? [
            select(
              "Score",
              [
                ["wisebe", "WiSeBE"],
                ["window_f1", "F1 RW"],
              ],
              (value) => {
                score = value as typeof score;
                redraw();
              },
            ),
          ]
        : [],
    draw: (width) =>
      plot({
        width,
        height: 300,
        marginRight: 110,
        marginLeft: 44,
        x: { label: "window limit (words)", ticks: own.limits },
        y: { label: titles[score], zero: true, tickFormat: text, nice: true, ticks: 6 },
        color: hues(names),
        marks: [
          ...grid(),
          Plot.ruleX([data.summary.options.window], {
            stroke: color("muted"),
            strokeDasharray: "3 3",
          }),
          Plot.line(points(), { x: "limit", y: "value", stroke: "name", strokeWidth: 2 }),
          Plot.dot(points(), {
            x: "limit",
            y: "value",
            fill: "name",
            symbol: "name",
            r: 3.5,
            title: ({ name, limit, value }: any) => `${name}, ${limit}: ${shown(value)}`,
          }),
          labels(last()),
        ],
      }),
  };
}

/** Names at the end of lines, moved apart where they would overlap. */
function labels(points: { name: string; limit: number; value: number | null }[]): Plot.Markish {
  const known = points.filter(({ value }) => value !== null).sort((a, b) => b.value! - a.value!);
  const most = Math.max(...known.map(({ value }) => value!), 0.01);
  let before = Infinity;
  const placed = known.map((each) => {
    before = Math.min(before - most * 0.062, each.value!);
    return { ...each, y: before };
  });
  return Plot.text(placed, {
    x: "limit",
    y: "y",
    text: (d: any) => short(d.name, 16),
    fill: "name",
    textAnchor: "start",
    dx: 10,
  });
}

function ranks(data: Data): Drawing | undefined {
  const systems = systemsOf(data);
  if (
    data.summary.task !== "transcript" ||
    systems.length < 2 ||
    data.summary.references.length < 2
  )
    return undefined;
  const known = systems.filter(({ micro }) => micro.f1_mean !== null && micro.wisebe !== null);
  if (known.length < 2) return undefined;
  const rank = (key: string) => {
    const order = [...known].sort((a, b) => b.micro[key]! - a.micro[key]!).map(({ name }) => name);
    return (name: string) => order.indexOf(name) + 1;
  };
  const [one, other] = [rank("f1_mean"), rank("wisebe")];
  const rows = known.map(({ name, micro }) => ({
    name,
    f1: micro.f1_mean!,
    wisebe: micro.wisebe!,
    from: one(name),
    to: other(name),
  }));
  const changed = rows.filter(({ from, to }) => from !== to).length;
  return {
    title: "F1 on the mean against WiSeBE",
    caption: changed
      ? `${changed} of ${rows.length} systems change rank when all references count together.`
      : "Both rank the systems alike.",
    file: "ranks",
    heads: ["system", "F1 mean", "rank by F1", "WiSeBE", "rank by WiSeBE"],
    rows: () => rows.map(({ name, f1, wisebe, from, to }) => [name, f1, from, wisebe, to]),
    draw: (width) => {
      const sides = rows.flatMap((row) => [
        {
          ...row,
          side: "F1 mean",
          rank: row.from,
          label: `${short(row.name, 16)}  ${shown(row.f1)}`,
        },
        {
          ...row,
          side: "WiSeBE",
          rank: row.to,
          label: `${shown(row.wisebe)}  ${short(row.name, 16)}`,
        },
      ]);
      const at = (side: string, anchor: "start" | "end", dx: number) =>
        Plot.text(
          sides.filter((each) => each.side === side),
          { x: "side", y: "rank", text: "label", fill: "name", textAnchor: anchor, dx },
        );
      return plot({
        width,
        height: Math.max(200, 90 + rows.length * 34),
        marginLeft: 140,
        marginRight: 140,
        marginTop: 40,
        marginBottom: 12,
        x: {
          type: "point",
          domain: ["F1 mean", "WiSeBE"],
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
          at("F1 mean", "end", -12),
          at("WiSeBE", "start", 12),
        ],
      });
    },
  };
}

function offsets(data: Data): Drawing | undefined {
  const own = data.charts.offsets;
  if (!own) return undefined;
  const { farthest } = own;
  const names = Object.keys(own.counts);
  const total = (name: string) => own.counts[name].reduce((sum, each) => sum + each, 0);
  const label = (offset: number) =>
    Math.abs(offset) === farthest
      ? `${offset < 0 ? "≤ −" : "≥ "}${farthest}`
      : offset > 0
        ? `+${offset}`
        : offset < 0
          ? `−${-offset}`
          : "0";
  const bars = names.flatMap((name) =>
    own.counts[name].map((count, at) => ({
      name,
      offset: at - farthest,
      count,
      share: total(name) ? count / total(name) : 0,
      kind:
        at === farthest
          ? "right"
          : Math.abs(at - farthest) <= (data.summary.options.tolerance ?? 2)
            ? "near"
            : "wrong",
    })),
  );
  return {
    title: "How far boundaries are off",
    caption:
      "Words from a system's boundary to the nearest of any reference: before it to the left, after it to the right.",
    file: "offsets",
    heads: ["system", "offset", "boundaries", "share"],
    rows: () => bars.map(({ name, offset, count, share }) => [name, label(offset), count, share]),
    draw: (width) =>
      plot({
        width,
        height: 60 + names.length * 92,
        marginLeft: 44,
        marginRight: 20,
        marginTop: 8,
        x: {
          label: "words off",
          tickFormat: (d: number) => label(d),
          type: "band",
          ticks: [-farthest, -5, 0, 5, farthest],
        },
        y: {
          label: null,
          tickFormat: (d: number) => `${Math.round(d * 100)}%`,
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
            title: ({ name, offset, count }: any) => `${name}, ${label(offset)}: ${count}`,
          }),
          Plot.ruleY([0], { stroke: color("ink") }),
          Plot.text(names, {
            fy: (d: string) => d,
            text: (d: string) => short(d),
            frameAnchor: "top-left",
            dy: 4,
            dx: 8,
            fontWeight: 600,
          }),
        ],
      }),
  };
}

function lengths(data: Data): Drawing | undefined {
  const own = data.charts.lengths;
  if (!own) return undefined;
  const people = new Set(data.summary.references);
  const rows = Object.entries(own).map(([name, spread]) => ({
    name,
    is: people.has(name) ? "person" : "system",
    ...spread,
  }));
  const column = (at: number) => (row: (typeof rows)[number]) => row.quantiles[at];
  return {
    title: "How long units are",
    caption:
      "Words in a unit: the middle half as a bar, nine tenths as a line, the median as a notch. People above, systems below.",
    file: "lengths",
    heads: ["version", "kind", "units", "mean", "5%", "25%", "median", "75%", "95%"],
    rows: () =>
      rows.map(({ name, is, units, mean, quantiles }) => [name, is, units, mean, ...quantiles]),
    draw: (width) =>
      plot({
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
        color: { domain: ["person", "system"], range: [color("tone"), color("c1")] },
        marks: [
          Plot.gridX({ stroke: color("rule"), strokeOpacity: 1 }),
          Plot.ruleY(rows, {
            y: "name",
            x1: column(0),
            x2: column(4),
            stroke: "is",
            strokeWidth: 1.5,
          }),
          Plot.barX(rows, {
            y: "name",
            x1: column(1),
            x2: column(3),
            fill: "is",
            insetTop: 5,
            insetBottom: 5,
            title: ({ name, mean, units }: any) =>
              `${name}: ${units} units, mean ${mean.toFixed(1)}`,
          }),
          Plot.tickX(rows, {
            y: "name",
            x: column(2),
            stroke: color("leaf"),
            strokeWidth: 3,
            insetTop: 4,
            insetBottom: 4,
          }),
        ],
      }),
  };
}

function documents(data: Data): Drawing | undefined {
  const systems = systemsOf(data);
  const { summary } = data;
  if (summary.documents.length < 2 || !systems[0]?.by_document) return undefined;
  const columns = data.sections.flatMap(({ title, columns: own }) =>
    own.map((column) => ({
      ...column,
      long: summary.task === "text" ? `${title}: ${column.title}` : column.title,
    })),
  );
  let key = columns[0].key;
  const title = () => columns.find((column) => column.key === key)!.long;
  const rows = () =>
    systems.flatMap((system) =>
      summary.documents.map((name) => ({
        name: system.name,
        document: name,
        value: scoresOf(system, `=${name}`)[key] ?? null,
      })),
    );
  const overall = () =>
    systems.map((system) => ({
      name: system.name,
      value: system.micro[key],
      ends: system.confidence?.micro?.[key],
    }));
  return {
    title: "Document by document",
    caption:
      "A dot is a document, the tall line the score of all together, the bar beneath its interval where one was computed.",
    file: "documents",
    heads: ["system", "document", "score"],
    rows: () => rows().map(({ name, document, value }) => [name, document, value]),
    controls: (redraw) => [
      select(
        "Score",
        columns.map(({ key: each, long }): [string, string] => [each, long]),
        (value) => {
          key = value;
          redraw();
        },
      ),
    ],
    draw: (width) =>
      plot({
        width,
        height: 70 + systems.length * 64,
        marginLeft: 120,
        marginRight: 24,
        x: { label: title(), tickFormat: text, nice: true, ticks: 6 },
        fy: {
          domain: systems.map(({ name }) => name),
          label: null,
          tickFormat: (name: string) => short(name, 16),
          axis: "left",
        },
        color: hues(systems.map(({ name }) => name)),
        marks: [
          Plot.gridX({ stroke: color("rule"), strokeOpacity: 1, ticks: 6 }),
          Plot.dot(
            rows().filter(({ value }) => value !== null),
            Plot.dodgeY("middle", {
              x: "value",
              fy: "name",
              fill: "name",
              r: summary.documents.length > 200 ? 1.6 : 3.2,
              fillOpacity: 0.75,
              title: ({ document, value }: any) => `${document}: ${shown(value)}`,
            }),
          ),
          Plot.tickX(overall(), { x: "value", fy: "name", stroke: color("ink"), strokeWidth: 2.5 }),
          Plot.ruleY(
            overall().filter(({ ends }) => ends && ends[0] !== null),
            {
              x1: ({ ends }: any) => ends[0],
              x2: ({ ends }: any) => ends[1],
              fy: "name",
              y: null,
              stroke: color("ink"),
              strokeWidth: 2,
            } as any,
          ),
        ],
      }),
  };
}

function agreement(data: Data): Drawing | undefined {
  const own = data.summary.agreement;
  if (!own || data.summary.documents.length < 2 || data.summary.references.length < 2)
    return undefined;
  const rows = Object.entries(own.by_document as Record<string, any>).map(([name, scores]) => ({
    name,
    kappa: scores.fleiss_kappa,
    rgar: scores.rgar,
  }));
  const known = rows.filter(({ kappa, rgar }) => kappa !== null && rgar !== null);
  if (known.length < 2) return undefined;
  const r = own.pearson_rgar_fleiss_kappa;
  return {
    title: "RGAR against κ",
    caption: `A dot is a document. ${r === null ? "Their correlation is undefined." : `Pearson's r is ${shown(r)}.`}`,
    file: "agreement",
    heads: ["document", "Fleiss κ", "RGAR"],
    rows: () => rows.map(({ name, kappa, rgar }) => [name, kappa, rgar]),
    draw: (width) =>
      plot({
        width,
        height: 320,
        marginLeft: 48,
        marginRight: 24,
        x: { label: "Fleiss κ", tickFormat: text, nice: true, ticks: 5 },
        y: { label: "RGAR", tickFormat: text, nice: true, ticks: 6 },
        marks: [
          ...grid(),
          Plot.dot(known, {
            x: "kappa",
            y: "rgar",
            fill: color("accent"),
            fillOpacity: 0.75,
            r: 4,
            title: ({ name, kappa, rgar }: any) =>
              `${name}: κ ${shown(kappa)}, RGAR ${shown(rgar)}`,
          }),
          known.length <= 12
            ? Plot.text(known, {
                x: "kappa",
                y: "rgar",
                text: ({ name }: any) => short(name, 14),
                dy: -10,
                fill: color("ink"),
              })
            : null,
        ],
      }),
  };
}
