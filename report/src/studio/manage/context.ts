/** The words around a gap. */

import { given, h } from "../../dom";
import { directionOf } from "../../views/transcript/lines";
import { signOf } from "../wire";

interface Place {
  before: string;
  after: string;
}

/** The gap is shown with what was decided of it, if that is known. */
export function contextOf({ before, after }: Place, mark?: string | null): HTMLElement {
  const sign = mark === undefined ? "|" : mark === null ? "×" : signOf(mark);
  return h(
    "span.around",
    { dir: directionOf(`${before} ${after}`.split(" ")) },
    given(`… ${before}`),
    h("span.sign-at", ` ${sign} `),
    given(`${after} …`),
  );
}
