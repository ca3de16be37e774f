/** What is said of a gap, and of a document. */

import { grouped, number } from "../../numbers";
import { signOf, told } from "../wire";
import type { Text } from "./text";

export const BLIND = "What others do is hidden until the document is closed.";

/** What is at a gap, in the order in which it is read out. */
export function gapSaid(text: Text, gap: number): string {
  const votes = text.isDisputed(gap) ? text.votes : [];
  const comments = [text.drawn, ...text.votes].flatMap(({ name, comments }) => {
    const comment = comments.get(gap);
    return comment ? [`${name ? saying(name) : "comment"}: ${comment}`] : [];
  });
  const parts = [
    stateSaid(text, gap),
    text.around(gap),
    ...votes.map((each) => `${each.name}: ${told(text.markAt(gap, each), each.unsure.has(gap))}`),
    ...comments,
    `${grouped(gap + 1)} of ${grouped(text.last + 1)}`,
  ];
  return parts.join(" · ");
}

function stateSaid(text: Text, gap: number): string {
  const mark = told(text.markAt(gap), text.drawn.unsure.has(gap));
  const decision = text.decisions.get(gap);
  if (decision?.value === "discuss") return `to discuss, ${saying(decision.by)}`;
  if (text.isOpen(gap)) return "open";
  const how = decision?.value === "majority" ? "majority" : "decided";
  if (decision) return `${how}: ${mark}, by ${decision.by}`;
  return text.phase === "closed" ? `result: ${mark}` : mark;
}

function saying(name: string): string {
  return `${name} ${name === "you" ? "say" : "says"}`;
}

/** The sign of a gap in the text. */
export function signAt(text: Text, gap: number): string {
  const mark = text.markAt(gap);
  const decision = text.decisions.get(gap);
  if (decision?.value === "discuss") return "…";
  if (mark !== null) return signOf(mark);
  return decision ? "×" : " ";
}

/** How far a document is. */
export function documentSaid(text: Text): string {
  const words = number(text.length, "word");
  const { adjudication, phase } = text;
  if (!adjudication) {
    const state = phase === "open" ? "" : `, ${phase === "sealed" ? "read only" : phase}`;
    return `${number(text.count + 1, "unit")} in ${words}${state}`;
  }
  if (adjudication.closed) {
    const { by, boundaries } = adjudication.closed;
    return `closed by ${by} with ${number(boundaries, "boundary")} in ${words}`;
  }
  const waiting = Object.values(adjudication.unfinished);
  const have = waiting.length > 1 ? "have" : "has";
  const unfinished = waiting.length ? `; ${waiting.join(", ")} ${have} not finished` : "";
  if (!text.votes.length) return `nobody has finished yet${unfinished}`;
  return progressSaid(text) + unfinished;
}

function progressSaid(text: Text): string {
  const disputes = text.gaps(text.isDisputed);
  const open = disputes.filter(text.isOpen);
  const toDiscuss = open.filter((gap) => text.decisions.has(gap)).length;
  if (!disputes.length) return "annotators agree everywhere";
  const decided = disputes.length - open.length;
  const discuss = toDiscuss ? `, ${grouped(toDiscuss)} to discuss` : "";
  return `${grouped(disputes.length)} in dispute, ${grouped(decided)} decided${discuss}`;
}

/** Why nothing can be changed, where that is not plain to see. */
export function reasonOf({ phase, lost }: Text): string {
  if (phase === "closed")
    return "This document is closed: you see the result and, below it, where somebody differs.";
  if (phase === "sealed")
    return (
      "Others’ boundaries of this document were shown to you, so yours count as they are: they " +
      "can be read, and no longer changed."
    );
  return lost && `${lost} What is here stays visible until you leave; nothing more is taken.`;
}
