/** Markdown as elements: whatever is written becomes their text; links lead to the web or to mail. */

import MarkdownIt, { type Token } from "markdown-it";
import { h } from "../dom";

/** Quotes and lists that are deeper are left out, and emphasis has no effect: both take too long. */
const DEEPEST = 40;
const parser = new MarkdownIt({ linkify: true, maxNesting: DEEPEST });
parser.linkify.set({ fuzzyLink: false, fuzzyEmail: false });
parser.validateLink = (url) => /^(https?:\/\/[^/]|mailto:)/i.test(url);
parser.normalizeLinkText = (url) => url.replace(/^mailto:/i, "");

export function markdown(text: string): HTMLElement {
  return filled(h("div"), parser.parse(text, {}));
}

/** An element with what tokens say: some open another in it, others are text or close it. */
function filled(element: HTMLElement, tokens: Token[]): HTMLElement {
  const open = [element];
  for (const token of tokens) {
    const parent = open.at(-1) ?? element;
    if (token.nesting < 0) open.pop();
    else if (token.type === "inline") filled(parent, token.children ?? []);
    else if (token.type === "softbreak") parent.append(" ");
    else if (!token.tag) parent.append(token.content);
    else if (open.length > DEEPEST && token.nesting > 0) open.push(parent);
    else {
      const made = elementOf(token);
      parent.append(token.tag === "table" ? h("div.scroll", made) : made);
      if (token.nesting > 0) open.push(made);
    }
  }
  return element;
}

function elementOf(token: Token): HTMLElement {
  const { tag, content } = token;
  const href = token.attrGet("href") ?? token.attrGet("src");
  if (href !== null) return h("a", { href, target: "_blank", rel: "noopener" }, content);
  if (tag === "code") return token.block ? h("pre", h("code", content)) : h("code", content);
  if (tag === "ol") return h("ol", { start: token.attrGet("start") });
  // The page has its own h1.
  const made = document.createElement(tag.replace(/[1-5]/, (level) => `${Number(level) + 1}`));
  if (token.attrGet("style") === "text-align:right") made.className = "figure";
  return made;
}
