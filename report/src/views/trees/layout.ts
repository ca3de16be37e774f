/** Where everything stands: cells of words, as wide as both sides need, so that they line up. */

import { directionOf, widthOf } from "../transcript/lines";
import { type Bracket, isToken, type Token, type Tree, type Trees } from "./model";

export const LEVEL = 28;
/** Room for tags and words below the lowest label. */
export const FOOT = 50;
export const HEAD = 18;
const BETWEEN = 14;
const SENTENCE = 40;
const EDGE = 10;
const FOLDED = 190;
const LONGEST = { label: 18, tag: 14, word: 28 };

/** A token, or the words of a folded bracket. */
export interface Cell {
  first: number;
  last: number;
  text: string;
  tag: string;
  width: number;
  /** Its left edge. */
  x: number;
  folded: Bracket | undefined;
  /** Room before it, where a sentence ends. */
  gap: number;
}

export interface Placed {
  tree: Tree;
  cells: Cell[];
  /** The cell of each token. */
  cellAt: Cell[];
  levels: number;
  width: number;
  isRightToLeft: boolean;
  fonts: Fonts;
}

export interface Fonts {
  label: string;
  tag: string;
  word: string;
}

export function fontsOfPage(): Fonts {
  const style = getComputedStyle(document.documentElement);
  const [serif, sans] = ["--serif", "--sans"].map((name) => style.getPropertyValue(name));
  return { label: `700 12px ${sans}`, tag: `700 10.5px ${sans}`, word: `15px ${serif}` };
}

export function shortened(text: string, kind: keyof typeof LONGEST): string {
  const characters = [...text];
  const most = LONGEST[kind];
  return characters.length > most ? `${characters.slice(0, most - 1).join("")}…` : text;
}

/** Both sides, in columns that line up where both have an edge of a token. */
export function placed({ gold, system }: Trees, fonts: Fonts): [gold: Placed, system: Placed] {
  const direction = directionOf([...gold.side.words, ...system.side.words]);
  const both = [gold, system].map((tree): Placed => {
    const cells = cellsOf(tree, fonts);
    const cellAt = cells.flatMap((cell) => Array<Cell>(cell.last - cell.first).fill(cell));
    widen(tree, cellAt, fonts);
    const levels = Math.max(0, ...tree.brackets.map(({ height }) => height));
    return { tree, cells, cellAt, levels, width: 0, isRightToLeft: direction === "rtl", fonts };
  }) as [Placed, Placed];
  lineUp(both);
  return both;
}

function cellsOf(tree: Tree, { tag, word }: Fonts): Cell[] {
  const { words, tags, ends } = tree.side;
  const folded = new Map(
    tree.brackets.filter(({ isFolded }) => isFolded).map((each) => [each.first, each]),
  );
  const isEnd = new Set(ends);
  const cells: Cell[] = [];
  for (let first = 0; first < words.length; first = cells.at(-1)?.last ?? Infinity) {
    const own = folded.get(first);
    const last = own?.last ?? first + 1;
    const text = own
      ? summed(words.slice(first, last), word)
      : shortened(words[first] ?? "", "word");
    const told = own ? "" : shortened(tags[first] ?? "", "tag");
    const width = BETWEEN + Math.max(widthOf(text, word), widthOf(told, tag));
    const gap = first > 0 && isEnd.has(first) ? SENTENCE : 0;
    cells.push({ first, last, text, tag: told, width, x: 0, folded: own, gap });
  }
  return cells;
}

/** The words of a folded bracket: as many of the first as there is room for, and the last. */
function summed(words: string[], font: string): string {
  const each = words.map((word) => shortened(word, "word"));
  const whole = each.join(" ");
  if (each.length < 3 || widthOf(whole, font) <= FOLDED) return whole;
  const last = each.at(-1) ?? "";
  let text = each[0] ?? "";
  for (const word of each.slice(1, -2)) {
    if (widthOf(`${text} ${word} … ${last}`, font) > FOLDED) break;
    text += ` ${word}`;
  }
  return `${text} … ${last}`;
}

/** Make room for labels that are wider than their words. */
function widen({ brackets }: Tree, cellAt: Cell[], { label }: Fonts): void {
  for (const each of brackets.toReversed()) {
    const cells = [...new Set(cellAt.slice(each.first, each.last))];
    const room = cells.reduce((sum, { width }) => sum + width, 0);
    const need = widthOf(shortened(each.label, "label"), label) + BETWEEN + 8 - room;
    if (need > 0) for (const cell of cells) cell.width += need / cells.length;
  }
}

/** Give both sides the same room between the points that both have. */
function lineUp(sides: [Placed, Placed]): void {
  const groups = grouped(sides);
  let x = EDGE;
  for (const group of groups) {
    x += Math.max(...group.map((cells) => cells[0]?.gap ?? 0));
    const widths = group.map((cells) =>
      cells.reduce((sum, { width, gap }, at) => sum + width + (at ? gap : 0), 0),
    );
    const room = Math.max(...widths);
    group.forEach((cells, side) => {
      const more = (room - (widths[side] ?? 0)) / cells.length;
      let at = x;
      cells.forEach((cell, index) => {
        at += index ? cell.gap : 0;
        cell.x = at;
        cell.width += more;
        at += cell.width;
      });
    });
    x += room;
  }
  for (const side of sides) side.width = Math.ceil(x + EDGE);
}

/** The cells of both sides between points that both have. */
function grouped(sides: [Placed, Placed]): Cell[][][] {
  const edges = sides.map(edgesOf);
  const common = [...(edges[0]?.keys() ?? [])].filter((point) => edges[1]?.has(point));
  return [...common, Infinity].map((point, at) =>
    sides.map(({ cells }, side) => {
      const index = (each: number | undefined, other: number) =>
        each === undefined ? other : (edges[side]?.get(each) ?? other);
      return cells.slice(index(common[at - 1], 0), index(point, cells.length));
    }),
  );
}

/** For each point the number of cells before it. */
function edgesOf({ tree, cells }: Placed): Map<number, number> {
  const { points } = tree.side;
  const found = new Map<number, number>();
  [...cells.map(({ first }) => first), cells.at(-1)?.last ?? 0].forEach((token, index) => {
    const point = points[token] ?? -1;
    if (point >= 0) found.set(point, index);
  });
  return found;
}

/** The left and the right edge of what lies over some tokens. */
export function extent(
  { cellAt, width, isRightToLeft }: Placed,
  { first, last }: Pick<Bracket, "first" | "last">,
): [left: number, right: number] {
  const [start, end] = [cellAt[first], cellAt[last - 1]];
  const left = start?.x ?? 0;
  const right = (end?.x ?? 0) + (end?.width ?? 0);
  return isRightToLeft ? [width - right, width - left] : [left, right];
}

export function middle(side: Placed, item: Bracket | Token): number {
  const span = isToken(item) ? { first: item.at, last: item.at + 1 } : item;
  const [left, right] = extent(side, span);
  return (left + right) / 2;
}
