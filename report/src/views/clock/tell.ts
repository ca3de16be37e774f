/** What the cursor is at, in one sentence. */

import { number } from "../../numbers";
import { distanceText, placeText } from "./axis";
import { KINDS, type Lane, lower, type Model, nearest, type Row } from "./model";

export function overview(model: Model): string {
  const people = model.lanes.filter(({ isReference }) => isReference).length;
  const systems = model.lanes.length - people;
  const long =
    model.axis === "samples" ? number(model.length, "sample") : placeText(model, model.length);
  const parts = [long, number(people, "annotator"), systems > 0 && number(systems, "system")];
  return `${parts.filter(Boolean).join(", ")}.`;
}

/** Who has what at a place; boundaries as far away as `reach` are there, too. */
export function sentence(model: Model, lanes: Lane[], at: number, reach: number): string {
  const nearby = (places: Float64Array, noun: string): string[] => {
    const off = Math.round((nearest(places, at) ?? Infinity) - at);
    if (Math.abs(off) > reach) return [];
    const far = distanceText(model, Math.abs(off));
    return [off ? `${noun} ${far} ${off < 0 ? "earlier" : "later"}` : noun];
  };
  const told = ({ name, isReference, places, kinds, rows, labels, scores }: Lane): string => {
    const score = scores?.[Math.round(at)] ?? 255;
    const parts = [
      ...rows.flatMap((row) => labelAt(row, labels, at)),
      ...(isReference
        ? nearby(places, "boundary")
        : KINDS.flatMap((kind) => nearby(kinds[kind], `${kind} boundary`))),
      ...(score < 255 ? [`score ${(score / 254).toFixed(2)}`] : []),
    ];
    return `${name}: ${parts.join(", ") || "no boundary"}`;
  };
  const unit = model.axis === "samples" ? "sample " : "";
  return [`${unit}${placeText(model, at)}`, ...lanes.map(told)].join("; ");
}

function labelAt({ starts, ends, codes }: Row, labels: string[], at: number): string[] {
  const index = lower(starts, at + 0.5) - 1;
  const label = labels[(codes[index] ?? 0) - 1];
  return (ends[index] ?? 0) > at ? [label ? `“${label}”` : "no label"] : [];
}
