/** The report: its sections, one below the other, and the view of documents that the data has. */
import { button, h } from "./dom";
import { load } from "./data";
import { startHints } from "./hint";
import { lead, summaryView, warnings } from "./summary";
import { chartsView } from "./charts/view";
import { correctionsView } from "./views/edits";
import { documentsView, type Opening } from "./documents";
import { ClockView } from "./views/clock/view";
import { ReadingView } from "./views/transcript/view";
import { SentencesView } from "./views/segments/view";
import { termsView } from "./views/clusters";
import { textView } from "./views/patterns";
import { treesView } from "./views/trees/view";
import type { PageData } from "./types";

const THEMES = ["auto", "light", "dark"] as const;

function start(): void {
  const data = load();
  startHints();
  const main = h("main");
  const nav = h("nav", { "aria-label": "Sections" });
  const repaints: (() => void)[] = [];
  document.body.append(
    header(data.question, lead(data), nav, () => repaints.forEach((repaint) => repaint())),
    main,
    footer(data.summary.caesura),
  );
  const add = (title: string, section: HTMLElement) => {
    main.append(section);
    if (title) nav.append(h("a", { href: `#${section.id}` }, title));
  };
  main.append(...warnings(data));
  add("Summary", summaryView(data));
  let open: Opening | undefined;
  const kinds = new Set(data.readings.map(({ kind }) => kind));
  if (kinds.has("transcript")) {
    const view = new ReadingView(data);
    add("Reading", view.element);
    view.open();
    open = openingOf(view);
    repaints.push(() => view.repaint());
  } else if (kinds.has("clock")) {
    const view = new ClockView(data);
    add("Timeline", view.element);
    view.open();
    open = openingOf(view);
    repaints.push(() => view.repaint());
  } else if (kinds.has("sentences")) {
    const view = new SentencesView(data);
    add(view.title, view.element);
    open = openingOf(view);
  } else if (kinds.has("text")) add("Errors", textView(data));
  else if (kinds.has("corrections")) add("Wrong edits", correctionsView(data));
  else if (kinds.has("trees")) add("Trees", treesView(data));
  else if (kinds.has("terms")) for (const [title, section] of termsView(data)) add(title, section);
  else add("", how(data));
  const documents = documentsView(data, open);
  if (documents) add("Documents", documents);
  const charts = chartsView(data);
  if (charts) {
    add("Charts", charts.element);
    repaints.push(charts.repaint);
  }
}

/** How documents are opened in a view. */
function openingOf(view: ReadingView | ClockView | SentencesView): Opening {
  const { element, documents } = view;
  return { id: element.id, names: new Set(documents), open: (name) => view.open(name) };
}

/** What to do to see what is behind the scores. */
function how({ behind, command }: PageData): HTMLElement {
  if (!behind) {
    return h(
      "section.how",
      h("p.note", "Boundaries cannot be shown with --streams, where there is no common axis."),
    );
  }
  return h(
    "section.how",
    h(
      "p.note",
      `To see ${behind} here, save the rows with the text, `,
      h("code", `${command} … --rows rows.jsonl --with-text`),
      ", or write the report directly with ",
      h("code", "--html FILE"),
      ".",
    ),
  );
}

function header(
  question: string,
  told: string,
  nav: HTMLElement,
  repaint: () => void,
): HTMLElement {
  let theme = 0;
  const toggle = button(
    "theme: auto",
    () => {
      theme = (theme + 1) % THEMES.length;
      const name = THEMES[theme] ?? "auto";
      document.documentElement.dataset.theme = name;
      toggle.textContent = `theme: ${name}`;
      repaint();
    },
    { class: "theme" },
  );
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", repaint);
  return h(
    "header",
    h(
      "div.mast",
      h("p.brand", "caesura", h("span", { "aria-hidden": true }, " ‖")),
      h("h1", question),
      h("p.lead", told),
    ),
    h("div.rail", nav, toggle),
  );
}

function footer(version: string): HTMLElement {
  return h(
    "footer",
    `Written by caesura ${version}. This page is a single file and sends nothing anywhere.`,
  );
}

start();
