/** Discovered terms: clusters, wrong types, and where intervals lie in a recording. */

import { button, given, h, number, select, shown, type Child } from "./dom";
import { type Cell, table } from "./table";
import type { Cluster, Data, GoldReading, TermsReading } from "./data";

const SECOND = 150;
const MOST = 20;

export function termsView(data: Data): HTMLElement[] {
  const gold = data.readings.find((reading) => "words" in reading) as GoldReading;
  const readings = data.readings.filter((reading) => "system" in reading) as TermsReading[];
  const clusters = h("div");
  const line = h("div");
  const chosen = { system: readings[0].system, recording: Object.keys(gold.words)[0] ?? "" };
  const fill = () => {
    const reading = readings.find(({ system }) => system === chosen.system)!;
    clusters.replaceChildren(...clusterTables(reading));
    line.replaceChildren(timeline(gold, reading, chosen.recording));
  };
  const change = (name: keyof typeof chosen) => (value: string) => {
    chosen[name] = value;
    for (const other of selects)
      if (other.dataset.name === name) other.querySelector("select")!.value = value;
    fill();
  };
  const systems = readings.map(({ system }): [string, string] => [system, system]);
  const recordings = Object.keys(gold.words).map((name): [string, string] => [name, name]);
  const choose = (label: string, options: [string, string][], name: keyof typeof chosen) => {
    const made = select(label, options, change(name));
    made.dataset.name = name;
    return made;
  };
  const selects = [
    choose("System", systems, "system"),
    choose("System", systems, "system"),
    choose("Recording", recordings, "recording"),
  ];
  fill();
  const section = (id: string, title: string, ...content: Child[]) =>
    h(
      "section",
      { id, "aria-labelledby": `${id}-title` },
      h("h2", { id: `${id}-title` }, title),
      ...content,
    );
  return [
    section(
      "clusters",
      "Clusters",
      systems.length > 1 && h("div", { class: "tools" }, selects[0]),
      clusters,
    ),
    section(
      "timeline",
      "Timeline",
      h("div", { class: "tools" }, systems.length > 1 && selects[1], selects[2]),
      line,
    ),
  ];
}

function clusterTables(reading: TermsReading): HTMLElement[] {
  const told = number(reading.count, "cluster");
  const most =
    reading.clusters.length < reading.count
      ? `The ${reading.clusters.length} largest of ${told}, numbered as they stand in the file`
      : `${told}, numbered as they stand in the file`;
  const rows = reading.clusters.map((cluster): Cell[] => [
    { value: cluster.cluster, text: String(cluster.cluster) },
    { value: cluster.size, key: "size" },
    { value: cluster.types, key: "types" },
    { value: cluster.purity },
    { value: cluster.spellings[0]?.phones ?? "", node: spellings(cluster) },
  ]);
  const heads = [
    { title: "cluster" },
    { title: "members", better: null },
    { title: "types" },
    { title: "purity", scale: 1 },
    { title: "what they spell, most frequent first", label: true },
  ];
  const wrong = reading.wrong_types.map((type): Cell[] => [
    { value: type.phones },
    { value: type.times, key: "times" },
  ]);
  return [
    folded(most, heads, rows, "clusters-table"),
    folded(
      "The most frequent types that are no word",
      [{ title: "phones", label: true }, { title: "times" }],
      wrong,
      "narrow",
    ),
  ];
}

/** The first rows, and the others when they are asked for. */
function folded(title: string, heads: any[], rows: Cell[][], className: string): HTMLElement {
  const holder = h("div", { class: "tables" });
  if (!rows.length)
    return h(
      "div",
      { class: "tables" },
      h("h3", {}, title),
      h("p", { class: "note" }, "There are none."),
    );
  const all = () => holder.replaceChildren(table(title, heads, rows, className));
  if (rows.length <= MOST) all();
  else {
    const more = button(`Show all ${rows.length}`, all);
    holder.append(table(title, heads, rows.slice(0, MOST), className), h("div", {}, more));
  }
  return holder;
}

function spellings(cluster: Cluster): HTMLElement {
  const list = h("span", { class: "spellings" });
  cluster.spellings.forEach(({ phones, word, times }, at) => {
    list.append(
      h(
        "span",
        { class: at ? "other" : "first" },
        given(phones),
        word ? h("em", {}, " “", given(word), "”") : "",
        h("small", {}, ` ×${times}`),
      ),
    );
  });
  const left = cluster.types - cluster.spellings.length;
  if (left > 0) list.append(h("small", {}, `and ${left} more`));
  return list;
}

/** Words above, intervals in as many rows as they need below; their edges tell right from wrong. */
function timeline(gold: GoldReading, reading: TermsReading, name: string): HTMLElement {
  const words = gold.words[name];
  const found = reading.intervals[name];
  if (!words) return h("p", { class: "note" }, "There are no recordings.");
  const first = Math.min(words.on[0] ?? 0, found.on[0] ?? Infinity);
  const x = (time: number) => ((time - first) / 1000) * SECOND + 8;
  const ends: number[] = [];
  const track = h("div", { class: "track" });
  words.words.forEach((word, at) => {
    const box = h(
      "span",
      { class: "spoken", title: `${word} ${seconds(words.on[at])}–${seconds(words.off[at])}` },
      given(word),
    );
    placed(box, x(words.on[at]), x(words.off[at]));
    track.append(box);
  });
  found.on.forEach((on, at) => {
    let row = ends.findIndex((end) => end <= on);
    if (row < 0) row = ends.push(0) - 1;
    ends[row] = found.off[at];
    const right = found.right[at];
    const told = [
      "neither edge is a word's",
      "begins where a word does",
      "ends where a word does",
      "both edges are a word's",
    ][right];
    const box = h(
      "span",
      {
        class: `found${right & 1 ? " opens" : ""}${right & 2 ? " closes" : ""}`,
        title: `cluster ${found.cluster[at]}, ${seconds(on)}–${seconds(found.off[at])}: ${told}`,
      },
      String(found.cluster[at]),
    );
    placed(box, x(on), x(found.off[at]));
    box.style.top = `${46 + row * 24}px`;
    track.append(box);
  });
  const last = Math.max(words.off.at(-1) ?? 0, found.off.at(-1) ?? 0);
  for (let second = Math.ceil(first / 1000); second * 1000 <= last; second++) {
    const tick = h("span", { class: "tick" }, `${second} s`);
    tick.style.left = `${x(second * 1000)}px`;
    track.append(tick);
  }
  track.style.width = `${x(last) + 16}px`;
  track.style.height = `${46 + ends.length * 24 + 30}px`;
  const edges = found.right.reduce((sum, each) => sum + (each & 1) + (each >> 1), 0);
  const share = found.right.length ? edges / (2 * found.right.length) : null;
  return h(
    "div",
    {},
    h(
      "p",
      { class: "note" },
      `${number(words.words.length, "word")} above, ${number(found.on.length, "interval")} below with the numbers of their clusters. `,
      h("span", { class: "item" }, h("i", { class: "edge right" }), "edge of a word"),
      " ",
      h("span", { class: "item" }, h("i", { class: "edge" }), "no word's edge"),
      ` Of the edges, ${shown(share)} are words'.`,
    ),
    h(
      "div",
      { class: "scroll timeline", role: "region", tabindex: 0, "aria-label": "Timeline" },
      track,
    ),
  );
}

function placed(box: HTMLElement, left: number, right: number): void {
  box.style.left = `${left}px`;
  box.style.width = `${Math.max(3, right - left)}px`;
}

function seconds(time: number): string {
  return (time / 1000).toFixed(2);
}
