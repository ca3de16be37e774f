/** Elements without markup: whatever comes from the input becomes text and nothing else. */

export type Child = Node | string | null | undefined | false;
type Attributes = Record<
  string,
  string | number | boolean | null | undefined | ((event: any) => void)
>;

export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") element.addEventListener(name, value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children.filter((child): child is Node | string => !!child || child === ""));
  return element;
}

/** A name or text of the input, kept apart from the direction of what is around it. */
export function given(text: string): HTMLElement {
  return h("bdi", {}, text);
}

/** A score as people read it: three digits, no leading zero, a dash where undefined. */
export function shown(value: number | null | undefined, key = ""): string {
  if (value === null || value === undefined) return "–";
  if (COUNTS.has(key) || (Number.isInteger(value) && Math.abs(value) > 1))
    return value.toLocaleString("en");
  const digits = rounded(Math.abs(value)).toFixed(3);
  return (value < 0 && Number(digits) ? "−" : "") + digits.replace(/^0/, "");
}

/** Halves go to the even digit, as in Python; only sixteenths can be exactly half of a thousandth. */
function rounded(value: number): number {
  const isHalf = Number.isInteger(value * 16) && !Number.isInteger(value * 1000);
  return isHalf ? (2 * Math.round((value * 1000) / 2)) / 1000 : value;
}

const COUNTS = new Set(["tp", "fp", "fn", "times", "count", "units", "words", "size", "types"]);

export function number(count: number, noun: string): string {
  return `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;
}

export function select(
  label: string,
  options: [value: string, text: string][],
  changed: (value: string) => void,
  value?: string,
): HTMLLabelElement {
  const box = h("select", { change: () => changed(box.value) });
  for (const [each, text] of options) box.append(h("option", { value: each }, text));
  if (value !== undefined) box.value = value;
  return h("label", { class: "control" }, h("span", {}, label), box);
}

export function button(
  text: string,
  pressed: (event: MouseEvent) => void,
  attributes: Attributes = {},
): HTMLButtonElement {
  return h("button", { type: "button", click: pressed, ...attributes }, text);
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
    const area = h("textarea", {});
    area.value = text;
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
  }
}
