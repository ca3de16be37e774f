/** The box in which two trees scroll: what is pointed at, keys, and labels that stay in sight. */

import { h } from "../../dom";

const EDGE = 8;

/** Show over which words a bracket lies when it is pointed at; keys lead to those that differ. */
export function follow(canvas: HTMLElement, sheet: HTMLElement): void {
  const sight = h("i.sight", { "aria-hidden": true, hidden: true });
  sheet.append(sight);
  const wrong = [...canvas.querySelectorAll<SVGGElement>(".name.wrong")];
  wrong[0]?.setAttribute("tabindex", "0");
  const show = ({ target }: Event) => {
    const name = target instanceof Element ? target.closest<SVGGElement>(".name") : null;
    sight.hidden = !name;
    const svg = name?.ownerSVGElement;
    if (!svg) return;
    const from = svg.getBoundingClientRect().left - sheet.getBoundingClientRect().left;
    sight.style.left = `${from + dataOf(name, "left")}px`;
    sight.style.width = `${dataOf(name, "right") - dataOf(name, "left")}px`;
  };
  for (const each of ["pointerover", "focusin"]) canvas.addEventListener(each, show);
  for (const each of ["pointerleave", "focusout"])
    canvas.addEventListener(each, () => (sight.hidden = true));
  canvas.addEventListener("keydown", (event) => {
    const at = wrong.findIndex((each) => each === document.activeElement);
    const step = stepOf(event, at >= 0);
    if (!step || !wrong.length) return;
    const next = wrong[at < 0 ? 0 : (at + step + wrong.length) % wrong.length];
    for (const each of wrong) each.setAttribute("tabindex", each === next ? "0" : "-1");
    reveal(canvas, ".name:focus", next);
    next?.focus();
    event.preventDefault();
  });
}

function dataOf({ dataset }: SVGElement, name: string): number {
  return Number(dataset[name]);
}

/** Letters anywhere in a box, arrows on a bracket: to the next that differs, or back. */
function stepOf({ key, ctrlKey, metaKey, altKey }: KeyboardEvent, isOnBracket: boolean): number {
  if (ctrlKey || metaKey || altKey) return 0;
  if (key === "n" || (isOnBracket && key === "ArrowRight")) return 1;
  return key === "p" || (isOnBracket && key === "ArrowLeft") ? -1 : 0;
}

/** Scroll sideways to the words of a bracket, if they begin out of sight. */
export function reveal(
  holder: HTMLElement,
  selector: string,
  name = holder.querySelector<SVGGElement>(selector),
): void {
  const canvas = name?.closest<HTMLElement>(".canvas");
  const svg = name?.ownerSVGElement;
  if (!canvas || !svg) return;
  const from = svg.getBoundingClientRect().left - canvas.getBoundingClientRect().left;
  const [left, right] = [from + dataOf(name, "left"), from + dataOf(name, "right")];
  const room = canvas.clientWidth;
  if (left >= 0 && right <= room) return;
  const isWide = right - left > room;
  canvas.scrollLeft += isWide && canvas.dir === "rtl" ? right - room + EDGE : left - EDGE;
}

/** Keep labels in sight while any of their line is. */
export function watch(canvas: HTMLElement): void {
  const slide = () => {
    const box = canvas.getBoundingClientRect();
    for (const svg of canvas.querySelectorAll("svg")) {
      const start = box.left - svg.getBoundingClientRect().left;
      for (const name of svg.querySelectorAll<SVGGElement>(".name"))
        move(name, start, start + box.width);
    }
  };
  canvas.addEventListener("scroll", slide, { passive: true });
  new ResizeObserver(slide).observe(canvas);
}

function move(name: SVGGElement, left: number, right: number): void {
  const [x, low, high] = [dataOf(name, "x"), dataOf(name, "low"), dataOf(name, "high")];
  const room = Number(name.firstElementChild?.getAttribute("width")) / 2 + EDGE;
  const seen = Math.max(left + room, Math.min(right - room, x));
  const moved = Math.max(low, Math.min(high, seen)) - x;
  if (moved) name.setAttribute("transform", `translate(${moved} 0)`);
  else name.removeAttribute("transform");
}
