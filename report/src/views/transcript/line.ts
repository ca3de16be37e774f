/** One line: words, gaps with what people and systems do there, and the systems' staves. */

import { given, h } from "../../dom";
import { heardSentence, sentence } from "./card";
import type { Look } from "./look";
import { KINDS, NONE } from "./model";

export function drawLine(look: Look, start: number, stop: number): HTMLElement {
  const { model, lanes } = look;
  const place = h("span.place", speaker(model.turns.get(start)) || `${start + 1}`);
  const margin = h("span.margin", { "aria-hidden": true }, place);
  for (const lane of lanes) {
    const ordinal = h("b", `${model.lanes.indexOf(lane) + 1}`);
    margin.append(h("span.part", ordinal, " ", given(lane.name)));
  }
  const words = h("span.words");
  fill(words, look, start, stop);
  return h("div.line", margin, words, h("span.staves", { "aria-hidden": true }));
}

/** Runs of words, and a gap wherever there is anything to see; windows are bands around both. */
function fill(holder: HTMLElement, look: Look, start: number, stop: number): void {
  const { model, isHit } = look;
  const isMarked = (at: number) => look.heardAt(at).length > 0;
  const windowAt = (at: number) => model.windowOf[at] ?? 0;
  const band = () => h("span.band");
  let into: HTMLElement = holder;
  let run = "";
  const flush = (wasFound: boolean) => {
    if (run) into.append(h("bdi", wasFound ? { class: "hit" } : {}, run));
    run = "";
  };
  if (windowAt(start - 1) && windowAt(start - 1) === windowAt(start))
    holder.append((into = band()));
  for (let at = start; at < stop; at++) {
    if (isMarked(at)) {
      flush(false);
      into.append(drawWord(look, at));
    } else run += model.words[at];
    const opens = windowAt(at) > 0 && windowAt(at) !== windowAt(at - 1);
    if (!look.isGap(at) && !opens && !isHit[at] && !isHit[at + 1]) {
      run += model.words[at] ? " " : "";
      continue;
    }
    flush(isHit[at] === 1);
    if (opens) holder.append((into = band()));
    if (look.isGap(at)) into.append(drawGap(look, at));
    if (windowAt(at) > 0 && windowAt(at + 1) !== windowAt(at)) into = holder;
    into.append(" ");
  }
  flush(false);
}

/** A word that somebody heard differently: the more did, the clearer its underline. */
function drawWord(look: Look, at: number): HTMLElement {
  const heard = look.heardAt(at);
  const element = h(
    "button.word",
    {
      type: "button",
      "data-word": at,
      tabindex: at === look.word ? 0 : -1,
      "aria-label": heardSentence(look, at),
    },
    given(look.model.words[at] ?? ""),
  );
  const isExtra = ([, { before, after }]: (typeof heard)[number]) => before.length + after.length;
  const errors = heard.filter(([, { words }]) => words);
  element.style.setProperty("--share", String(errors.length / look.hearers.length));
  element.classList.toggle("misheard", errors.length > 0);
  element.classList.toggle(
    "lacking",
    errors.some(([, { words }]) => !words?.length),
  );
  element.classList.toggle("extra", heard.some(isExtra));
  element.classList.toggle("hit", look.isHit[at] === 1);
  return element;
}

function drawGap(look: Look, at: number): HTMLElement {
  const { model, lanes } = look;
  const element = h("button.gap", {
    type: "button",
    "data-at": at,
    tabindex: at === look.current ? 0 : -1,
    "aria-label": sentence(model, lanes, at),
  });
  element.classList.toggle("dim", look.isDim(at));
  element.classList.toggle("current", at === look.current);
  element.classList.toggle("slim-gap", !model.votes[at]);
  const votes = model.votes[at] ?? 0;
  if (votes) element.append(tone(votes, model.references.length));
  lanes.forEach((lane, index) => {
    const kind = lane.kinds[at] ?? NONE;
    if (kind === NONE) return;
    const mark = sign(kind);
    mark.style.setProperty("--at", String(index));
    element.append(mark);
  });
  return element;
}

/** A bar, the deeper the more references. */
export function tone(votes: number, references: number): HTMLElement {
  const element = h("i.tone", { "aria-hidden": true });
  element.style.setProperty("--depth", String(votes / references));
  return element;
}

export function sign(kind: number): HTMLElement {
  return h("i", { class: `sign ${KINDS[kind] ?? ""}`, "aria-hidden": true });
}

/** Who speaks; a bare number says so. */
export function speaker(name = ""): string {
  return /^\d+$/.test(name) ? `speaker ${name}` : name;
}
