/** The card beside a gap, who breaks there, or beside a word, what was heard there. */

import { given, h } from "../../dom";
import { grouped, number } from "../../numbers";
import { told } from "./heard";
import type { Look } from "./look";
import { kindOf, type Lane, type Model, wordAt } from "./model";

const AROUND = 4;

export class Card {
  readonly element = h("div.card", { role: "tooltip", hidden: true });

  showGap({ model, lanes }: Look, at: number, near: HTMLElement): void {
    this.show(content(model, lanes, at), near);
  }

  showWord(look: Look, at: number, near: HTMLElement): void {
    this.show(heardContent(look, at), near);
  }

  private show(nodes: Node[], near: HTMLElement): void {
    this.element.replaceChildren(...nodes);
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
  return [`after “${wordAt(model, at)}”, word ${at + 1}: ${people}`, ...systems].join("; ");
}

/** What was heard at a word, in one sentence. */
export function heardSentence(look: Look, at: number): string {
  const each = look.heardAt(at).map(([name, hearing]) => `${name} heard ${told(hearing)}`);
  return `“${wordAt(look.model, at)}”, word ${at + 1}: ${each.join("; ")}`;
}

function heardContent(look: Look, at: number): Node[] {
  const { model } = look;
  const head = h(
    "p.context",
    given(`… ${some(model, at - AROUND, at)} `),
    h("b.here", given(model.words[at] ?? "")),
    given(` ${some(model, at + 1, at + 1 + AROUND)} …`),
  );
  const heard = new Map(look.heardAt(at));
  const list = h("ul");
  for (const name of look.hearers) {
    const what = told(heard.get(name));
    const text = what ? `heard ${what}` : "as written";
    list.append(h("li", { class: what ? "yes" : "no" }, given(name), h("span", text)));
  }
  return [head, list, h("p.where", `word ${grouped(at + 1)}`)];
}

function some({ words }: Model, start: number, stop: number): string {
  return words.slice(Math.max(0, start), stop).filter(Boolean).join(" ");
}

function breaking(model: Model, at: number): string[] {
  return model.references.filter(({ has }) => has[at]).map(({ name }) => name);
}

function content(model: Model, lanes: Lane[], at: number): Node[] {
  const before = some(model, at - AROUND + 1, at + 1);
  const after = some(model, at + 1, at + 1 + AROUND);
  const head = h("p.context", given(`… ${before}`), h("b.here", " ‖ "), given(`${after} …`));
  const people = h("ul");
  for (const { name, has } of model.references) {
    const mark = model.marks.get(name)?.get(at);
    const what = has[at] ? (mark ? `boundary, with ${mark}` : "boundary") : "no boundary";
    people.append(h("li", { class: has[at] ? "yes" : "no" }, given(name), h("span", what)));
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
        h("span", what),
      ),
    );
  }
  const window = model.windows[(model.windowOf[at] ?? 0) - 1];
  const width = window ? window.end - window.start : 0;
  const told = window
    ? width
      ? `in a window of ${number(width, "word")}`
      : "in a window of its own"
    : "outside all windows";
  return [head, people, systems, h("p.where", `word ${grouped(at + 1)}, ${told}`)];
}
