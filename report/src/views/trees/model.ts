/** Trees as they are drawn: brackets over tokens, which of them differ, and what can be folded. */

import type { TreeError, TreeSide } from "../../types";

/** What stands for a bracket that a side does not have. */
export const NONE = "–";

/** A system's label and gold's. */
export type Pair = [system: string, gold: string];

export interface Bracket {
  label: string;
  first: number;
  last: number;
  isWrong: boolean;
  /** Of a bracket that differs, its label error. */
  pair: Pair | undefined;
  children: (Bracket | Token)[];
  /** Levels above the tokens. */
  height: number;
  /** Whether all in it is right: brackets and tags. */
  isClean: boolean;
  /** Whether it is drawn as one, without what is in it. */
  isFolded: boolean;
}

export interface Token {
  at: number;
}

export interface Tree {
  side: TreeSide;
  isGold: boolean;
  /** In the order in which they open, without those in folded ones. */
  brackets: Bracket[];
  wrongTags: Set<number>;
}

export interface Trees {
  gold: Tree;
  system: Tree;
}

export function isToken(item: Bracket | Token): item is Token {
  return "at" in item;
}

export function heightOf(item: Bracket | Token): number {
  return isToken(item) ? 0 : item.height;
}

/** Both sides of a block of sentences; what agrees is folded if asked for. */
export function treesOf(error: TreeError, isFolding: boolean): Trees {
  const [gold, system] = [treeOf(error.gold, true), treeOf(error.system, false)];
  pairUp(error, system, gold);
  if (isFolding) {
    const [ours, theirs] = [cleanSpans(system), cleanSpans(gold)];
    fold(gold, ours);
    fold(system, theirs);
  }
  for (const { brackets } of [gold, system]) {
    for (const each of brackets.toReversed()) {
      each.height = each.isFolded ? 1 : 1 + Math.max(0, ...each.children.map(heightOf));
    }
  }
  return { gold, system };
}

function treeOf(side: TreeSide, isGold: boolean): Tree {
  const wrong = new Set(side.wrong);
  const wrongTags = new Set(side.tags_wrong);
  const brackets = side.label.map((label, at): Bracket => ({
    label,
    first: side.first[at] ?? 0,
    last: side.last[at] ?? 0,
    isWrong: wrong.has(at),
    pair: undefined,
    children: [],
    height: 0,
    isClean: !wrong.has(at),
    isFolded: false,
  }));
  nest(brackets, side.words.length);
  for (const each of brackets.toReversed()) {
    each.isClean &&= each.children.every((child) =>
      isToken(child) ? !wrongTags.has(child.at) : child.isClean,
    );
  }
  return { side, isGold, brackets, wrongTags };
}

/** Give every bracket what lies right inside it, in order. */
function nest(brackets: Bracket[], size: number): void {
  const open: Bracket[] = [];
  let next = 0;
  for (let token = 0; token < size; token++) {
    while (open.length && (open.at(-1)?.last ?? 0) <= token) open.pop();
    for (let each = brackets[next]; each && each.first <= token; each = brackets[++next]) {
      open.at(-1)?.children.push(each);
      open.push(each);
    }
    open.at(-1)?.children.push({ at: token });
  }
}

/** Give every bracket that differs its label error; those of the system are in their order. */
function pairUp({ labels, system: { wrong } }: TreeError, system: Tree, gold: Tree): void {
  const ours = system.brackets.filter(({ isWrong }) => isWrong);
  const left = gold.brackets.filter(({ isWrong }) => isWrong);
  labels.slice(0, wrong.length).forEach((pair, at) => {
    const own = ours[at];
    if (!own) return;
    own.pair = pair;
    const span = spanOf(system.side, own);
    const partner = left.findIndex(
      (each) => each.label === pair[1] && spanOf(gold.side, each) === span,
    );
    if (partner >= 0) for (const each of left.splice(partner, 1)) each.pair = pair;
  });
  for (const each of left) each.pair = [NONE, each.label];
}

/** Where a bracket begins and ends on the axis of both sides, if both sides have these edges. */
function spanOf({ points }: TreeSide, { first, last }: Bracket): string | undefined {
  const [start, stop] = [points[first] ?? -1, points[last] ?? -1];
  return start < 0 || stop < 0 ? undefined : `${start} ${stop}`;
}

/** The spans in which all is right on one side. */
function cleanSpans({ side, brackets }: Tree): Set<string> {
  const clean = brackets.filter(({ isClean }) => isClean);
  return new Set(clean.flatMap((each) => spanOf(side, each) ?? []));
}

/** Fold the outermost brackets in which all is right on the other side, too; drop those in them. */
function fold(tree: Tree, others: Set<string>): void {
  let end = 0;
  tree.brackets = tree.brackets.filter((each) => {
    if (each.first < end) return false;
    each.isFolded = each.isClean && others.has(spanOf(tree.side, each) ?? "");
    if (each.isFolded) end = each.last;
    return true;
  });
}

/** The words of a side in brackets; square ones are those that the other side does not have. */
export function bracketed(side: TreeSide): string {
  const opened = side.words.map((): string[] => []);
  const closed = side.words.map((): string[] => []);
  const wrong = new Set(side.wrong);
  side.label.forEach((label, at) => {
    const [open, close] = wrong.has(at) ? "[]" : "()";
    opened[side.first[at] ?? 0]?.push(`${open}${label} `);
    closed[(side.last[at] ?? 0) - 1]?.unshift(close ?? "");
  });
  const word = (text: string, at: number) =>
    `${opened[at]?.join("")}${text}${closed[at]?.join("")}`;
  return side.words.map(word).join(" ") || NONE;
}
