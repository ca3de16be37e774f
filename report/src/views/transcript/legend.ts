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
    "div",
    { class: "kinds" },
    item(sample("misheard"), "heard differently"),
    item(sample("misheard lacking"), "not heard"),
    item(sample("extra"), "extra words before it"),
  );
}

function item(...content: (Node | string)[]): HTMLElement {
  return h("span", { class: "item" }, ...content);
}

function votes(references: number): HTMLElement {
  const row = h("div", { class: "votes" });
  for (let count = 1; count <= references; count++) {
    const isAll = count === references && count > 1;
    row.append(item(tone(count, references), isAll ? `all ${count}` : `${count}`));
  }
  const what = references > 1 ? "references with a boundary" : "boundary of the reference";
  const band = h("span", { class: "band-key", "aria-hidden": true });
  row.append(h("span", { class: "what" }, what), item(band, "window"));
  return row;
}

function kinds(tolerance: number): HTMLElement {
  const told = [
    "right: a reference boundary",
    `near: at most ${number(tolerance, "word")} off`,
    "wrong: no reference boundary nearby",
    "missed: no boundary in this window",
  ];
  return h("div", { class: "kinds" }, ...told.map((text, at) => item(sign(at + 1), text)));
}

/** A click hides a system's lane. */
function lanes(model: Model, rates: Rates, hidden: Set<string>, changed: () => void): HTMLElement {
  const list = h("div", { class: "lanes" });
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
    const ordinal = h("span", { class: "ordinal" }, `${index + 1}`);
    const words = h("span", { class: "rates" });
    for (const { title, help, value } of rates(name))
      words.append(hinted(item(`${title} ${value}`), help));
    const label = h("label", { class: "lane" }, box, ordinal, h("b", {}, given(name)), ...figures);
    list.append(h("span", { class: "lane-row" }, label, words));
  });
  return list;
}
