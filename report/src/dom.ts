/** Elements without markup: whatever comes from the input becomes text and nothing else. */

import { grouped } from "./numbers";

export type Child = Node | string | null | undefined | false;
type Listener = (event: Event) => void;
type Attributes = Record<string, string | number | boolean | null | undefined | Listener>;
type Tags = HTMLElementTagNameMap;
type Tag = keyof Tags | `${keyof Tags}.${string}`;
type Made<T> = T extends keyof Tags ? Tags[T] : T extends `${infer K}.${string}` ? Made<K> : never;

/** `h("p.note.late", { id: "why" }, "It is late.")`: a tag with classes, attributes, children. */
export function h<T extends Tag>(tag: T, first?: Attributes | Child, ...others: Child[]): Made<T> {
  const isChild = typeof first !== "object" || first === null || first instanceof Node;
  const [attributes, children] = isChild ? [{}, [first, ...others]] : [first, others];
  const [name = "", ...classes] = tag.split(".");
  const element = document.createElement(name);
  if (classes.length) element.className = classes.join(" ");
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") element.addEventListener(name, value);
    else element.setAttribute(name, value === true && !isAria(name) ? "" : String(value));
  }
  element.append(...children.filter((child): child is Node | string => !!child || child === ""));
  return element as unknown as Made<T>;
}

/** Of states that are read out, only the word true is true. */
function isAria(name: string): boolean {
  return name.startsWith("aria-");
}

/** A name or text of the input, kept apart from the direction of what is around it. */
export function given(text: string): HTMLElement {
  return h("bdi", text);
}

/** An input with its name above it. */
export function field(name: Child, input: HTMLElement): HTMLLabelElement {
  return h("label.control", h("span", name), input);
}

/** The options of a choice: values and texts. */
export function options(every: [value: string, text: string][]): HTMLOptionElement[] {
  return every.map(([value, text]) => h("option", { value }, text));
}

export function select(
  label: string,
  every: [value: string, text: string][],
  changed: (value: string) => void,
  value?: string,
): HTMLLabelElement {
  const box = h("select", { change: () => changed(box.value) });
  box.append(...options(every));
  if (value !== undefined) box.value = value;
  return field(label, box);
}

/** A choice whose texts are its values. */
export function chooser(
  label: string,
  names: string[],
  changed: (value: string) => void,
  value?: string,
): HTMLLabelElement {
  const every = names.map((name): [string, string] => [name, name]);
  return select(label, every, changed, value);
}

export function button(
  text: string,
  pressed: () => void,
  attributes: Attributes = {},
): HTMLButtonElement {
  return h("button", { type: "button", click: pressed, ...attributes }, text);
}

/** A box to search with, and beside it how much was found. */
export class SearchBox {
  readonly input: HTMLInputElement;
  readonly element: HTMLElement;
  private readonly found = h("span.found-count", { role: "status" });

  constructor(placeholder: string, changed: () => void) {
    this.input = h("input", { type: "search", placeholder, input: changed });
    this.element = h("div.search", field("Search", this.input), this.found);
  }

  get phrase(): string {
    return this.input.value.trim().toLowerCase();
  }

  /** `3 of 17`; of none, that there is none; nothing while nothing is searched for. */
  tell(count: number, all: number): void {
    this.found.textContent = !this.phrase
      ? ""
      : count
        ? `${grouped(count)} of ${grouped(all)}`
        : "nothing found";
  }
}

/** A part of the page with its heading. */
export function section(id: string, title: string, ...content: Child[]): HTMLElement {
  return h(
    "section",
    { id, "aria-labelledby": `${id}-title` },
    h("h2", { id: `${id}-title` }, title),
    ...content,
  );
}

export function save(name: string, content: Blob | string, type = "text/plain"): void {
  const blob =
    typeof content === "string" ? new Blob([content], { type: `${type};charset=utf-8` }) : content;
  const link = h("a", { href: URL.createObjectURL(blob), download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

let probe: HTMLElement | undefined;

/** What a custom property is at the moment, as a colour that a drawing can carry. */
export function color(name: string): string {
  if (!probe) {
    probe = h("span", { hidden: true });
    document.body.append(probe);
  }
  probe.style.color = `var(--${name})`;
  return getComputedStyle(probe).color;
}

export async function copy(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const area = h("textarea");
    area.value = text;
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
  }
}
