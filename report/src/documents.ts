/** The documents: one score of all systems in each, to sort, to search, to open. */

import { button, given, h, number, select } from "./dom";
import { type Cell, type Head, markBest, table } from "./table";
import { type Data, scoresOf } from "./data";

const MOST = 100;

export function documentsView(data: Data, open?: (name: string) => void): HTMLElement | undefined {
  const { summary } = data;
  const systems = summary.systems ?? [];
  if (summary.documents.length < 2 || !(systems[0]?.by_document || summary.agreement))
    return undefined;
  const columns = systems.length
    ? data.sections.flatMap(({ title, columns: own }) =>
        own.map((column) => ({
          ...column,
          long: summary.task === "text" ? `${title}: ${column.title}` : column.title,
        })),
      )
    : [];
  let key = columns[0]?.key ?? "";
  let all = summary.documents.length <= MOST;
  const box = h("input", { type: "search", placeholder: "part of a name" });
  const holder = h("div");
  const fill = () => {
    const phrase = box.value.toLowerCase();
    const names = summary.documents.filter((name) => name.toLowerCase().includes(phrase));
    const better = columns.find((column) => column.key === key)?.better ?? null;
    const coefficients =
      summary.agreement && summary.references.length > 1
        ? data.columns.agreement.slice(0, systems.length ? 2 : undefined)
        : [];
    const heads: Head[] = [
      { title: "document", label: true },
      ...systems.map(({ name }): Head => ({ title: name, better, scale: 1 })),
      ...coefficients.map(({ title }): Head => ({ title })),
    ];
    const rows = (all ? names : names.slice(0, MOST)).map((name): Cell[] => {
      const own: Cell[] = systems.map((system) => ({
        value: scoresOf(system, `=${name}`)[key] ?? null,
      }));
      if (own.length) best(own, better);
      const agreement = coefficients.map(({ key: each }): Cell => ({
        value: summary.agreement.by_document[name]?.[each] ?? null,
      }));
      const node = open
        ? h("a", { href: "#reading", click: () => open(name) }, given(name))
        : given(name);
      return [{ value: name, node }, ...own, ...agreement];
    });
    const title = columns.find((column) => column.key === key)?.long ?? "Agreement";
    holder.replaceChildren(
      table(`${title}, ${number(names.length, "document")}`, heads, rows, "documents"),
    );
    if (!all && names.length > MOST) {
      holder.append(
        button(`Show all ${names.length.toLocaleString("en")}`, () => {
          all = true;
          fill();
        }),
      );
    }
  };
  box.addEventListener("input", fill);
  const options = columns.map(({ key: each, long }): [string, string] => [each, long]);
  const tools = h("div", { class: "tools" });
  if (options.length)
    tools.append(
      select("Score", options, (value) => {
        key = value;
        fill();
      }),
    );
  tools.append(h("label", { class: "control" }, h("span", {}, "Search"), box));
  fill();
  return h(
    "section",
    { id: "documents", "aria-labelledby": "documents-title" },
    h("h2", { id: "documents-title" }, "Documents"),
    tools,
    holder,
  );
}

/** The best system of a document. */
function best(cells: Cell[], better: Head["better"]): void {
  const turned = cells.map((cell) => [cell]);
  markBest([{ title: "", better }], turned);
}
