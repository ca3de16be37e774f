/** What tones, bands and signs mean, and the systems with how many of each sign they have. */

import { given, h } from "../../dom";
import { hinted } from "../../hint";
import { grouped, number } from "../../numbers";
import { sign, tone } from "./line";
import { KINDS, type Model } from "./model";

/** What a system's words are worth in this document, if they were aligned. */
export type Rates = (name: string) => { title: string; help: string; value: string }[];

export function legend(
  model: Model,
  tolerance: number,
  rates: Rates,
  hidden: Set<string>,
  changed: () => void,
): HTMLElement[] {
  const rows = [votes(model.references.length)];
  if (model.lanes.length) rows.push(kinds(tolerance));
  if (model.hearings.size) rows.push(hearings());
  if (model.lanes.length) rows.push(lanes(model, rates, hidden, changed));
  return rows;
}

/** How words are marked on which a version differs. */
function hearings(): HTMLElement {
  const sample = (kind: string) =>
    h("span", { class: `word ${kind}`, "aria-hidden": true }, "word");
  return h(
    "div.kinds",
    item(sample("misheard"), "heard differently"),
    item(sample("misheard lacking"), "not heard"),
    item(sample("extra"), "extra words before it"),
  );
}

function item(...content: (Node | string)[]): HTMLElement {
  return h("span.item", ...content);
}

function votes(references: number): HTMLElement {
  const row = h("div.votes");
  for (let count = 1; count <= references; count++) {
    const isAll = count === references && count > 1;
    row.append(item(tone(count, references), isAll ? `all ${count}` : `${count}`));
  }
  const what = references > 1 ? "references with a boundary" : "boundary of the reference";
  const band = h("span.band-key", { "aria-hidden": true });
  row.append(h("span.what", what), item(band, "window"));
  return row;
}

function kinds(tolerance: number): HTMLElement {
  const told = [
    "right: a reference boundary",
    `near: at most ${number(tolerance, "word")} off`,
    "wrong: no reference boundary nearby",
    "missed: no boundary in this window",
  ];
  return h("div.kinds", ...told.map((text, at) => item(sign(at + 1), text)));
}

/** A click hides a system's lane. */
function lanes(model: Model, rates: Rates, hidden: Set<string>, changed: () => void): HTMLElement {
  const list = h("div.lanes");
  model.lanes.forEach(({ name, counts }, index) => {
    const box = h("input", { type: "checkbox", checked: !hidden.has(name) });
    box.addEventListener("change", () => {
      if (box.checked) hidden.delete(name);
      else hidden.add(name);
      changed();
    });
    const figures = KINDS.slice(1).map((kind, at) => {
      const figure = item(sign(at + 1), grouped(counts[at + 1] ?? 0));
      figure.title = kind;
      return figure;
    });
    const ordinal = h("span.ordinal", `${index + 1}`);
    const words = h("span.rates");
    for (const { title, help, value } of rates(name))
      words.append(hinted(item(`${title} ${value}`), help));
    const label = h("label.lane", box, ordinal, h("b", given(name)), ...figures);
    list.append(h("span.lane-row", label, words));
  });
  return list;
}
