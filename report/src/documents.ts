/** The documents: one score of all systems in each, to sort, to search, to open. */

import { button, given, h, SearchBox, section, select } from "./dom";
import { alignmentOf, documentColumns, hasDocuments, own, scoreOf, scoresOf } from "./data";
import { number } from "./numbers";
import { barredHead, type Cell, type Head, headOf, labelHead, markBestOf, table } from "./table";
import type { PageColumn, PageData } from "./types";

const MOST = 100;
const FEW = 2;

/** Where documents can be read, which of them, and how to open one there. */
export interface Opening {
  id: string;
  names: Set<string>;
  open: (name: string) => void;
}

export function documentsView(data: PageData, opening?: Opening): HTMLElement | undefined {
  const { documents, agreement } = data.summary;
  const columns = hasDocuments(data) ? columnsOf(data) : [];
  if (documents.length < 2 || !(columns.length || agreement)) return undefined;
  let chosen = columns[0];
  let all = documents.length <= MOST;
  const holder = h("div");
  const fill = () => {
    const names = documents.filter((name) => name.toLowerCase().includes(box.phrase));
    box.tell(names.length, documents.length);
    const title = `${chosen?.label ?? "Agreement"}, ${number(names.length, "document")}`;
    const shownNames = all ? names : names.slice(0, MOST);
    holder.replaceChildren(documentTable(data, title, chosen, shownNames, opening));
    if (shownNames.length < names.length) {
      const more = () => {
        all = true;
        fill();
      };
      holder.append(button(`Show all ${number(names.length, "document")}`, more));
    }
  };
  const box = new SearchBox("part of a name", fill);
  const change = (value: string) => {
    chosen = columns.find(({ key }) => key === value);
    fill();
  };
  const options = columns.map(({ key, label }): [string, string] => [key, label]);
  const tools = h("div.tools", options.length > 0 && select("Score", options, change), box.element);
  fill();
  return section("documents", "Documents", tools, holder);
}

/** The scores to choose from; where words were aligned, also how well. */
function columnsOf(data: PageData): PageColumn[] {
  const rates = (data.alignment?.columns ?? []).filter(({ format }) => format === "rate");
  return [...documentColumns(data), ...rates];
}

function documentTable(
  data: PageData,
  title: string,
  column: PageColumn | undefined,
  names: string[],
  opening?: Opening,
): HTMLElement {
  const { summary } = data;
  const { systems, agreement, references } = summary;
  const isAlignment = !!column && !!data.alignment?.columns.includes(column);
  const scored = column ? systems : [];
  const coefficients =
    agreement && references.length > 1 ? data.agreement.slice(0, column ? FEW : undefined) : [];
  const rows = names.map((name): Cell[] => {
    const cells = column
      ? scored.map((system): Cell => {
          const scope = { document: name };
          const scores = isAlignment
            ? alignmentOf(summary, system.name, scope)
            : scoresOf(system, scope);
          return { value: scoreOf(scores, column) };
        })
      : [];
    markBestOf(cells, column?.better ?? null);
    const agreed = own(agreement?.by_document, name);
    const node = opening?.names.has(name)
      ? h("a", { href: `#${opening.id}`, click: () => opening.open(name) }, given(name))
      : given(name);
    const rest = coefficients.map((each): Cell => ({ value: scoreOf(agreed, each) }));
    return [{ value: name, node }, ...cells, ...rest];
  });
  const values = rows.map((row) => row.slice(1, scored.length + 1).map(({ value }) => value));
  const heads: Head[] = [
    labelHead("document"),
    ...(column
      ? scored.map(({ name }): Head => ({ ...barredHead(column, values.flat()), title: name }))
      : []),
    ...coefficients.map(headOf),
  ];
  return table(title, heads, rows, "documents");
}
