/** A drawing with its caption, its table behind a toggle, and downloads. */

import { button, color, h, save, type Child } from "./dom";
import type { Value } from "./data";
import type { Format } from "./numbers";
import { csv, table, type Cell, type Head } from "./table";

export interface Drawing {
  title: string;
  caption: string;
  file: string;
  draw: (width: number) => SVGElement | HTMLElement;
  columns: [title: string, format: Format][];
  rows: () => Value[][];
  controls?: (redraw: () => void) => Child[];
}

export interface Figure {
  element: HTMLElement;
  repaint: () => void;
}

export function figure(drawing: Drawing): Figure {
  const holder = h("div.plot");
  const numbers = h("div", { hidden: true });
  let width = 0;
  const repaint = () => {
    if (!width) return;
    const made = drawing.draw(width);
    // Plot names the groups of its marks, which say less than the title to those who listen.
    made.querySelectorAll("g[aria-label]").forEach((group) => group.removeAttribute("aria-label"));
    made.setAttribute("role", "img");
    made.setAttribute("aria-label", drawing.title);
    holder.replaceChildren(made);
    if (!numbers.hidden) numbers.replaceChildren(rowsTable(drawing));
  };
  new ResizeObserver(() => {
    const now = Math.floor(holder.clientWidth);
    if (now && now !== width) {
      width = now;
      repaint();
    }
  }).observe(holder);
  const toggle = button(
    "Table",
    () => {
      numbers.hidden = !numbers.hidden;
      holder.hidden = !numbers.hidden;
      toggle.setAttribute("aria-pressed", String(!numbers.hidden));
      repaint();
    },
    { "aria-pressed": "false" },
  );
  const titles = drawing.columns.map(([title]) => title);
  const svg = () => holder.querySelector("svg");
  const downloads = h(
    "div.downloads",
    toggle,
    button("SVG", () => saveSvg(svg(), `${drawing.file}.svg`)),
    button("PNG", () => void savePng(svg(), `${drawing.file}.png`)),
    button("CSV", () => save(`${drawing.file}.csv`, csv(titles, drawing.rows()), "text/csv")),
  );
  const controls = drawing.controls?.(repaint) ?? [];
  const element = h(
    "figure",
    { id: `chart-${drawing.file}` },
    h("h3", drawing.title),
    h("figcaption", drawing.caption),
    controls.length ? h("div.tools", ...controls) : null,
    holder,
    numbers,
    downloads,
  );
  return { element, repaint };
}

function rowsTable(drawing: Drawing): HTMLElement {
  const heads = drawing.columns.map(([title, format]): Head => ({
    title,
    format,
    label: format === "text",
  }));
  const rows = drawing.rows().map((row) => row.map((value): Cell => ({ value })));
  return table(drawing.title, heads, rows);
}

/** A drawing as a file that stands alone, on the colour of the page. */
function asText(svg: SVGSVGElement): string {
  const copy = svg.cloneNode(true) as SVGSVGElement;
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.setAttribute("font-family", getComputedStyle(svg).fontFamily);
  copy.setAttribute("color", color("ink"));
  const { width, height } = svg.viewBox.baseVal;
  const ground = document.createElementNS("http://www.w3.org/2000/svg", "rect");
  ground.setAttribute("width", String(width));
  ground.setAttribute("height", String(height));
  ground.setAttribute("fill", color("leaf"));
  copy.prepend(ground);
  return new XMLSerializer().serializeToString(copy);
}

function saveSvg(svg: SVGSVGElement | null, name: string): void {
  if (svg) save(name, asText(svg), "image/svg+xml");
}

async function savePng(svg: SVGSVGElement | null, name: string): Promise<void> {
  if (!svg) return;
  const url = URL.createObjectURL(new Blob([asText(svg)], { type: "image/svg+xml;charset=utf-8" }));
  const image = new Image();
  image.src = url;
  await image.decode();
  const canvas = document.createElement("canvas");
  const { width, height } = svg.viewBox.baseVal;
  canvas.width = width * 2;
  canvas.height = height * 2;
  canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
  URL.revokeObjectURL(url);
  canvas.toBlob((blob) => blob && save(name, blob));
}
