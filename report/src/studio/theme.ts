/** Light, dark, or as the system has it; kept for the next time. */

import { button } from "../dom";

const THEMES = ["auto", "light", "dark"] as const;
const KEY = "caesura-theme";

export function themeToggle(): HTMLElement {
  let at = Math.max(0, THEMES.indexOf(kept()));
  const toggle = button("", () => show(at + 1), { class: "theme toggle" });
  const show = (next: number) => {
    at = next % THEMES.length;
    const name = THEMES[at] ?? "auto";
    document.documentElement.dataset.theme = name;
    toggle.textContent = `theme: ${name}`;
    keep(name);
  };
  show(at);
  return toggle;
}

function kept(): (typeof THEMES)[number] {
  try {
    return (localStorage.getItem(KEY) ?? "auto") as (typeof THEMES)[number];
  } catch {
    return "auto";
  }
}

function keep(name: string): void {
  try {
    localStorage.setItem(KEY, name);
  } catch {
    // It is only not remembered.
  }
}
