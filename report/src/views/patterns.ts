/** The errors of tokenized text: patterns with counts, and the cases of each. */

import { type Child, chooser, given, h, SearchBox, section, select } from "../dom";
import { around, PatternBrowser } from "./pattern-list";
import type { ErrorCase, PageData, Pattern, TextReading } from "../types";

const MERGE = " ~~~ ";

export function textView(data: PageData): HTMLElement {
  const readings = data.readings.filter((each): each is TextReading => each.kind === "text");
  const browser = new PatternBrowser("error", "No errors.");
  const chosen = { system: readings[0]?.system ?? "", unit: "", direction: "" };
  const fill = () => {
    const reading = readings.find(({ system }) => system === chosen.system);
    if (!reading) return;
    const kept = reading.patterns.filter(
      (pattern) =>
        (!chosen.unit || pattern.unit === chosen.unit) &&
        (!chosen.direction || pattern.direction === chosen.direction) &&
        `${pattern.system} ${pattern.gold}`.toLowerCase().includes(box.phrase),
    );
    box.tell(kept.length, reading.patterns.length);
    browser.fill(
      kept.map((pattern) => ({
        times: pattern.times,
        told: () => told(pattern),
        cases: () => pattern.cases.map((one) => caseOf(one, pattern, reading.system)),
      })),
      { most: reading.patterns[0]?.times ?? 1, all: reading.blocks },
      reading.kinds - reading.patterns.length,
    );
  };
  const box = new SearchBox("token", fill);
  const change = (name: keyof typeof chosen) => (value: string) => {
    chosen[name] = value;
    fill();
  };
  const units: [string, string][] = [
    ["", "tokens and sentences"],
    ["token", "tokens"],
    ["sentence", "sentences"],
  ];
  const kinds: [string, string][] = [
    ["", "all errors"],
    ["split", "split: too many boundaries"],
    ["merged", "merged: too few boundaries"],
    ["other", "other"],
  ];
  const tools: Child[] = [
    readings.length > 1 &&
      chooser(
        "System",
        readings.map(({ system }) => system),
        change("system"),
      ),
    select("Units", units, change("unit")),
    select("Show", kinds, change("direction")),
    box.element,
  ];
  fill();
  return section("errors", "Errors", h("div.tools", ...tools), ...browser.elements);
}

function told(pattern: Pattern): Child[] {
  if (pattern.unit === "token") {
    return [side(pattern.system), h("span.for", " for "), side(pattern.gold)];
  }
  if (pattern.direction === "split")
    return [h("em", "sentence split after "), given(pattern.system)];
  if (pattern.direction === "merged")
    return [h("em", "sentence not split after "), given(pattern.system)];
  return [h("em", `${pattern.system} sentences for ${pattern.gold}`)];
}

/** The units of a block, with a mark where they are put together. */
function side(text: string): HTMLElement {
  const whole = h("bdi.side");
  if (!text) whole.append(h("em", "nothing"));
  else {
    text.split(MERGE).forEach((part, at) => {
      if (at) whole.append(h("span.merge", { title: "boundary" }, " ~~~ "));
      whole.append(h("bdi", part));
    });
  }
  return whole;
}

function caseOf(one: ErrorCase, pattern: Pattern, system: string): Child[] {
  const ours = h("p.ours", h("span.who", given(system)));
  const gold = h("p.gold", h("span.who", "gold"));
  if (pattern.unit === "sentence") {
    ours.append(h("span", side(one.system)));
    gold.append(h("span", side(one.gold)));
  } else {
    ours.append(around(one, side(pattern.system)));
    gold.append(around(one, side(pattern.gold)));
  }
  return [ours, gold, h("p.place", given(one.system_place), " | ", given(one.gold_place))];
}
