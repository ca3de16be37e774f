/** One tip for all that have something to explain: it shows when they are pointed at or focused. */

import { h } from "./dom";

const EDGE = 8;
const tip = h("div.hint", { id: "hint", role: "tooltip", hidden: true });
let shownFor: HTMLElement | undefined;

/** Give an element something to explain. */
export function hinted<E extends HTMLElement>(element: E, text: string | undefined): E {
  if (text) element.dataset.hint = text;
  return element;
}

export function startHints(): void {
  document.body.append(tip);
  for (const name of ["pointerover", "focusin"]) {
    document.addEventListener(name, (event) => {
      const target = event.target instanceof Element ? event.target : null;
      const element = target?.closest<HTMLElement>("[data-hint]");
      if (element) show(element);
      else if (name === "pointerover" && shownFor !== document.activeElement) hide();
    });
  }
  document.addEventListener("focusout", hide);
  document.addEventListener("keydown", (event) => event.key === "Escape" && hide());
  const scrolled = () =>
    shownFor && shownFor === document.activeElement ? place(shownFor) : hide();
  addEventListener("scroll", scrolled, { passive: true, capture: true });
}

function show(element: HTMLElement): void {
  if (element === shownFor) return;
  hide();
  shownFor = element;
  element.setAttribute("aria-describedby", tip.id);
  tip.textContent = element.dataset.hint ?? "";
  tip.hidden = false;
  place(element);
}

/** Put the tip above its element, or below it where there is no room. */
function place(element: HTMLElement): void {
  const around = element.getBoundingClientRect();
  const own = tip.getBoundingClientRect();
  const middle = around.left + around.width / 2 - own.width / 2;
  const left = Math.max(EDGE, Math.min(innerWidth - own.width - EDGE, middle));
  const above = around.top - own.height - EDGE;
  tip.style.left = `${left}px`;
  tip.style.top = `${above < EDGE ? around.bottom + EDGE : above}px`;
}

function hide(): void {
  shownFor?.removeAttribute("aria-describedby");
  shownFor = undefined;
  tip.hidden = true;
}
