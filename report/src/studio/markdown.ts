/**
 * Markdown as elements: headings, lists, tables, quotes, code, emphasis and links.
 *
 * Whatever is written becomes text of elements, never markup; links lead to the web or to mail.
 */

import { h } from "../dom";

interface Line {
  text: string;
  isNew: boolean;
}
/** A block, and the line after it. */
type Block = [element: HTMLElement, next: number];
type Inline = (HTMLElement | string)[];

/** The elements of a text; lines of which it is said that they are new are marked. */
export function markdown(text: string, isNew = (_line: string) => false): HTMLElement[] {
  const lines = text.replace(/\r\n?/g, "\n").replace(/\t/g, "    ").split("\n");
  return blocks(lines.map((line) => ({ text: line, isNew: line.trim() !== "" && isNew(line) })));
}

function blocks(lines: Line[]): HTMLElement[] {
  const made: HTMLElement[] = [];
  for (let at = 0; at < lines.length;) {
    if (!lines[at]?.text.trim()) {
      at++;
      continue;
    }
    const [element, next] =
      fence(lines, at) ??
      heading(lines, at) ??
      quote(lines, at) ??
      table(lines, at) ??
      list(lines, at) ??
      paragraph(lines, at);
    made.push(element);
    at = next;
  }
  return made;
}

const FENCE = /^ {0,3}(```|~~~)/;

function fence(lines: Line[], at: number): Block | undefined {
  const sign = FENCE.exec(lines[at]?.text ?? "")?.[1];
  if (!sign) return undefined;
  let stop = at + 1;
  while (stop < lines.length && !lines[stop]?.text.trim().startsWith(sign)) stop++;
  const inside = lines.slice(at + 1, stop);
  const content = inside.flatMap((line) => marked(line, [`${line.text}\n`]));
  return [h("pre", {}, h("code", {}, ...content)), stop + 1];
}

const HEADING = /^ {0,3}(#{1,6})\s+(.*?)\s*#*$/;
const RULE = /^ {0,3}(-{3,}|\*{3,}|_{3,})\s*$/;
const LEVELS = ["h2", "h3", "h4", "h5", "h6"] as const;

function heading(lines: Line[], at: number): Block | undefined {
  const line = lines[at];
  if (RULE.test(line?.text ?? "")) return [h("hr"), at + 1];
  const [, signs = "", text = ""] = HEADING.exec(line?.text ?? "") ?? [];
  if (!line || !signs) return undefined;
  const level = LEVELS[Math.min(signs.length, LEVELS.length) - 1] ?? "h2";
  return [h(level, { dir: "auto" }, ...marked(line, spans(text))), at + 1];
}

const QUOTE = /^ {0,3}> ?/;

function quote(lines: Line[], at: number): Block | undefined {
  let stop = at;
  while (QUOTE.test(lines[stop]?.text ?? "")) stop++;
  if (stop === at) return undefined;
  const inside = lines.slice(at, stop);
  const outside = inside.map(({ text, isNew }) => ({ text: text.replace(QUOTE, ""), isNew }));
  return [h("blockquote", {}, ...blocks(outside)), stop];
}

const COLUMNS = /^\s*\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)*\|?\s*$/;

function table(lines: Line[], at: number): Block | undefined {
  const [head, rule] = [lines[at], lines[at + 1]];
  if (!head?.text.includes("|") || !rule?.text.includes("|") || !COLUMNS.test(rule.text))
    return undefined;
  const sides = cellsOf(rule.text).map((cell) => (/^:?-+:$/.test(cell) ? "end" : "start"));
  const row = (line: Line, tag: "th" | "td"): HTMLElement => {
    const cells = cellsOf(line.text);
    const made = sides.map((side, column) => {
      const cell = h(tag, { dir: "auto" }, ...marked(line, spans(cells[column] ?? "")));
      if (side === "end") cell.classList.add("figure");
      return cell;
    });
    return h("tr", {}, ...made);
  };
  let stop = at + 2;
  while (lines[stop]?.text.includes("|")) stop++;
  const rows = lines.slice(at + 2, stop).map((line) => row(line, "td"));
  const made = h("table", {}, h("thead", {}, row(head, "th")), h("tbody", {}, ...rows));
  return [h("div", { class: "scroll" }, made), stop];
}

/** The cells of a line; `\|` is a sign in one. */
function cellsOf(text: string): string[] {
  const inside = text.trim().replace(/^\||(?<!\\)\|$/g, "");
  return inside.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll("\\|", "|"));
}

const ITEM = /^( *)([-*+]|\d{1,9}[.)])( +)(?=\S)/;

/** A list; what is moved in belongs to the item above it, also another list. */
function list(lines: Line[], from: number): Block | undefined {
  const first = ITEM.exec(lines[from]?.text ?? "");
  if (!first) return undefined;
  const [, indent = "", sign = ""] = first;
  const isNumbered = /\d/.test(sign);
  const made = isNumbered
    ? h("ol", { start: parseInt(sign), dir: "auto" })
    : h("ul", { dir: "auto" });
  let at = from;
  for (;;) {
    const item = ITEM.exec(lines[at]?.text ?? "");
    if (!item || /\d/.test(item[2] ?? "") !== isNumbered) break;
    const width = item[0].length;
    const stop = endOf(lines, at, indent.length);
    const inside = lines.slice(at, stop).map(({ text, isNew }, line) => {
      const spaces = text.length - text.trimStart().length;
      return { text: text.slice(line ? Math.min(spaces, width) : width), isNew };
    });
    const element = h("li", { dir: "auto" }, ...blocks(inside));
    const [only, ...more] = element.querySelectorAll(":scope > p");
    if (!more.length) only?.replaceWith(...only.childNodes);
    made.append(element);
    at = stop;
  }
  return [made, at];
}

/** Where an item ends: at a line that is moved in no more, and follows an empty one or begins anew. */
function endOf(lines: Line[], from: number, indent: number): number {
  let at = from + 1;
  for (; at < lines.length; at++) {
    const { text = "" } = lines[at] ?? {};
    const next = lines.slice(at, at + 2).find((line) => line.text.trim())?.text ?? "";
    const isInside = next.length - next.trimStart().length > indent + 1;
    if (isInside) continue;
    if (text.trim() && lines[at - 1]?.text.trim() && !begins(text)) continue;
    if (!text.trim() && ITEM.test(next)) continue;
    break;
  }
  return at;
}

/** Whether a line ends a paragraph above it. */
function begins(text: string): boolean {
  return !text.trim() || [FENCE, HEADING, RULE, QUOTE, ITEM].some((block) => block.test(text));
}

function paragraph(lines: Line[], at: number): Block {
  let stop = at + 1;
  while (stop < lines.length && !begins(lines[stop]?.text ?? "") && !table(lines, stop)) stop++;
  const made = h("p", { dir: "auto" });
  // Lines that are new and such as are not are read apart, so that a mark holds what is new.
  for (let from = at; from < stop;) {
    const line = lines[from] ?? { text: "", isNew: false };
    let end = from + 1;
    while (end < stop && lines[end]?.isNew === line.isNew) end++;
    const text = lines.slice(from, end).map((each) => each.text.trim());
    made.append(from > at ? " " : "", ...marked(line, spans(text.join(" "))));
    from = end;
  }
  return [made, stop];
}

function marked({ isNew }: Line, content: Inline): Inline {
  return isNew ? [h("mark", {}, ...content)] : content;
}

/** Longer texts are left as they are: what is searched for in them would take too long. */
const LONGEST = 20_000;
const SPAN = new RegExp(
  [
    /\\(?<sign>[!-/:-@[-`{-~])/,
    /(?<ticks>`+)(?<code>.+?)(?<!`)\k<ticks>(?!`)/,
    /!?\[(?<name>(?:\\.|[^[\]\\])*)\]\((?<url>[^\s()<>]+(?:\([^\s()]*\)[^\s()<>]*)*)(?:\s+"[^"]*")?\)/,
    /<(?<address>(?:https?:\/\/|mailto:)[^\s<>]+)>/,
    /(?<bare>https?:\/\/[^\s<>]*[^\s<>.,;:!?'")\]}*_])/,
    /(?<bold>\*\*|(?<![\p{L}\p{N}])__)(?=\S)(?<strong>.+?)(?<=\S)\k<bold>(?!\*)/u,
    /(?<slant>\*|(?<![\p{L}\p{N}])_)(?=[^\s*_])(?<weak>.+?)(?<=\S)\k<slant>(?!\k<slant>)/u,
  ]
    .map(({ source }) => source)
    .join("|"),
  "gu",
);

/** Emphasis, code and links of a line. */
function spans(text: string): Inline {
  if (text.length > LONGEST) return [text];
  const made: Inline = [];
  let done = 0;
  for (const match of text.matchAll(SPAN)) {
    const { sign, code, name, url, address, bare, strong, weak } = match.groups ?? {};
    made.push(text.slice(done, match.index));
    done = match.index + match[0].length;
    const target = url ?? address ?? bare;
    if (sign) made.push(sign);
    else if (code) made.push(h("code", {}, code.trim() || code));
    else if (strong) made.push(h("strong", {}, ...spans(strong)));
    else if (weak) made.push(h("em", {}, ...spans(weak)));
    else if (target) made.push(...link(target, name ? spans(name) : [target], match[0]));
  }
  return [...made, text.slice(done)].filter((each) => each !== "");
}

function link(target: string, content: Inline, source: string): Inline {
  if (!/^(https?:\/\/[^/]|mailto:)/i.test(target)) return [source];
  return [h("a", { href: target, target: "_blank", rel: "noopener" }, ...content)];
}
