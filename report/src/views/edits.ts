/** Wrong corrections: edits that only one side has, with counts, and where they are. */

import { own } from "../data";
import { type Child, chooser, given, h, SearchBox, section, select } from "../dom";
import { around, PatternBrowser } from "./pattern-list";
import type { CorrectionsReading, EditCase, EditPattern, PageData } from "../types";

export function correctionsView(data: PageData): HTMLElement {
  const readings = data.readings.filter(
    (each): each is CorrectionsReading => each.kind === "corrections",
  );
  const browser = new PatternBrowser("wrong edit", "No wrong edits.");
  const chosen = { system: readings[0]?.system ?? "", side: "", type: "" };
  const fill = () => {
    const reading = readings.find(({ system }) => system === chosen.system);
    if (!reading) return;
    const kept = reading.patterns.filter(
      (pattern) =>
        timesOf(pattern, chosen.type) > 0 &&
        (!chosen.side || pattern.side === chosen.side) &&
        `${pattern.text} ${pattern.correction}`.toLowerCase().includes(box.phrase),
    );
    box.tell(kept.length, reading.patterns.length);
    const found = kept
      .map((pattern) => ({
        times: timesOf(pattern, chosen.type),
        told: () => told(pattern, reading.system),
        cases: () =>
          pattern.cases
            .filter(({ type }) => !chosen.type || type === chosen.type)
            .slice(0, MOST)
            .map((one) => caseOf(one, pattern, reading.system)),
      }))
      .sort((a, b) => b.times - a.times);
    const most = Math.max(1, ...reading.patterns.map((pattern) => timesOf(pattern, chosen.type)));
    browser.fill(found, { most, all: reading.edits }, reading.kinds - reading.patterns.length);
  };
  const box = new SearchBox("text or correction", fill);
  const change = (name: keyof typeof chosen) => (value: string) => {
    chosen[name] = value;
    fill();
  };
  const sides: [string, string][] = [
    ["", "all wrong edits"],
    ["system", "only in the system"],
    ["gold", "only in the gold"],
  ];
  const types = typesOf(readings).map((type): [string, string] => [type, type]);
  const tools: Child[] = [
    readings.length > 1 &&
      chooser(
        "System",
        readings.map(({ system }) => system),
        change("system"),
      ),
    select("Show", sides, change("side")),
    select("Type", [["", "all types"], ...types], change("type")),
    box.element,
  ];
  fill();
  return section("errors", "Wrong edits", h("div.tools", ...tools), ...browser.elements);
}

/** The most cases that are listed of a pattern. */
const MOST = 20;

/** All types, the most frequent first. */
function typesOf(readings: CorrectionsReading[]): string[] {
  const sums = new Map<string, number>();
  for (const { patterns } of readings)
    for (const { times } of patterns)
      for (const [type, size] of Object.entries(times))
        sums.set(type, (sums.get(type) ?? 0) + size);
  return [...sums].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)).map(([type]) => type);
}

/** How often an edit has a type, or any. */
function timesOf({ times }: EditPattern, type: string): number {
  if (type) return own(times, type) ?? 0;
  return Object.values(times).reduce((sum, each) => sum + each, 0);
}

function told(pattern: EditPattern, system: string): Child[] {
  return [
    change(pattern),
    h("span.for", " only in "),
    pattern.side === "system" ? given(system) : "gold",
  ];
}

/** What is replaced by what. */
function change({ text, correction }: EditPattern): HTMLElement {
  return h("span.side", side(text), " → ", side(correction));
}

function side(text: string): HTMLElement {
  return text ? given(text) : h("em", "nothing");
}

function caseOf(one: EditCase, pattern: EditPattern, system: string): Child[] {
  const isOurs = pattern.side === "system";
  return [
    h(
      "p",
      { class: isOurs ? "ours" : "gold" },
      h("span.who", isOurs ? given(system) : "gold"),
      around(one, change(pattern)),
    ),
    h("p.place", given(one.place), ", ", given(one.type)),
  ];
}
