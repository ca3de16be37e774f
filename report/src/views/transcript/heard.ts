/** The words of versions that differ from those of the axis, as systems heard them. */

import type { Heard, TranscriptReading } from "../../types";

/** What one version has at a word of the axis; `words` is empty if it lacks the word. */
export interface Hearing {
  words?: string[];
  /** A word as written may be several as they are compared: whether it has others of them. */
  isPart?: boolean;
  /** Words that it has before it, and, at the end, after it. */
  before: string[];
  after: string[];
}

export type Hearings = Map<string, Map<number, Hearing>>;

/** By version and word; what belongs to a word that is shown as part of another lies there. */
export function hearingsOf({ heard, length }: TranscriptReading, words: string[]): Hearings {
  const homes = new Int32Array(length);
  for (let at = 1; at < length; at++) homes[at] = words[at] ? at : (homes[at - 1] ?? 0);
  const found: Hearings = new Map();
  for (const [name, own] of Object.entries(heard)) found.set(name, hearingOf(own, homes));
  return found;
}

function hearingOf(own: Heard, homes: Int32Array): Map<number, Hearing> {
  const others = new Map<number, number>();
  const found = new Map<number, Hearing>();
  const at = (place: number): Hearing => {
    const home = homes[place] ?? 0;
    let hearing = found.get(home);
    if (!hearing) found.set(home, (hearing = { before: [], after: [] }));
    return hearing;
  };
  each(own.at, own.words, (place, word) => {
    const hearing = at(place);
    hearing.words = [...(hearing.words ?? []), ...(word ? [word] : [])];
    const home = homes[place] ?? 0;
    others.set(home, (others.get(home) ?? 0) + 1);
  });
  for (const [home, count] of others) at(home).isPart = homes[home + count] === home;
  each(own.before, own.inserted, (place, word) => {
    const isEnd = place >= homes.length;
    const hearing = at(isEnd ? homes.length - 1 : place);
    (isEnd ? hearing.after : hearing.before).push(word);
  });
  return found;
}

function each(steps: number[], words: string, take: (at: number, word: string) => void): void {
  const all = words.split(" ");
  let at = 0;
  steps.forEach((step, index) => take((at += step), all[index] ?? ""));
}

/** In words: `“fairy”`, `nothing`, `“uh” before it`; undefined if it is as written. */
export function told(hearing: Hearing | undefined): string | undefined {
  if (!hearing) return undefined;
  const { words, isPart, before, after } = hearing;
  const parts = [
    words && (words.length ? quoted(words) : "nothing") + (isPart ? " for a part of it" : ""),
    before.length > 0 && `${quoted(before)} before it`,
    after.length > 0 && `${quoted(after)} after it`,
  ];
  return parts.filter(Boolean).join(", ");
}

function quoted(words: string[]): string {
  return `“${words.join(" ")}”`;
}
