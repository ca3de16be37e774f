/**
 * Markdown as elements: headings, lists, tables, quotes, code, emphasis and links.
 *
 * Whatever is written becomes text of elements, never markup; links lead to the web or to mail.
 */

import { h } from "../dom";

/** A block, and the line after it. */
type Block = [element: HTMLElement, next: number];
type Inline = (HTMLElement | string)[];

const HEADING = /^ {0,3}(#{1,6})\s+(.*?)\s*#*$/;
const LEVELS = ["h2", "h3", "h4", "h5", "h6", "h6"] as const;
const RULE = /^ {0,3}(-{3,}|\*{3,}|_{3,})\s*$/;
const FENCE = /^ {0,3}(```|~~~)/;
const QUOTE = /^ {0,3}> ?/;
const ITEM = /^( *)([-*+]|\d{1,9}[.)])( +)(?=\S)/;
const COLUMNS = /^\s*\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)*\|?\s*$/;

export function markdown(text: string): HTMLElement[] {
  return blocks(text.replace(/\r\n?/g, "\n").replaceAll("\t", "    ").split("\n"));
}

/** Quotes and lists are in others to this depth; what is deeper is text. */
const DEEPEST = 20;

function blocks(lines: string[], depth = 0): HTMLElement[] {
  const made: HTMLElement[] = [];
  for (let at = 0; at < lines.length;) {
    const [element, next] = lines[at]?.trim() ? block(lines, at, depth) : [undefined, at + 1];
    if (element) made.push(element);
    at = next;
  }
  return made;
}

function block(lines: string[], at: number, depth: number): Block {
  const line = lines[at] ?? "";
  const [, signs, title = ""] = HEADING.exec(line) ?? [];
  if (signs) return [h(LEVELS[signs.length - 1] ?? "h6", ...spans(title)), at + 1];
  if (RULE.test(line)) return [h("hr"), at + 1];
  const fence = FENCE.exec(line)?.[1];
  if (fence) {
    const stop = until(lines, at + 1, (each) => each.trim().startsWith(fence));
    return [h("pre", h("code", lines.slice(at + 1, stop).join("\n"))), stop + 1];
  }
  if (QUOTE.test(line) && depth < DEEPEST) {
    const stop = until(lines, at, (each) => !QUOTE.test(each));
    const inside = lines.slice(at, stop).map((each) => each.replace(QUOTE, ""));
    return [h("blockquote", ...blocks(inside, depth + 1)), stop];
  }
  if (ITEM.test(line) && depth < DEEPEST) return list(lines, at, depth + 1);
  if (isTable(lines, at)) return table(lines, at);
  const stop = until(lines, at + 1, (each, here) => begins(each) || isTable(lines, here));
  const text = lines.slice(at, stop).map((each) => each.trim());
  return [h("p", ...spans(text.join(" "))), stop];
}

/** The first line from one on of which something is true, or the end. */
function until(lines: string[], from: number, test: (line: string, at: number) => boolean): number {
  let at = from;
  while (at < lines.length && !test(lines[at] ?? "", at)) at++;
  return at;
}

/** Whether a line ends a paragraph above it. */
function begins(line: string): boolean {
  return !line.trim() || [HEADING, RULE, FENCE, QUOTE, ITEM].some((sign) => sign.test(line));
}

/** A list; what is moved in belongs to the item above it, also another list. */
function list(lines: string[], from: number, depth: number): Block {
  const isNumbered = (line = "") => /\d/.test(ITEM.exec(line)?.[2] ?? "");
  const number = isNumbered(lines[from]) ? parseInt(lines[from]?.trim() ?? "") : undefined;
  const items: HTMLElement[] = [];
  let at = from;
  while (ITEM.test(lines[at] ?? "") && isNumbered(lines[at]) === (number !== undefined)) {
    const [begin = "", indent = ""] = ITEM.exec(lines[at] ?? "") ?? [];
    const stop = until(lines, at + 1, (_, here) => !isInside(lines, here, indent.length));
    const outside = new RegExp(`^ {0,${begin.length}}`);
    const inside = lines.slice(at + 1, stop).map((line) => line.replace(outside, ""));
    const first = lines[at]?.slice(begin.length) ?? "";
    items.push(h("li", ...blocks([first, ...inside], depth)));
    at = until(lines, stop, (line) => line.trim() !== "");
  }
  const tag = number === undefined ? "ul" : "ol";
  return [h(tag, { start: number }, ...items), at];
}

/** Whether a line goes on with an item: it is moved in, or goes on with its paragraph. */
function isInside(lines: string[], at: number, indent: number): boolean {
  const [before = "", line = ""] = lines.slice(at - 1, at + 1);
  const next = line.trim() ? line : (lines[at + 1] ?? "");
  return next.search(/\S/) > indent + 1 || (before.trim() !== "" && !begins(line));
}

function isTable(lines: string[], at: number): boolean {
  const [head, rule] = [lines[at] ?? "", lines[at + 1] ?? ""];
  return head.includes("|") && rule.includes("|") && COLUMNS.test(rule);
}

function table(lines: string[], at: number): Block {
  const stop = until(lines, at + 2, (line) => !line.includes("|"));
  const sides = cellsOf(lines[at + 1] ?? "").map((cell) => (cell.endsWith(":") ? "figure" : null));
  const row = (line: string, tag: "th" | "td") => {
    const cells = cellsOf(line);
    const made = sides.map((side, column) =>
      h(tag, { class: side }, ...spans(cells[column] ?? "")),
    );
    return h("tr", ...made);
  };
  const rows = lines.slice(at + 2, stop).map((line) => row(line, "td"));
  const head = h("thead", row(lines[at] ?? "", "th"));
  return [h("div.scroll", h("table", head, h("tbody", ...rows))), stop];
}

/** The cells of a line; `\|` is a sign in one. */
function cellsOf(line: string): string[] {
  const inside = line.trim().replace(/^\||(?<!\\)\|$/g, "");
  return inside.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll("\\|", "|"));
}

/** Longer texts are left as they are: what is searched for in them would take too long. */
const LONGEST = 20_000;
const SPAN = new RegExp(
  [
    /\\(?<sign>[!-/:-@[-`{-~])/u,
    /(?<ticks>`+)(?<code>.+?)(?<!`)\k<ticks>(?!`)/u,
    /!?\[(?<name>(?:\\.|[^[\]\\])*)\]\((?<url>[^\s()<>]+(?:\([^\s()]*\)[^\s()<>]*)*)(?:\s+"[^"]*")?\)/u,
    /<(?<address>(?:https?:\/\/|mailto:)[^\s<>]+)>/u,
    /(?<bare>https?:\/\/[^\s<>]*[^\s<>.,;:!?'")\]}*_])/u,
    /(?<bold>\*\*|(?<![\p{L}\p{N}])__)(?=\S)(?<strong>.+?)(?<=\S)\k<bold>(?!\*)/u,
    /(?<slant>\*|(?<![\p{L}\p{N}])_)(?=[^\s*_])(?<weak>.+?)(?<=\S)\k<slant>(?!\k<slant>)/u,
  ]
    .map(({ source }) => source)
    .join("|"),
  "gu",
);

/** Emphasis, code and links of a text. */
function spans(text: string): Inline {
  if (text.length > LONGEST) return [text];
  const made: Inline = [];
  let done = 0;
  for (const { 0: source, index, groups = {} } of text.matchAll(SPAN)) {
    made.push(text.slice(done, index));
    done = index + source.length;
    const { sign, code, name, url, address, bare, strong, weak } = groups;
    const target = url ?? address ?? bare ?? "";
    if (code) made.push(h("code", code.trim() || code));
    else if (strong) made.push(h("strong", ...spans(strong)));
    else if (weak) made.push(h("em", ...spans(weak)));
    else if (/^(https?:\/\/[^/]|mailto:)/i.test(target)) made.push(link(target, name));
    else made.push(sign ?? source);
  }
  return [...made, text.slice(done)];
}

function link(href: string, name?: string): HTMLElement {
  const content = name ? spans(name) : [href.replace(/^mailto:/i, "")];
  return h("a", { href, target: "_blank", rel: "noopener" }, ...content);
}
