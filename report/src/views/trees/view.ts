/** Trees that differ: label errors with their counts, and both trees of each sentence. */

import { button, type Child, chooser, given, h, SearchBox, section } from "../../dom";
import { grouped, number } from "../../numbers";
import type { LabelError, PageData, TreeError, TreesReading } from "../../types";
import { drawing, sentenceOf } from "./draw";
import { follow, reveal, watch } from "./canvas";
import { type Fonts, fontsOfPage, placed } from "./layout";
import { bracketed, NONE, type Pair, treesOf } from "./model";

const STEP = 10;

export function treesView(data: PageData): HTMLElement {
  return new TreesView(data).element;
}

class TreesView {
  readonly element: HTMLElement;
  private readonly readings: TreesReading[];
  private reading: TreesReading | undefined;
  private pair: LabelError | undefined;
  private isFolding = true;
  private shown = STEP;
  private readonly fonts: Fonts = fontsOfPage();
  private readonly told = h("p.told", { role: "status" });
  private readonly list = h("div.patterns", {
    role: "group",
    "aria-label": "Label errors",
  });
  private readonly cases = h("ol.pairs");
  private readonly more = h("div");
  private readonly legend = h("div.legend");
  private readonly box = new SearchBox("words", () => this.filter());

  constructor({ readings, summary }: PageData) {
    this.readings = readings.filter((each): each is TreesReading => each.kind === "trees");
    const names = this.readings.map(({ system }) => system);
    const folding = h("input", { type: "checkbox", change: () => this.fold(folding.checked) });
    folding.checked = true;
    const tools: Child[] = [
      names.length > 1 && chooser("System", names, (name) => this.open(name)),
      this.box.element,
      h("label.switch", folding, "Hide what agrees"),
    ];
    this.element = section(
      "trees",
      "Trees that differ",
      h("div.tools", ...tools),
      this.told,
      typeof summary.options.evalb === "string" && h("p.note", OWN),
      this.legend,
      h("div.browser.trees", this.list, h("div.drawn", this.cases, this.more)),
    );
    this.open(names[0] ?? "");
  }

  private open(name: string): void {
    this.reading = this.readings.find(({ system }) => system === name);
    this.pair = undefined;
    this.legend.replaceChildren(legend(name));
    this.fillLabels();
    this.filter();
  }

  private fold(isFolding: boolean): void {
    this.isFolding = isFolding;
    this.draw(this.kept());
  }

  private fillLabels(): void {
    const { reading } = this;
    if (!reading) return;
    const most = reading.labels[0]?.times ?? 1;
    const rows = reading.labels.map((each) =>
      labelRow(each, most, reading.system, (pressed) => {
        const isOff = this.pair === each;
        this.pair = isOff ? undefined : each;
        for (const other of this.list.querySelectorAll("[aria-pressed]"))
          other.setAttribute("aria-pressed", String(other === pressed && !isOff));
        this.filter();
      }),
    );
    const head = h(
      "p.label-error.head",
      { "aria-hidden": true },
      h("span.times", "times"),
      h("span", given(reading.system)),
      h("span", "gold"),
    );
    const left = reading.kinds - reading.labels.length;
    const rest = left > 0 && h("p.note", `and ${number(left, "rarer kind")}`);
    this.list.replaceChildren(...(rows.length ? [head, ...rows] : []), ...(rest ? [rest] : []));
    this.list.hidden = this.legend.hidden = !rows.length;
  }

  /** The sentences that are asked for. */
  private kept(): TreeError[] {
    const { pair, box } = this;
    return (this.reading?.cases ?? []).filter(
      ({ labels, system, gold }) =>
        (!pair || labels.some((each) => isSame(each, pair))) &&
        (!box.phrase ||
          [system, gold].some(({ words }) => words.join(" ").toLowerCase().includes(box.phrase))),
    );
  }

  private filter(): void {
    const kept = this.kept();
    this.shown = STEP;
    this.box.tell(kept.length, this.reading?.cases.length ?? 0);
    this.told.textContent = this.reading ? tell(this.reading, this.pair, kept.length) : "";
    this.draw(kept);
  }

  private draw(kept: TreeError[]): void {
    this.cases.replaceChildren();
    this.append(kept, 0);
  }

  /** Draw sentences up to as many as are to be shown. */
  private append(kept: TreeError[], from: number): void {
    const { reading } = this;
    if (!reading) return;
    for (const error of kept.slice(from, this.shown)) {
      const made = this.case(error, reading);
      this.cases.append(made);
      reveal(made, ".chosen");
    }
    const left = kept.length - this.shown;
    const next = () => {
      const before = this.shown;
      this.shown += STEP;
      this.append(kept, before);
      this.cases.children[before]?.querySelector<HTMLElement>(".canvas")?.focus();
    };
    const text = `Show ${Math.min(STEP, left)} more of ${grouped(left)}`;
    this.more.replaceChildren(...(left > 0 ? [button(text, next)] : []));
  }

  private case(error: TreeError, reading: TreesReading): HTMLElement {
    const at = reading.cases.indexOf(error) + 1;
    const trees = treesOf(error, this.isFolding);
    const sheet = h("div.canvas-sheet");
    const sides = placed(trees, this.fonts);
    const texts: HTMLElement[] = [];
    for (const side of sides) {
      const { isGold } = side.tree;
      const who = isGold ? "gold" : reading.system;
      const words = side.tree.side.words;
      const svg = drawing(side, `Tree of ${who}`, {
        hint: (bracket) => sentenceOf(bracket, words, isGold, reading.system),
        isChosen: (pair) => !!this.pair && !!pair && isSame(pair, this.pair),
      });
      const id = `tree-${at}-${isGold ? "gold" : "system"}`;
      svg.setAttribute("aria-describedby", id);
      const shown = words.length ? svg : h("p.empty", "no sentence");
      sheet.append(h("div.half", h("p.who", given(who)), shown));
      const text = h("p.bracketed", { id }, given(bracketed(side.tree.side)));
      texts.push(h("div", h("span", given(who)), text));
    }
    const canvas = h(
      "div.canvas",
      {
        role: "region",
        tabindex: 0,
        dir: sides[0].isRightToLeft ? "rtl" : "ltr",
        "aria-label": `Trees of sentence ${at}`,
      },
      sheet,
    );
    follow(canvas, sheet);
    watch(canvas);
    return h(
      "li",
      head(error, reading, at),
      canvas,
      h("details.as-text", h("summary", "As text"), ...texts),
    );
  }
}

const OWN =
  "Trees are compared here without the parameters of evalb, which apply to the scores only.";

function isSame([system, gold]: Pair, pair: LabelError): boolean {
  return system === pair.system && gold === pair.gold;
}

/** How much there is to see, and what is left out. */
function tell(reading: TreesReading, pair: LabelError | undefined, kept: number): string {
  const { sentences, long, cases, system } = reading;
  if (!sentences) return `No brackets of ${system} differ from gold.`;
  const parts = [`${number(sentences, "sentence")} whose brackets differ from gold.`];
  if (cases.length + long < sentences) {
    parts.push(
      `${grouped(cases.length)} of them are on this page: the first ones, and examples of rarer ` +
        "label errors; --errors FILE writes all.",
    );
  }
  if (long) parts.push(`${number(long, "sentence")} of them too long to be drawn.`);
  if (pair)
    parts.push(`${pairText(pair, system)}: in ${grouped(kept)} of ${grouped(cases.length)}.`);
  return parts.join(" ");
}

function pairText({ system: ours, gold }: LabelError, system: string): string {
  if (gold === NONE) return `${ours} only in ${system}`;
  return ours === NONE ? `${gold} only in gold` : `${ours} where gold has ${gold}`;
}

function labelRow(
  error: LabelError,
  most: number,
  system: string,
  pressed: (button: HTMLElement) => void,
): HTMLElement {
  const bar = h("i.fill");
  bar.style.width = `${Math.max(1.5, (error.times / most) * 100)}%`;
  const side = (label: string, kind: string) =>
    h("span", { class: label === NONE ? "none" : kind }, given(label));
  const times = number(error.times, "time");
  const element = h(
    "button.label-error.pattern",
    {
      type: "button",
      "aria-pressed": "false",
      "aria-label": `${pairText(error, system)}: ${times}`,
      click: () => pressed(element),
    },
    h("span.times", grouped(error.times)),
    side(error.system, "ours"),
    side(error.gold, "gold"),
    h("span.bar", { "aria-hidden": true }, bar),
  );
  return element;
}

function legend(system: string): HTMLElement {
  const item = (sample: HTMLElement, ...text: Child[]) =>
    h("span.item", sample, h("span", ...text));
  return h(
    "div.kinds",
    item(h("b.sample.gold", "NP"), "bracket only in gold"),
    item(h("b.sample.ours", "NP"), "bracket only in ", given(system)),
    item(h("b.sample.tagged", "NN"), "tag or token that differs"),
    item(h("i.sample.roofed"), "brackets and tags that agree"),
    h("span.keys", h("kbd", "n"), " ", h("kbd", "p"), " next, previous difference"),
  );
}

function head(error: TreeError, reading: TreesReading, at: number): HTMLElement {
  const { system, gold } = error;
  const count = (size: number, sign: string, where: string) =>
    h(
      "span.item",
      h("i", { class: `sign ${sign}`, "aria-hidden": true }),
      h("span", `${grouped(size)} only in `, given(where)),
    );
  const sizes = sizesOf(gold.ends.length, system.ends.length);
  return h(
    "div.case-head",
    h("b", String(at)),
    h("span.where", given(gold.place), " | ", given(system.place)),
    sizes && h("span", sizes),
    count(gold.wrong.length, "missed", "gold"),
    count(system.wrong.length, "wrong", reading.system),
  );
}

/** How many sentences there are, unless each side has one. */
function sizesOf(gold: number, ours: number): string {
  if (!gold) return `${number(ours, "sentence")} not in gold`;
  if (!ours) return `${number(gold, "gold sentence")} missing`;
  return gold === 1 && ours === 1 ? "" : `${number(gold, "gold sentence")} as ${grouped(ours)}`;
}
