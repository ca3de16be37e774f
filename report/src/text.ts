/** The errors of tokenized text: patterns with counts, and the cases of each. */

import { type Child, chooser, given, h, SearchBox, section, select } from "./dom";
import { grouped, number } from "./numbers";
import type { ErrorCase, PageData, Pattern, TextReading } from "./types";

const MERGE = " ~~~ ";

export function textView(data: PageData): HTMLElement {
  const readings = data.readings.filter((each): each is TextReading => each.kind === "text");
  const list = h("div", { class: "patterns" });
  const cases = h("div", {
    class: "cases",
    role: "region",
    "aria-label": "Cases",
    "aria-live": "polite",
  });
  const told = h("p", { class: "told", role: "status" });
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
    list.replaceChildren(
      ...kept.map((pattern) =>
        row(pattern, reading.patterns[0]?.times ?? 1, (pressed) => {
          list
            .querySelectorAll("[aria-pressed=true]")
            .forEach((each) => each.setAttribute("aria-pressed", "false"));
          pressed.setAttribute("aria-pressed", "true");
          show(cases, pattern, reading.system);
        }),
      ),
    );
    box.tell(kept.length, reading.patterns.length);
    const blocks = kept.reduce((sum, { times }) => sum + times, 0);
    const left = reading.kinds - reading.patterns.length;
    told.textContent =
      `${number(kept.length, "pattern")}: ${grouped(blocks)} of ${number(reading.blocks, "error")}.` +
      (left > 0
        ? ` ${number(left, "rarer pattern")} not on this page; --errors FILE writes all.`
        : "");
    const first = list.querySelector<HTMLElement>("button");
    if (first) first.click();
    else cases.replaceChildren(h("p", { class: "note" }, "No errors."));
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
  return section(
    "errors",
    "Errors",
    h("div", { class: "tools" }, ...tools),
    told,
    h("div", { class: "browser" }, list, cases),
  );
}

function row(pattern: Pattern, most: number, pressed: (button: HTMLElement) => void): HTMLElement {
  const bar = h("i", { class: "fill" });
  bar.style.width = `${Math.max(1.5, (pattern.times / most) * 100)}%`;
  const element = h(
    "button",
    { type: "button", class: "pattern", "aria-pressed": "false", click: () => pressed(element) },
    h("span", { class: "times" }, grouped(pattern.times)),
    h("span", { class: "what" }, ...told(pattern)),
    h("span", { class: "bar", "aria-hidden": true }, bar),
  );
  return element;
}

function told(pattern: Pattern): Child[] {
  if (pattern.unit === "token") {
    return [side(pattern.system), h("span", { class: "for" }, " for "), side(pattern.gold)];
  }
  if (pattern.direction === "split")
    return [h("em", {}, "sentence split after "), given(pattern.system)];
  if (pattern.direction === "merged")
    return [h("em", {}, "sentence not split after "), given(pattern.system)];
  return [h("em", {}, `${pattern.system} sentences for ${pattern.gold}`)];
}

/** The units of a block, with a mark where they are put together. */
function side(text: string): HTMLElement {
  const whole = h("bdi", { class: "side" });
  if (!text) whole.append(h("em", {}, "nothing"));
  else {
    text.split(MERGE).forEach((part, at) => {
      if (at) whole.append(h("span", { class: "merge", title: "boundary" }, " ~~~ "));
      whole.append(h("bdi", {}, part));
    });
  }
  return whole;
}

function show(holder: HTMLElement, pattern: Pattern, system: string): void {
  const head = h("h3", {}, ...told(pattern));
  const count =
    pattern.cases.length < pattern.times
      ? `the first ${pattern.cases.length} of ${grouped(pattern.times)}`
      : number(pattern.times, "case");
  const each = pattern.cases.map((one) => {
    const ours = h("p", { class: "ours" }, h("span", { class: "who" }, given(system)));
    const gold = h("p", { class: "gold" }, h("span", { class: "who" }, "gold"));
    if (pattern.unit === "sentence") {
      ours.append(h("span", {}, side(one.system)));
      gold.append(h("span", {}, side(one.gold)));
    } else {
      ours.append(around(one, pattern.system));
      gold.append(around(one, pattern.gold));
    }
    return h(
      "li",
      {},
      ours,
      gold,
      h("p", { class: "place" }, given(one.system_place), " | ", given(one.gold_place)),
    );
  });
  holder.replaceChildren(head, h("p", { class: "note" }, count), h("ol", {}, ...each));
}

function around(one: ErrorCase, text: string): HTMLElement {
  return h(
    "span",
    {},
    h("bdi", { class: "context" }, one.before),
    " ",
    h("b", {}, side(text)),
    " ",
    h("bdi", { class: "context" }, one.after),
  );
}
