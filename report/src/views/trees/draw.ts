/** A tree as a drawing: labels over words, lines at right angles, so that none cross. */

import { widthOf } from "../transcript/lines";
import { FOOT, HEAD, LEVEL, extent, middle, type Placed, shortened } from "./layout";
import { type Bracket, heightOf, isToken, NONE, type Pair, type Token } from "./model";

const ROUND = 5;
const HALF = 9;
/** From the middle of a tag to its line. */
const TAG = 8;

type Attributes = Record<string, string | number | undefined>;

function s<K extends keyof SVGElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: (Node | string)[]
): SVGElementTagNameMap[K] {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined) element.setAttribute(name, String(value));
  }
  element.append(...children);
  return element;
}

/** What a bracket that differs is told as, and whether it is one of those that are looked at. */
export interface Telling {
  hint: (bracket: Bracket) => string;
  isChosen: (pair: Pair | undefined) => boolean;
}

/** The drawing of one side.
 *
 * Of a label, `data-left` and `data-right` are the edges of its words, `data-low` and `data-high`
 * how far it can move along its line.
 */
export function drawing(side: Placed, label: string, telling: Telling): SVGSVGElement {
  const { tree, levels, width, cells } = side;
  const height = HEAD + levels * LEVEL + FOOT;
  const ground = s("g", { "aria-hidden": "true" }, ...ends(side, height));
  const brackets = tree.brackets.map((each) => {
    ground.append(each.isFolded ? roof(side, each) : lines(side, each));
    return name(side, each, telling);
  });
  const floor = wordY(side);
  for (const cell of cells) {
    const x = centre(extent(side, cell));
    ground.append(s("text", { class: "leaf", x, y: floor }, cell.text));
    if (cell.folded) continue;
    const kind = tree.wrongTags.has(cell.first) ? "tag wrong" : "tag";
    ground.append(s("text", { class: kind, x, y: HEAD + levels * LEVEL }, cell.tag));
  }
  return s(
    "svg",
    {
      class: tree.isGold ? "tree gold" : "tree ours",
      width,
      height,
      viewBox: `0 0 ${width} ${height}`,
      role: "group",
      direction: side.isRightToLeft ? "rtl" : "ltr",
      "aria-label": label,
    },
    ground,
    ...brackets,
  );
}

function centre([left, right]: [number, number]): number {
  return round((left + right) / 2);
}

function round(value: number): number {
  return Math.round(value * 2) / 2;
}

function wordY({ levels }: Placed): number {
  return HEAD + levels * LEVEL + 24;
}

function yOf({ levels }: Placed, item: Bracket | Token): number {
  return HEAD + (levels - heightOf(item)) * LEVEL;
}

/** The label of a bracket, on its line; one that differs is in a box. */
function name(side: Placed, bracket: Bracket, telling: Telling): SVGElement {
  const [x, y] = [round(middle(side, bracket)), yOf(side, bracket)];
  const label = shortened(bracket.label, "label");
  const width = Math.round(widthOf(label, side.fonts.label)) + 10;
  const [left, right] = extent(side, bracket);
  const [low, high] = bracket.isFolded ? [x, x] : reach(side, bracket);
  const told = { "data-x": x, "data-left": left, "data-right": right };
  const range = {
    "data-low": Math.min(x, low + width / 2),
    "data-high": Math.max(x, high - width / 2),
  };
  const hint = telling.hint(bracket);
  const kind = telling.isChosen(bracket.pair) ? "name wrong chosen" : "name wrong";
  const own = bracket.isWrong
    ? { class: kind, role: "img", tabindex: -1, "aria-label": hint, "data-hint": hint }
    : { class: "name", "aria-hidden": "true" };
  return s(
    "g",
    { ...own, ...told, ...range },
    s("rect", { x: x - width / 2, y: y - HALF, width, height: 2 * HALF, rx: 3 }),
    s("text", { x, y }, label),
  );
}

/** The middles of the first and the last thing in a bracket: where its line begins and ends. */
function reach(side: Placed, { children }: Bracket): [low: number, high: number] {
  const xs = children.map((child) => round(middle(side, child)));
  return [Math.min(...xs), Math.max(...xs)];
}

/** Lines from a bracket to all that is right inside it. */
function lines(side: Placed, bracket: Bracket): SVGElement {
  const bar = yOf(side, bracket);
  const [low, high] = reach(side, bracket);
  const drops = bracket.children.map((child) => {
    const end = yOf(side, child) - (isToken(child) ? TAG : 0);
    return drop(round(middle(side, child)), end, bar, [low, high]);
  });
  const across = low < high ? `M${low + ROUND} ${bar}H${high - ROUND}` : "";
  const kind = bracket.isWrong ? "line wrong" : "line";
  return s("path", { class: kind, d: across + drops.join("") });
}

/** Down from a line; at its ends, around the corner. */
function drop(x: number, end: number, bar: number, [low, high]: [number, number]): string {
  if (low === high || (x > low && x < high)) return `M${x} ${bar}V${end}`;
  const inside = x === low ? x + ROUND : x - ROUND;
  return `M${inside} ${bar}Q${x} ${bar} ${x} ${bar + ROUND}V${end}`;
}

/** A folded bracket: a roof over its words. */
function roof(side: Placed, bracket: Bracket): SVGElement {
  const x = round(middle(side, bracket));
  const [top, floor] = [yOf(side, bracket) + HALF, wordY(side) - 16];
  if (bracket.last - bracket.first === 1) {
    return s("path", { class: "line", d: `M${x} ${top}V${floor}` });
  }
  const [left, right] = extent(side, bracket);
  const [low, high] = [round(left + 6), round(right - 6)];
  return s("path", { class: "roof", d: `M${x} ${top}L${low} ${floor}H${high}Z` });
}

/** Where sentences end. */
function ends(side: Placed, height: number): SVGElement[] {
  return side.cells
    .filter(({ gap }) => gap > 0)
    .map((cell) => {
      const [left, right] = extent(side, cell);
      const x = round(side.isRightToLeft ? right + cell.gap / 2 : left - cell.gap / 2);
      return s("path", { class: "end", d: `M${x} 4V${height - 8}` });
    });
}

/** A bracket that differs, in words. */
export function sentenceOf(
  bracket: Bracket,
  words: string[],
  isGold: boolean,
  system: string,
): string {
  const [ours, theirs] = bracket.pair ?? [NONE, NONE];
  const own = words.slice(bracket.first, bracket.last);
  const over = own.length > 9 ? [...own.slice(0, 5), "…", ...own.slice(-3)] : own;
  const here = isGold ? "gold" : system;
  const other = isGold ? ours : theirs;
  const there = isGold ? system : "gold";
  const rest = other === NONE ? `not in ${there}` : `${there} has ${other}`;
  return `${bracket.label} over “${over.join(" ")}” in ${here}; ${rest}`;
}
