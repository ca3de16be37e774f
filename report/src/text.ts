/** The errors of tokenized text: patterns with counts, and the cases of each. */

import { given, h, number, select, type Child } from "./dom";
import type { Data, Pattern, TextReading } from "./data";

const MERGE = " ~~~ ";

export function textView(data: Data): HTMLElement {
  const readings = data.readings as TextReading[];
  const list = h("div", { class: "patterns" });
  const cases = h("div", {
    class: "cases",
    role: "region",
    "aria-label": "Cases",
    "aria-live": "polite",
  });
  const told = h("p", { class: "told", role: "status" });
  const box = h("input", { type: "search", placeholder: "token" });
  const chosen = { system: readings[0].system, unit: "", kind: "" };
  const fill = () => {
    const reading = readings.find(({ system }) => system === chosen.system)!;
    const phrase = box.value.toLowerCase();
    const kept = reading.patterns.filter(
      (pattern) =>
        (!chosen.unit || pattern.unit === chosen.unit) &&
        (!chosen.kind || pattern.kind === chosen.kind) &&
        `${pattern.system} ${pattern.gold}`.toLowerCase().includes(phrase),
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
    const blocks = kept.reduce((sum, { times }) => sum + times, 0);
    const left = reading.kinds - reading.patterns.length;
    told.textContent =
      `${number(kept.length, "pattern")}, ${number(blocks, "block")} of ${reading.blocks.toLocaleString("en")} that are not right.` +
      (left > 0
        ? ` ${number(left, "rarer pattern")} left out of this page; --errors FILE writes all.`
        : "");
    const first = list.querySelector<HTMLElement>("button");
    if (first) first.click();
    else cases.replaceChildren(h("p", { class: "note" }, "Nothing is wrong here."));
  };
  box.addEventListener("input", fill);
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
    ["", "everything"],
    ["split", "split: too many"],
    ["merged", "merged: too few"],
    ["other", "other"],
  ];
  const tools: Child[] = [
    readings.length > 1 &&
      select(
        "System",
        readings.map(({ system }): [string, string] => [system, system]),
        change("system"),
      ),
    select("Units", units, change("unit")),
    select("Show", kinds, change("kind")),
    h("label", { class: "control" }, h("span", {}, "Search"), box),
  ];
  fill();
  return h(
    "section",
    { id: "errors", "aria-labelledby": "errors-title" },
    h("h2", { id: "errors-title" }, "Errors"),
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
    h("span", { class: "times" }, pattern.times.toLocaleString("en")),
    h("span", { class: "what" }, ...told(pattern)),
    h("span", { class: "bar", "aria-hidden": true }, bar),
  );
  return element;
}

function told(pattern: Pattern): Child[] {
  if (pattern.unit === "token") {
    return [side(pattern.system), h("span", { class: "for" }, " for "), side(pattern.gold)];
  }
  if (pattern.kind === "split") return [h("em", {}, "sentence cut after "), given(pattern.system)];
  if (pattern.kind === "merged")
    return [h("em", {}, "sentence not cut after "), given(pattern.system)];
  return [h("em", {}, `${pattern.system} sentences for ${pattern.gold}`)];
}

/** The units of a block, with a mark where they are put together. */
function side(text: string): HTMLElement {
  const whole = h("bdi", { class: "side" });
  if (!text) whole.append(h("em", {}, "nothing"));
  else {
    text.split(MERGE).forEach((part, at) => {
      if (at) whole.append(h("span", { class: "merge", title: "parted here" }, " ~~~ "));
      whole.append(h("bdi", {}, part));
    });
  }
  return whole;
}

function show(holder: HTMLElement, pattern: Pattern, system: string): void {
  const head = h("h3", {}, ...told(pattern));
  const count =
    pattern.cases.length < pattern.times
      ? `the first ${pattern.cases.length} of ${pattern.times.toLocaleString("en")}`
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
      h("p", { class: "place" }, given(`${one.system_place}`), " | ", given(one.gold_place)),
    );
  });
  holder.replaceChildren(head, h("p", { class: "note" }, count), h("ol", {}, ...each));
}

function around(one: Record<string, string>, text: string): HTMLElement {
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
