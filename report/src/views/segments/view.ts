/** Segments: what systems have in each, beside the reference, and which words differ. */

import { button, type Child, given, h, options, SearchBox, section, select } from "../../dom";
import { grouped, number, shown } from "../../numbers";
import type { AlignedSegment, PageData, SentencesReading } from "../../types";
import { aligned, rest, texts } from "./draw";
import { columnsOf, rateOf, type Segment, segmentsOf, textsOf } from "./model";

const STEP = 20;
const ALL = "";

type Order = "edits" | "rate" | "apart" | "text";

/** What is shown, and what is counted in it. */
interface Wording {
  title: string;
  segment: string;
  edit: string;
  hasRate: boolean;
}

const WORDS: Wording = { title: "Segments", segment: "segment", edit: "edit", hasRate: true };
/** Excerpts that should be in one chunk each, and where systems cut them. */
const CHUNKS: Wording = { title: "Excerpts", segment: "excerpt", edit: "cut", hasRate: false };

const ordersOf = ({ edit, hasRate }: Wording): [Order, string][] => [
  ["edits", `most ${edit}s first`],
  ...(hasRate ? [["rate", "highest WER first"] as [Order, string]] : []),
  ["apart", "largest difference first"],
  ["text", "as in the text"],
];

export class SentencesView {
  readonly element: HTMLElement;
  private readonly readings: SentencesReading[];
  private readonly segments: Segment[];
  private readonly wording: Wording;
  private readonly chosen = { system: ALL, document: ALL };
  private order: Order = "edits";
  private isAligned = true;
  private shown = STEP;
  private readonly tools = h("div.tools");
  private readonly document = select("Document", [], (value) => this.choose("document", value));
  private readonly ordering = select("Order", [], (value) => this.sort(value as Order));
  private readonly told = h("p.told", { role: "status" });
  private readonly legend = h("div.legend");
  private readonly list = h("ol.pairs.segments");
  private readonly more = h("div");
  private readonly box = new SearchBox("words", () => this.fill());

  constructor({ readings, summary }: PageData) {
    this.wording = summary.profile === "chunks" ? CHUNKS : WORDS;
    this.readings = readings.filter((each): each is SentencesReading => each.kind === "sentences");
    this.segments = segmentsOf(this.readings);
    this.element = section(
      "segments",
      this.wording.title,
      this.tools,
      this.told,
      this.legend,
      this.list,
      this.more,
    );
    this.fillTools();
    this.fill();
  }

  get title(): string {
    return this.wording.title;
  }

  get documents(): string[] {
    return [...new Set(this.segments.map(({ document }) => document))];
  }

  /** Show the segments of a document. */
  open(name: string): void {
    this.order = "text";
    boxOf(this.document).value = `=${name}`;
    this.choose("document", `=${name}`);
  }

  private get names(): string[] {
    const every = this.readings.map(({ system }) => system);
    return this.chosen.system === ALL ? every : [this.chosen.system.slice(1)];
  }

  private fillTools(): void {
    const { documents } = this;
    const systems = this.readings.map(({ system }) => system);
    const aligning = h("input", { type: "checkbox", change: () => this.align(aligning.checked) });
    aligning.checked = true;
    const of = (names: string[], all: string) => [
      [ALL, all] as [string, string],
      ...names.map((name): [string, string] => [`=${name}`, name]),
    ];
    const controls = [
      systems.length > 1 &&
        select("System", of(systems, "all systems"), (value) => this.choose("system", value)),
      documents.length > 1 && this.document,
      this.ordering,
      this.box.element,
      h("label.switch", aligning, "Align words"),
    ];
    boxOf(this.document).append(...options(of(documents, "all documents")));
    this.fillOrders();
    this.tools.append(...controls.filter((each) => each !== false));
  }

  /** The orders that there are: systems differ only where there are several. */
  private fillOrders(): void {
    const isOne = this.names.length < 2;
    if (isOne && this.order === "apart") this.order = "edits";
    const orders = ordersOf(this.wording).filter(([order]) => order !== "apart" || !isOne);
    const box = boxOf(this.ordering);
    box.replaceChildren(...options(orders));
    box.value = this.order;
  }

  private choose(name: keyof typeof this.chosen, value: string): void {
    this.chosen[name] = value;
    this.fillOrders();
    this.fill();
  }

  private sort(order: Order): void {
    this.order = order;
    this.fill();
  }

  private align(isAligned: boolean): void {
    this.isAligned = isAligned;
    this.fill();
  }

  /** The segments that are asked for, in order. */
  private kept(): Segment[] {
    const { names, box } = this;
    const { document } = this.chosen;
    const found = this.segments.filter(
      (each) =>
        (document === ALL || `=${each.document}` === document) &&
        names.some((name) => each.cases.has(name)) &&
        (!box.phrase || textsOf(each).some((text) => text.toLowerCase().includes(box.phrase))),
    );
    const rank = RANKS[this.order];
    const ranked = found.map((segment) => ({
      segment,
      rank: rank(names.flatMap((name) => segment.cases.get(name) ?? [])),
    }));
    return ranked.sort((a, b) => b.rank - a.rank).map(({ segment }) => segment);
  }

  private fill(): void {
    const kept = this.kept();
    this.shown = STEP;
    this.box.tell(kept.length, this.segments.length);
    this.told.textContent = this.tell();
    this.legend.replaceChildren(this.wording.hasRate ? legend(this.names) : cutLegend());
    this.list.replaceChildren();
    this.append(kept, 0);
  }

  /** How much there is to see, and what is left out. */
  private tell(): string {
    const { names, segments } = this;
    const { segment, edit } = this.wording;
    const own = this.readings.filter(({ system }) => names.includes(system));
    const all = Math.max(0, ...own.map((each) => each.segments));
    const [first] = own;
    const wrong = own.map((each) => `${grouped(each.wrong)} of ${each.system}`).join(", ");
    const edited =
      own.length > 1 ? `with ${edit}s: ${wrong}` : `${grouped(first?.wrong ?? 0)} with ${edit}s`;
    const parts = [`${number(all, segment)}, ${edited}.`];
    const size = segments.filter(({ cases }) => names.some((name) => cases.has(name))).length;
    if (size < all) {
      parts.push(
        `${grouped(size)} are on this page: the first ones, and those with the most ${edit}s; ` +
          "--errors FILE writes all.",
      );
    }
    return parts.join(" ");
  }

  /** Add segments up to as many as are to be shown. */
  private append(kept: Segment[], from: number): void {
    for (const segment of kept.slice(from, this.shown)) this.list.append(this.item(segment));
    const left = kept.length - this.shown;
    const next = () => {
      const before = this.shown;
      this.shown += STEP;
      this.append(kept, before);
      (this.list.children[before] as HTMLElement | undefined)?.focus();
    };
    const text = `Show ${Math.min(STEP, left)} more of ${grouped(left)}`;
    this.more.replaceChildren(...(left > 0 ? [button(text, next)] : []));
  }

  private item(segment: Segment): HTMLElement {
    const names = this.names.filter((name) => segment.cases.has(name));
    const cases = names.map((name) => segment.cases.get(name));
    const columns = columnsOf(cases);
    const sides = texts(columns, names, this.box.phrase);
    if (this.isAligned) sides.classList.add("unseen");
    const left = Math.max(0, ...cases.map((each) => each?.left ?? 0));
    return h(
      "li",
      { tabindex: -1 },
      head(segment, this.names, this.documents.length > 1, this.wording),
      this.isAligned && aligned(columns, names, this.box.phrase),
      sides,
      rest(left),
    );
  }
}

function boxOf(label: HTMLLabelElement): HTMLSelectElement {
  return label.querySelector("select")!;
}

type Rank = (cases: AlignedSegment[]) => number;

/** By what segments are put in order, the largest first. */
const RANKS: Record<Order, Rank> = {
  edits: (cases) => Math.max(...cases.map(({ edits }) => edits)),
  rate: (cases) =>
    Math.max(...cases.map((each) => rateOf(each) ?? (each.edits ? Number.MAX_VALUE : 0))),
  apart: (cases) => {
    const edits = cases.map((each) => each.edits);
    return Math.max(...edits) - Math.min(...edits);
  },
  text: () => 0,
};

function head(
  { document, number: at, units, words, cases }: Segment,
  names: string[],
  hasDocuments: boolean,
  wording: Wording,
): HTMLElement {
  const each = names.map((name) => {
    const who = names.length > 1 && h("span", given(name), ": ");
    return h("span", who, errorsOf(cases.get(name), wording));
  });
  return h(
    "div.case-head",
    h("b", String(at)),
    hasDocuments && h("span.where", "document ", given(document)),
    h("span", number(words, units === "words" ? "word" : "character")),
    ...each,
  );
}

function errorsOf(found: AlignedSegment | undefined, { edit, hasRate }: Wording): string {
  if (!found) return "not on this page";
  const edits = number(found.edits, edit);
  return hasRate ? `${edits}, WER ${shown(rateOf(found))}` : edits;
}

function cutLegend(): HTMLElement {
  const mark = h("span.heard.ours.extra", "‖");
  const item = h("span.item", mark, h("span", "a chunk ends here"));
  return h("div.kinds", item);
}

function legend(names: string[]): HTMLElement {
  const [name, ...others] = names;
  const isOne = !others.length;
  const item = (sample: HTMLElement, ...text: Child[]) =>
    h("span.item", sample, h("span", ...text));
  const sample = (kind: string) => h("span", { class: `heard ${kind}` }, "word");
  return h(
    "div.kinds",
    item(sample("ours other"), "substituted"),
    isOne && item(sample("gold lacking"), "deleted: only in the reference"),
    !isOne && item(h("i.no-word"), "deleted"),
    item(sample("ours extra"), "inserted", isOne && ": only in ", isOne && given(name ?? "")),
  );
}
