/** What colours and signs mean, and the versions with what they have. */

import { given, h } from "../../dom";
import { grouped } from "../../numbers";
import type { ClockReading } from "../../types";
import { sign } from "../transcript/line";
import { KINDS as SIGNS } from "../transcript/model";
import { distanceText } from "./axis";
import { type Kind, KINDS, type Lane, type Model, unpacked } from "./model";

const HUES = 8;

/** The number of the colour of each label; none for labels that share a grey. */
export type Hues = Map<string, number>;

interface Look {
  hues: Hues;
  hidden: Set<string>;
  changed: () => void;
  against: string;
  reach: number;
}

/** The labels that fill most of the axis have colours of their own, if they occur twice. */
export function huesOf(readings: ClockReading[]): Hues {
  const found = new Map<string, { times: number; size: number }>();
  for (const { names, codes, lengths } of readings.flatMap(({ spans }) => Object.values(spans))) {
    const sizes = unpacked(lengths);
    const times = new Float64Array(names.length + 1);
    const long = new Float64Array(names.length + 1);
    unpacked(codes).forEach((code, at) => {
      times[code]! += 1;
      long[code]! += sizes[at] ?? 0;
    });
    names.forEach((name, at) => {
      const key = name.toLowerCase();
      const before = found.get(key) ?? { times: 0, size: 0 };
      const [more, further] = [times[at + 1] ?? 0, long[at + 1] ?? 0];
      found.set(key, { times: before.times + more, size: before.size + further });
    });
  }
  const often = [...found].filter(([label, { times }]) => label && times > 1);
  often.sort(([, a], [, b]) => b.size - a.size);
  return new Map(often.slice(0, HUES).map(([label], at) => [label, at]));
}

export function legend(model: Model, look: Look): HTMLElement[] {
  const rows = [labels(model, look.hues), kinds(model, look)];
  rows.push(h("div.lanes", ...model.lanes.map((lane) => toggle(lane, look))));
  return rows;
}

function item(...content: (Node | string)[]): HTMLElement {
  return h("span.item", ...content);
}

function labels(model: Model, hues: Hues): HTMLElement {
  const every = new Map<number, string>();
  for (const label of model.lanes.flatMap((lane) => lane.labels))
    every.set(hues.get(label.toLowerCase()) ?? HUES, label);
  const numbers = [...every.keys()].sort((a, b) => a - b);
  const items = numbers.map((hue) => {
    const sample = h("i.swatch", { "aria-hidden": true });
    sample.style.setProperty("--hue", hue < HUES ? `var(--c${hue + 1})` : "var(--fill)");
    return item(sample, hue < HUES ? given(every.get(hue) ?? "") : "other labels");
  });
  return h("div.kinds", ...items);
}

function kinds(model: Model, { against, reach }: Look): HTMLElement {
  const people = model.lanes.filter(({ isReference }) => isReference).length;
  const whom = against || (people > 1 ? "any annotator" : "the reference");
  const far = distanceText(model, reach);
  const means: Record<Kind, string> = {
    right: `right: at most ${far} from a boundary of ${whom}`,
    wrong: "wrong: no such boundary",
    missed: "missed: no boundary of the system",
  };
  const signs = KINDS.map((kind) => item(signOf(kind), means[kind]));
  const band = item(h("span.band-key", { "aria-hidden": true }), `tolerance, ±${far}`);
  const shown = people < model.lanes.length ? [...signs, band] : [band];
  return h("div.kinds", ...(reach || shown.length > 1 ? shown : []));
}

/** A click hides a lane. */
function toggle({ name, isReference, places, kinds: own }: Lane, look: Look): HTMLElement {
  const box = h("input", { type: "checkbox", checked: !look.hidden.has(name) });
  box.addEventListener("change", () => {
    if (box.checked) look.hidden.delete(name);
    else look.hidden.add(name);
    look.changed();
  });
  const figure = (title: string, ...content: (Node | string)[]) => {
    const element = item(...content);
    element.title = title;
    return element;
  };
  const figures = isReference
    ? [figure("boundaries", grouped(places.length))]
    : KINDS.map((kind) => figure(kind, signOf(kind), grouped(own[kind].length)));
  return h("label.lane", box, h("b", given(name)), ...figures);
}

function signOf(kind: Kind): HTMLElement {
  return sign(SIGNS.indexOf(kind));
}
