/** Light, dark, or as the system has it; kept for the next time. */

import { button } from "../dom";
import { recall, remember } from "./kept";

const THEMES = ["auto", "light", "dark"] as const;
const KEY = "theme";

export function themeToggle(): HTMLElement {
  let at = Math.max(
    0,
    THEMES.findIndex((name) => name === recall("", KEY)),
  );
  const toggle = button("", () => show(at + 1), { class: "theme toggle" });
  const show = (next: number) => {
    at = next % THEMES.length;
    const name = THEMES[at] ?? "auto";
    document.documentElement.dataset.theme = name;
    toggle.textContent = `theme: ${name}`;
    remember("", KEY, name);
  };
  show(at);
  return toggle;
}
