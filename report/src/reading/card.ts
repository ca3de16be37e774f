/** The card beside a gap: who breaks there. */

import { given, h } from "../dom";
import { grouped, number } from "../numbers";
import { kindOf, type Lane, type Model } from "./model";

const AROUND = 4;

export class Card {
  readonly element = h("div", { class: "card", role: "tooltip", hidden: true });

  show(model: Model, lanes: Lane[], at: number, near: HTMLElement): void {
    this.element.replaceChildren(...content(model, lanes, at));
    this.element.hidden = false;
    const place = near.getBoundingClientRect();
    const own = this.element.getBoundingClientRect();
    const left = Math.max(
      8,
      Math.min(innerWidth - own.width - 8, place.left + place.width / 2 - own.width / 2),
    );
    const below = place.bottom + 8;
    const top = below + own.height > innerHeight ? place.top - own.height - 8 : below;
    this.element.style.left = `${left}px`;
    this.element.style.top = `${Math.max(8, top)}px`;
  }

  hide(): void {
    this.element.hidden = true;
  }
}

/** The same in one sentence, for those who listen. */
export function sentence(model: Model, lanes: Lane[], at: number): string {
  const who = breaking(model, at);
  const all = number(model.references.length, "reference");
  const people = who.length ? `${who.length} of ${all} (${who.join(", ")})` : "no reference";
  const each = lanes.filter((lane) => lane.kinds[at]);
  const systems = each.map((lane) => `${lane.name} ${kindOf(lane, at)}`);
  return [`after “${model.words[at]}”, word ${at + 1}: ${people}`, ...systems].join("; ");
}

function breaking(model: Model, at: number): string[] {
  return model.references.filter(({ has }) => has[at]).map(({ name }) => name);
}

function content(model: Model, lanes: Lane[], at: number): Node[] {
  const before = model.words.slice(Math.max(0, at - AROUND + 1), at + 1).join(" ");
  const after = model.words.slice(at + 1, at + 1 + AROUND).join(" ");
  const head = h(
    "p",
    { class: "context" },
    given(`… ${before}`),
    h("b", { class: "here" }, " ‖ "),
    given(`${after} …`),
  );
  const people = h("ul");
  for (const { name, has } of model.references) {
    const mark = model.marks.get(name)?.get(at);
    const what = has[at] ? (mark ? `boundary, with ${mark}` : "boundary") : "no boundary";
    people.append(h("li", { class: has[at] ? "yes" : "no" }, given(name), h("span", {}, what)));
  }
  const systems = h("ul");
  for (const lane of lanes) {
    const kind = kindOf(lane, at);
    const mark = model.marks.get(lane.name)?.get(at);
    const what = kind ? kind + (mark ? `, with ${mark}` : "") : "no boundary";
    systems.append(
      h(
        "li",
        { class: kind ? "yes" : "no" },
        kind ? h("i", { class: `sign ${kind}` }) : "",
        given(lane.name),
        h("span", {}, what),
      ),
    );
  }
  const window = model.windows[(model.windowOf[at] ?? 0) - 1];
  const width = window ? window.end - window.start : 0;
  const told = window
    ? width
      ? `in a window of ${number(width, "word")}`
      : "in a window of its own"
    : "in no window";
  return [head, people, systems, h("p", { class: "where" }, `word ${grouped(at + 1)}, ${told}`)];
}
