/** The studio: who is there, what is open, and whether everything is saved. */

import { button, given, h } from "../dom";
import { startHints } from "../hint";
import { grouped, number } from "../numbers";
import { ApiError, ask, sentenceOf } from "./api";
import { confirmed } from "./dialogs";
import { Documents } from "./documents";
import { GuidelinesView } from "./guidelines";
import { forgetAll, recall, remember } from "./kept";
import { listen } from "./live";
import { AgreementView } from "./manage/agreement";
import { Managing } from "./manage/list";
import { People } from "./manage/people";
import { fresh, Outbox } from "./outbox";
import { Editor } from "./text/editor";
import { paced, type Studio, type View } from "./view";
import type { DocumentData, Me, Past, Role } from "./wire";

/** Who works in this browser. */
const WHO = "who";
const TABS: [path: string, text: string, roles: Role[]][] = [
  ["/", "Documents", ["manager", "adjudicator", "annotator"]],
  ["/guidelines", "Guidelines", ["manager", "adjudicator", "annotator"]],
  ["/agreement", "Agreement", ["manager", "adjudicator"]],
  ["/people", "People", ["manager"]],
];

/** Light, dark, or as the system has it, and which of them is next. */
const THEMES: Record<string, string> = { auto: "light", light: "dark", dark: "auto" };

class App implements Studio {
  readonly outbox: Outbox;
  readonly owner: string;
  private readonly main = h("main", { id: "main" });
  private readonly name = h("bdi.project");
  private readonly saving = h("p.saving");
  private readonly notice = h("div.notice", { role: "status" });
  private readonly nav = h("nav", { "aria-label": "Studio" });
  private view?: View;
  private opening = 0;
  private refused = 0;
  private trouble = "";
  private readonly knowSoon = paced(() => this.know(), 2000);

  constructor(readonly me: Me) {
    const { person, project } = me;
    const owner = `${project.id ?? project.name}/${person.id}/${person.name}`;
    this.owner = owner;
    // A cookie has room for one.
    remember("", WHO, owner);
    this.outbox = new Outbox(
      owner,
      () => (recall("", WHO) ?? owner) === owner,
      () => this.tellSaving(),
      (reason) => {
        this.tell(`${number(++this.refused, "change")} of yours refused. ${sentenceOf(reason)}`);
        this.view?.again?.();
      },
    );
    document.body.append(this.header(), this.main);
    this.tellSaving();
    this.tellProject();
  }

  async start(): Promise<void> {
    await this.outbox.adopt();
    listen({
      opened: () => this.outbox.hurry(),
      events: (events) => {
        this.outbox.heard(events);
        this.tellSaving();
        this.view?.events?.(events);
        if (events.some(({ document }) => !document)) this.knowSoon();
      },
      progress: (documents) => {
        this.view?.progress?.(documents);
        this.knowSoon();
      },
      again: () => void this.again(),
    });
    addEventListener("hashchange", () => void this.open());
    addEventListener("storage", () => this.outbox.hurry());
    await this.open();
  }

  readonly go = (path: string): void => {
    location.hash = path;
  };

  private async again(): Promise<void> {
    this.outbox.missed();
    await this.know();
    this.view?.again?.();
  }

  /** What the project is called, how it is set, and which role this person has by now. */
  private async know(): Promise<void> {
    const me = await ask<Me>("/api/me").catch(() => this.me);
    if (me.person.role !== this.me.person.role) location.reload();
    Object.assign(this.me, me);
    this.tellProject();
    this.view?.known?.();
  }

  private tellProject(): void {
    const { name } = this.me.project;
    this.name.textContent = name;
    document.title = `${this.view ? `${this.view.title} – ` : ""}${name} – caesura studio`;
  }

  private header(): HTMLElement {
    const { person } = this.me;
    const tabs = TABS.filter(([, , roles]) => roles.includes(person.role));
    this.nav.append(...tabs.map(([path, text]) => h("a", { href: `#${path}` }, text)));
    return h(
      "header",
      h(
        "div.rail.top",
        h("a.brand", { href: "#/" }, "caesura studio", h("span", " ‖")),
        this.name,
        this.nav,
        this.saving,
        h(
          "span.who",
          given(person.name),
          !["annotator", person.name].includes(person.role) && ` (${person.role})`,
        ),
        button("Sign out", () => void this.leave(), { class: "theme" }),
        themeToggle(),
        this.notice,
      ),
    );
  }

  /** End the session, and remove what this browser keeps. */
  private async leave(): Promise<void> {
    const isSent = await this.outbox.settled();
    const text = isSent
      ? "Everything is saved. What this browser keeps of your work is removed; your link opens the studio again."
      : `${grouped(this.outbox.waiting)} changes are not sent yet, and would be lost: this browser forgets them.`;
    if (!(await confirmed("Sign out?", text, isSent ? "Sign out" : "Sign out and lose them")))
      return;
    await ask("/api/leave", "POST").catch(() => undefined);
    forgetAll();
    location.replace(location.pathname);
  }

  private async open(): Promise<void> {
    const own = ++this.opening;
    const path = location.hash.slice(1) || "/";
    const view = await this.viewOf(path).catch(failure);
    if (own !== this.opening) return;
    this.view = view;
    this.tellProject();
    document.body.classList.toggle("editing", view instanceof Editor);
    for (const link of this.nav.querySelectorAll("a"))
      link.ariaCurrent = link.hash === `#${path}` ? "page" : null;
    this.main.replaceChildren(view.element);
    view.opened?.();
  }

  private async viewOf(path: string): Promise<View> {
    const [, name, number] = path.split("/");
    if (name === "document" || name === "adjudicate") return this.editor(Number(number));
    if (name === "guidelines") return new GuidelinesView(this);
    if (this.me.person.role === "annotator") return new Documents(this);
    if (name === "agreement") return new AgreementView();
    if (name === "people") return new People(this.me.person);
    return new Managing(this);
  }

  private async editor(number: number): Promise<View> {
    const path = `/api/documents/${number}`;
    const [data, past] = await fresh(this.outbox, () =>
      Promise.all([ask<DocumentData>(path), ask<Past>(`${path}/past`).catch(() => undefined)]),
    );
    return new Editor(this, data, past);
  }

  /** In the head always how much is sent; below it, and read out, only what somebody must know. */
  private tellSaving(): void {
    const { state, waiting } = this.outbox;
    const count = grouped(waiting);
    const texts = {
      saved: "saved",
      saving: `saving ${count}`,
      offline: `offline, ${count} waiting`,
      troubled: `not saved, ${count} waiting`,
      ended: `not saved, ${count} waiting`,
    };
    this.saving.dataset.state = state;
    this.saving.textContent = texts[state];
    if (state !== "saving") this.tellTrouble();
  }

  /** Say once that nothing is sent, and once that it is again. */
  private tellTrouble(): void {
    const { state, waiting, kept, problem } = this.outbox;
    const why = state === "offline" ? "Offline." : sentenceOf(problem);
    const keeps = kept.isAble
      ? "Your changes are kept in this browser until they are sent."
      : "Keep this tab open: the browser cannot keep your changes.";
    const isFine = state === "saved" || (state !== "ended" && !waiting);
    const trouble = isFine ? "" : `${why} ${waiting ? keeps : ""}`;
    if (trouble === this.trouble) return;
    const isShown = this.notice.firstElementChild?.textContent === this.trouble;
    this.trouble = trouble;
    // What was refused meanwhile is still to be read.
    if (trouble || isShown) this.tell(trouble || "Everything is saved again.", !trouble);
  }

  private tell(text: string, isQuiet = false): void {
    const close = button("Close", () => this.notice.replaceChildren());
    this.notice.classList.toggle("hush", isQuiet);
    this.notice.replaceChildren(h("p", text), close);
  }
}

function themeToggle(): HTMLElement {
  const { dataset } = document.documentElement;
  const toggle = button("", () => show(THEMES[dataset.theme ?? ""]), { class: "theme toggle" });
  const show = (theme = "auto") => {
    dataset.theme = theme;
    toggle.textContent = `theme: ${theme}`;
    remember("", "theme", theme);
  };
  show(recall("", "theme") ?? "auto");
  return toggle;
}

function failure(problem: unknown): View {
  const element = h(
    "section.plain",
    h("h1", "This cannot be shown"),
    h("p", sentenceOf(problem)),
    h("p", h("a", { href: "#/" }, "All documents")),
  );
  return { title: "Error", element };
}

/** The token of the address; it is used once, and removed from it. */
function takeToken(): string {
  const token = location.hash.slice(1);
  if (!token || token.startsWith("/")) return "";
  history.replaceState(null, "", location.pathname);
  return token;
}

/** What is shown to whom the studio does not know. */
function gate(problem: unknown, token: string): void {
  const isUnknown = problem instanceof ApiError && problem.status === 401;
  const unknown = token ? "This link does not work" : "Open the studio with your link";
  document.body.append(
    h(
      "main.gate",
      h("p.brand", "caesura studio", h("span", { "aria-hidden": true }, " ‖")),
      h("h1", isUnknown ? unknown : "The studio cannot be opened"),
      !isUnknown && h("p", sentenceOf(problem)),
      isUnknown &&
        h(
          "p.note",
          "Links are personal, and end when a new one is made. Ask whoever invited you for a new ",
          "link; what you have done is saved.",
        ),
      button("Try again", () => location.reload()),
    ),
  );
}

/** Who opens the studio; a link that was used before is no hindrance to who is signed in. */
async function entered(token: string): Promise<Me> {
  try {
    if (token) return await ask<Me>("/api/enter", "POST", { token });
  } catch (problem) {
    if (!(problem instanceof ApiError && problem.status === 401)) throw problem;
  }
  return ask<Me>("/api/me");
}

startHints();
const token = takeToken();
entered(token)
  .then((me) => new App(me).start())
  .catch((problem: unknown) => gate(problem, token));
