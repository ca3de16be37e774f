/** Lists and tables that change while people use them: only what differs is replaced. */

/** These stay, with what is open or scrolled in them, and their children are compared. */
const FRAMES = new Set(["DIV", "DETAILS", "DL", "TABLE", "THEAD", "TBODY", "TR"]);
/** What an element was when it was drawn; since then it may have been opened or pointed at. */
const drawn = new WeakMap<Element, Node>();

/**
 * Give an element these children. Those that are there and equal stay, found by their id or place,
 * with their listeners: these look up by its id what they are about.
 */
export function update(parent: Element, wanted: Element[]): void {
  const focused = document.activeElement;
  const before = new Map([...parent.children].map((child, at) => [child.id || at, child]));
  const children = new Set(wanted.map((next, at) => merged(before.get(next.id || at), next)));
  for (const child of [...parent.childNodes])
    if (!(child instanceof Element && children.has(child))) child.remove();
  [...children].forEach((child, at) => {
    const there = parent.children[at];
    if (there !== child) parent.insertBefore(child, there ?? null);
  });
  if (focused instanceof HTMLElement && focused !== document.activeElement)
    (focused.isConnected ? focused : document.getElementById(focused.id))?.focus({
      preventScroll: true,
    });
}

/** The old element, if it is equal or becomes so; otherwise the next. */
function merged(old: Element | undefined, next: Element): Element {
  if (old && drawn.get(old)?.isEqualNode(next)) return old;
  const isFrame = FRAMES.has(next.tagName) && next.childElementCount === next.childNodes.length;
  const stays = isFrame && old?.tagName === next.tagName ? old : next;
  drawn.set(stays, next.cloneNode(true));
  stays.className = next.className;
  if (isFrame) update(stays, [...next.children]);
  return stays;
}
