/** Discovered terms: clusters, wrong types, and where intervals lie in a recording. */

import { button, chooser, given, h, section } from "../dom";
import { own } from "../data";
import { number, shown } from "../numbers";
import { type Cell, type Head, labelHead, table } from "../table";
import type {
  Cluster,
  FoundIntervals,
  GoldReading,
  PageData,
  SpokenWords,
  TermsReading,
} from "../types";

const SECOND = 150;
const MOST = 20;
const EDGES = [
  "neither edge is a word boundary",
  "begins at a word boundary",
  "ends at a word boundary",
  "both edges are word boundaries",
];

export function termsView(data: PageData): [title: string, section: HTMLElement][] {
  const gold = data.readings.find((each): each is GoldReading => each.kind === "gold");
  const readings = data.readings.filter((each): each is TermsReading => each.kind === "terms");
  const [first] = readings;
  if (!gold || !first) return [];
  const clusters = h("div");
  const line = h("div");
  const recordings = Object.keys(gold.words);
  const chosen = { reading: first, recording: recordings[0] ?? "" };
  const fill = () => {
    clusters.replaceChildren(...clusterTables(chosen.reading));
    line.replaceChildren(timeline(gold, chosen.reading, chosen.recording));
  };
  const names = readings.map(({ system }) => system);
  const choose = (name: string) => {
    chosen.reading = readings.find(({ system }) => system === name) ?? first;
    for (const other of systems) other.value = name;
    fill();
  };
  const tools = [chooser("System", names, choose), chooser("System", names, choose)] as const;
  const systems = tools.flatMap((each) => each.querySelector("select") ?? []);
  const recording = chooser("Recording", recordings, (name) => {
    chosen.recording = name;
    fill();
  });
  fill();
  const isOne = names.length < 2;
  return [
    ["Clusters", section("clusters", "Clusters", !isOne && h("div.tools", tools[0]), clusters)],
    [
      "Timeline",
      section("timeline", "Timeline", h("div.tools", !isOne && tools[1], recording), line),
    ],
  ];
}

function clusterTables({ clusters, count, wrong_types: wrong }: TermsReading): HTMLElement[] {
  const told = number(count, "cluster");
  const most = clusters.length < count ? `The ${clusters.length} largest of ${told}` : told;
  const rows = clusters.map((cluster): Cell[] => [
    { value: cluster.cluster },
    { value: cluster.size },
    { value: cluster.types },
    { value: cluster.purity },
    { value: cluster.spellings[0]?.phones ?? "", node: spellings(cluster) },
  ]);
  const heads: Head[] = [
    { title: "cluster", format: "text", help: "Its number, in the order of the file." },
    { title: "members", format: "count", help: "Intervals in the cluster." },
    { title: "types", format: "count", help: "Different sequences of phones among them." },
    { title: "purity", format: "rate", scale: 1, help: "Share of the most frequent type." },
    labelHead("phones of the members, most frequent first"),
  ];
  const wrongRows = wrong.map(({ phones, times }): Cell[] => [{ value: phones }, { value: times }]);
  const wrongHeads: Head[] = [labelHead("phones"), { title: "times", format: "count" }];
  return [
    folded(most, heads, rows, "clusters-table"),
    folded("Most frequent types that are not words", wrongHeads, wrongRows, "narrow"),
  ];
}

/** The first rows, and the others when they are asked for. */
function folded(title: string, heads: Head[], rows: Cell[][], className: string): HTMLElement {
  const holder = h("div.tables");
  if (!rows.length) return h("div.tables", h("h3", title), h("p.note", "None."));
  const all = () => holder.replaceChildren(table(title, heads, rows, className));
  if (rows.length <= MOST) all();
  else {
    const more = button(`Show all ${rows.length}`, all);
    holder.append(table(title, heads, rows.slice(0, MOST), className), h("div", more));
  }
  return holder;
}

function spellings(cluster: Cluster): HTMLElement {
  const list = h("span.spellings");
  cluster.spellings.forEach(({ phones, word, times }, at) => {
    list.append(
      h(
        "span",
        { class: at ? "other" : "first" },
        given(phones),
        word ? h("em", " “", given(word), "”") : "",
        h("small", ` ×${times}`),
      ),
    );
  });
  const left = cluster.types - cluster.spellings.length;
  if (left > 0) list.append(h("small", `and ${left} more`));
  return list;
}

/** Words above, intervals in as many rows as they need below; their edges tell right from wrong. */
function timeline(gold: GoldReading, reading: TermsReading, name: string): HTMLElement {
  const words = own(gold.words, name);
  const found = own(reading.intervals, name);
  if (!words || !found) return h("p.note", "There are no recordings.");
  const first = Math.min(words.on[0] ?? Infinity, found.on[0] ?? Infinity);
  const start = Number.isFinite(first) ? first : 0;
  const last = Math.max(start, ...words.off, ...found.off);
  const x = (time: number) => ((time - start) / 1000) * SECOND + 8;
  const track = h("div.track");
  track.append(...spoken(words, x));
  const rows = placeIntervals(track, found, x);
  for (let second = Math.ceil(start / 1000); second * 1000 <= last; second++) {
    const tick = h("span.tick", `${second} s`);
    tick.style.left = `${x(second * 1000)}px`;
    track.append(tick);
  }
  track.style.width = `${x(last) + 16}px`;
  track.style.height = `${TOP + rows * ROW + 30}px`;
  return h(
    "div",
    legend(words, found),
    h("div.scroll.timeline", { role: "region", tabindex: 0, "aria-label": "Timeline" }, track),
  );
}

const TOP = 46;
const ROW = 24;

function legend(words: SpokenWords, found: FoundIntervals): HTMLElement {
  const edges = found.right.reduce((sum, each) => sum + (each & 1) + (each >> 1), 0);
  const share = found.right.length ? edges / (2 * found.right.length) : null;
  const counts = `${number(words.words.length, "word")} above, ${number(found.on.length, "interval")}`;
  return h(
    "p.note",
    `${counts} below with their cluster numbers. `,
    h("span.item", h("i.edge.right"), "edge at a word boundary"),
    " ",
    h("span.item", h("i.edge"), "edge elsewhere"),
    ` Share of edges at word boundaries: ${shown(share)}.`,
  );
}

function spoken({ on, off, words }: SpokenWords, x: (time: number) => number): HTMLElement[] {
  return words.map((word, at) => {
    const [from, to] = [on[at] ?? 0, off[at] ?? 0];
    const title = `${word} ${seconds(from)}–${seconds(to)}`;
    const box = h("span.spoken", { title }, given(word));
    placed(box, x(from), x(to));
    return box;
  });
}

/** Put each interval in the first row that has room, and tell how many rows there are. */
function placeIntervals(
  track: HTMLElement,
  { on, off, cluster, right }: FoundIntervals,
  x: (time: number) => number,
): number {
  const ends: number[] = [];
  on.forEach((from, at) => {
    const to = off[at] ?? from;
    let row = ends.findIndex((end) => end <= from);
    if (row < 0) row = ends.push(0) - 1;
    ends[row] = to;
    const edges = right[at] ?? 0;
    const title = `cluster ${cluster[at]}, ${seconds(from)}–${seconds(to)}: ${EDGES[edges] ?? ""}`;
    const kind = `found${edges & 1 ? " opens" : ""}${edges & 2 ? " closes" : ""}`;
    const box = h("span", { class: kind, title }, String(cluster[at] ?? ""));
    placed(box, x(from), x(to));
    box.style.top = `${TOP + row * ROW}px`;
    track.append(box);
  });
  return ends.length;
}

function placed(box: HTMLElement, left: number, right: number): void {
  box.style.left = `${left}px`;
  box.style.width = `${Math.max(3, right - left)}px`;
}

function seconds(time: number): string {
  return (time / 1000).toFixed(2);
}
