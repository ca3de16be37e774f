/** What is not sent yet, kept in the browser: one entry for each act, by tab and number. */

import type { Numbered } from "./wire";

const PREFIX = "caesura";
const BEAT = 5_000;
const DEAD = 90_000;

export class Kept {
  /** Whether the browser keeps anything: not if its storage is full or switched off. */
  isAble = true;
  private readonly place: string;

  /** `owner` is one person in one project: what they have done is nobody else's. */
  constructor(owner: string) {
    this.place = `${PREFIX}|${encodeURIComponent(owner)}|`;
  }

  put(event: Numbered): void {
    const [key, text] = [this.keyOf(event), JSON.stringify(event)];
    this.isAble = attempt(() => (localStorage.setItem(key, text), true)) ?? false;
  }

  drop(event: Numbered): void {
    attempt(() => localStorage.removeItem(this.keyOf(event)));
  }

  /** The acts of every tab, in order. */
  all(): Map<string, Numbered[]> {
    const events = keysOf(this.place).flatMap(
      (key): Numbered[] => attempt(() => [JSON.parse(localStorage.getItem(key) ?? "")]) ?? [],
    );
    events.sort((a, b) => a.sequence - b.sequence);
    return Map.groupBy(events, ({ client }) => client);
  }

  private keyOf({ client, sequence }: Numbered): string {
    return `${this.place}${client}|${sequence}`;
  }
}

/** Tell other tabs that this one is alive, as long as it is. */
export function stayAlive(client: string): void {
  const key = nameOf(client);
  if (navigator.locks) return void navigator.locks.request(key, () => new Promise(() => {}));
  const beat = () => attempt(() => localStorage.setItem(key, String(Date.now())));
  beat();
  setInterval(beat, BEAT);
  addEventListener("pagehide", () => attempt(() => localStorage.removeItem(key)));
}

/** Which of some tabs are gone. */
export async function deadOf(clients: string[]): Promise<string[]> {
  if (navigator.locks) {
    const { held = [] } = await navigator.locks.query();
    const alive = new Set(held.map(({ name }) => name));
    return clients.filter((client) => !alive.has(nameOf(client)));
  }
  const last = (client: string) => Number(localStorage.getItem(nameOf(client)) ?? 0);
  return clients.filter((client) => Date.now() - last(client) > DEAD);
}

function nameOf(client: string): string {
  return `${PREFIX}-tab-${client}`;
}

/** What an act gives; undefined in a browser without storage. */
function attempt<T>(act: () => T): T | undefined {
  try {
    return act();
  } catch {
    return undefined;
  }
}

/** Remember something small in this browser, of one person or of whoever uses it; "" is forgotten. */
export function remember(owner: string, name: string, value: string): void {
  const key = `${PREFIX}-${name}|${owner}`;
  attempt(() => (value ? localStorage.setItem(key, value) : localStorage.removeItem(key)));
}

/** What was remembered; null if nothing was. */
export function recall(owner: string, name: string): string | null {
  return attempt(() => localStorage.getItem(`${PREFIX}-${name}|${owner}`)) ?? null;
}

/** Remove everything that the studio keeps in this browser. */
export function forgetAll(): void {
  for (const key of keysOf(PREFIX)) localStorage.removeItem(key);
}

function keysOf(start: string): string[] {
  return (attempt(() => Object.keys(localStorage)) ?? []).filter((key) => key.startsWith(start));
}
