import { button, h } from "./dom";
import { type Data, load } from "./data";
import { lead, summaryView } from "./summary";
import { chartsView } from "./charts";
import { documentsView } from "./documents";
import { ReadingView } from "./reading/view";
import { termsView } from "./terms";
import { textView } from "./text";

const THEMES = ["auto", "light", "dark"] as const;

function start(): void {
  const data = load();
  const main = h("main");
  const nav = h("nav", { "aria-label": "Sections" });
  const repaints: (() => void)[] = [];
  document.body.append(
    header(data.summary.task, lead(data), nav, () => repaints.forEach((repaint) => repaint())),
    main,
    footer(data.summary.caesura),
  );
  const add = (title: string, section: HTMLElement) => {
    main.append(section);
    if (title) nav.append(h("a", { href: `#${section.id}` }, title));
  };
  add("Summary", summaryView(data));
  const { task } = data.summary;
  let open: ((name: string) => void) | undefined;
  if (!data.readings.length) add("", how(data));
  else if (task === "text") add("Errors", textView(data));
  else if (task === "terms")
    termsView(data).forEach((section) => add(section.querySelector("h2")!.textContent!, section));
  else {
    const view = new ReadingView(data);
    add("Reading", view.element);
    view.open();
    open = (name) => view.open(name);
    repaints.push(() => view.repaint());
  }
  const documents = documentsView(data, open);
  if (documents) add("Documents", documents);
  const charts = chartsView(data);
  if (charts) {
    add("Charts", charts.element);
    repaints.push(charts.repaint);
  }
}

/** What to do to see what is behind the scores. */
function how({ summary: { task, options } }: Data): HTMLElement {
  if (options.axis === "time" || options.streams) {
    return h(
      "section",
      { class: "how" },
      h(
        "p",
        { class: "note" },
        "The words are shown where all versions are on one axis of words: not with --axis time or --streams.",
      ),
    );
  }
  const what =
    task === "text"
      ? "the errors"
      : task === "terms"
        ? "the clusters"
        : "the words and every boundary";
  return h(
    "section",
    { class: "how" },
    h(
      "p",
      { class: "note" },
      `To see ${what} here, save the rows with the text: `,
      h("code", {}, `caesura ${task} … --rows rows.jsonl --with-text`),
      ", or make the page at once with ",
      h("code", {}, "--html FILE"),
      ".",
    ),
  );
}

function header(task: string, told: string, nav: HTMLElement, repaint: () => void): HTMLElement {
  let theme = 0;
  const toggle = button(
    "theme: auto",
    () => {
      theme = (theme + 1) % THEMES.length;
      document.documentElement.dataset.theme = THEMES[theme];
      toggle.textContent = `theme: ${THEMES[theme]}`;
      repaint();
    },
    { class: "theme" },
  );
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", repaint);
  return h(
    "header",
    {},
    h(
      "div",
      { class: "mast" },
      h("p", { class: "brand" }, "caesura", h("span", { "aria-hidden": true }, " ‖")),
      h("h1", {}, TITLES[task]),
      h("p", { class: "lead" }, told),
    ),
    h("div", { class: "rail" }, nav, toggle),
  );
}

const TITLES: Record<string, string> = {
  transcript: "How good are these boundaries?",
  agreement: "How far do people agree?",
  text: "How good are these tokens and sentences?",
  terms: "How good are these terms?",
};

function footer(version: string): HTMLElement {
  return h(
    "footer",
    {},
    `Made by caesura ${version}. This page is one file, and nothing leaves it.`,
  );
}

start();
