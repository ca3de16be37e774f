import { button, h } from "./dom";
import { load } from "./data";
import { lead, summaryView } from "./summary";
import { ReadingView } from "./reading/view";

const THEMES = ["auto", "light", "dark"] as const;

function start(): void {
  const data = load();
  const main = h("main");
  const nav = h("nav", { "aria-label": "Sections" });
  const reading = { view: undefined as ReadingView | undefined };
  const repaints: (() => void)[] = [];
  document.body.append(header(data.summary.task, lead(data), nav, () => repaints.forEach((repaint) => repaint())), main, footer(data.summary.caesura));
  const add = (title: string, section: HTMLElement) => {
    main.append(section);
    nav.append(h("a", { href: `#${section.id}` }, title));
  };
  add("Summary", summaryView(data));
  if (data.readings.length && (data.summary.task === "transcript" || data.summary.task === "agreement")) {
    const view = new ReadingView(data);
    reading.view = view;
    add("Reading", view.element);
    view.mount();
    repaints.push(() => view.repaint());
  }
}

function header(task: string, told: string, nav: HTMLElement, repaint: () => void): HTMLElement {
  let theme = 0;
  const toggle = button("theme: auto", () => {
    theme = (theme + 1) % THEMES.length;
    document.documentElement.dataset.theme = THEMES[theme];
    toggle.textContent = `theme: ${THEMES[theme]}`;
    repaint();
  }, { class: "theme" });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", repaint);
  return h("header", {},
    h("div", { class: "mast" },
      h("p", { class: "brand" }, "caesura", h("span", { "aria-hidden": true }, " ‖")),
      h("h1", {}, TITLES[task]),
      h("p", { class: "lead" }, told)),
    h("div", { class: "rail" }, nav, toggle));
}

const TITLES: Record<string, string> = {
  transcript: "How good are these boundaries?",
  agreement: "How far do people agree?",
  text: "How good are these tokens and sentences?",
  terms: "How good are these terms?",
};

function footer(version: string): HTMLElement {
  return h("footer", {}, `Made by caesura ${version}. This page is one file, and nothing leaves it.`);
}

start();
