/** A detector, chosen from those that can run on a document, or typed. */

import { given, h } from "../../dom";
import { ask } from "../api";
import { choice, show } from "../dialogs";
import type { Detector, Managed } from "../wire";
import { optionLine } from "./order";

/** Nothing to correct, or nothing but to correct: with these nobody begins. */
const POINTLESS = ["none", "all", "random"];

/** Ask with which detector annotators begin; null for none, undefined if nothing was chosen. */
export async function chosenDetector(document: Managed): Promise<string | null | undefined> {
  const path = `/api/documents/${document.id}/detectors`;
  const every = (await ask<Detector[]>(path)).filter(({ name }) => !POINTLESS.includes(name));
  const able = every.filter(({ why_not }) => !why_not);
  const others = every.filter(({ why_not }) => why_not);
  const typed = h("input", {
    type: "text",
    autocomplete: "off",
    placeholder: "every:8",
    "aria-label": "Name of another detector",
  });
  const radio = (value: string) => h("input", { type: "radio", name: "detector", value });
  const boxes = able.map(({ name, about }) => {
    const box = radio(name);
    return { box, line: optionLine(box, name, about) };
  });
  const first = boxes.find(({ box }) => box.value === "best") ?? boxes[0];
  if (first) first.box.checked = true;
  const another = radio("");
  another.setAttribute("aria-label", "Another detector");
  typed.addEventListener("input", () => (another.checked = true));
  const choices = [
    choice("Run it", "yes", true),
    ...(document.machine ? [choice("Begin without any", "none")] : []),
    choice("Cancel", ""),
  ];
  const answer = await show(
    `Begin ${document.name} with a detector’s boundaries`,
    choices,
    h(
      "p",
      { class: "note" },
      "Annotators correct these boundaries instead of setting their own. That is faster, and draws them ",
      "towards the detector: agreement on the document is shown apart.",
    ),
    h(
      "fieldset",
      { class: "options" },
      h("legend", {}, "Can run on this document"),
      ...boxes.map(({ line }) => line),
      h("div", { class: "option" }, another, typed),
    ),
    others.length > 0 && unable(others),
  );
  if (answer === "none") return null;
  if (answer !== "yes") return undefined;
  const checked = boxes.find(({ box }) => box.checked)?.box.value;
  return (another.checked ? typed.value.trim() : checked) || undefined;
}

function unable(others: Detector[]): HTMLElement {
  return h(
    "details",
    { class: "unable" },
    h("summary", {}, `${others.length} cannot run on it`),
    h(
      "ul",
      {},
      ...others.map(({ name, why_not }) => h("li", {}, h("b", {}, given(name)), `: ${why_not}`)),
    ),
  );
}
