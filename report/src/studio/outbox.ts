/** Acts on their way to the server: in order, in batches, again and again until they are there. */

import { ApiError, ask } from "./api";
import { deadOf, Kept, stayAlive } from "./kept";
import type { Act, Numbered } from "./wire";

const BATCH = 200;
/** How often to try again, and to look for what others have left, in milliseconds. */
const PAUSE = 3_000;

/** `troubled`: the server is there and cannot write. `ended`: it takes nothing from here. */
export type Saving = "saved" | "saving" | "offline" | "troubled" | "ended";

export class Outbox {
  readonly client = crypto.getRandomValues(new Uint32Array(4)).join("-");
  state: Saving = "saved";
  /** What the server said of it. */
  problem = "";
  readonly kept: Kept;
  /** Acts that the server has not yet: those that other tabs have left, and after them the own. */
  private queue: Numbered[] = [];
  /** Acts of this tab that the server has not told it of: whatever it tells before is older. */
  private unheard: Numbered[] = [];
  /** Grows with every act, and with all that is heard: what is loaded meanwhile may be older. */
  version = 0;
  private next = 0;
  private isSending = false;
  /** How many acts are sent at once: fewer, until one is found that cannot be taken. */
  private batch = BATCH;

  /**
   * `isMine` tells whether this browser still works for the same person, `refused` is told of an
   * act that the server will never take.
   */
  constructor(
    owner: string,
    private readonly isMine: () => boolean,
    private readonly changed: () => void,
    private readonly refused: (reason: string) => void,
  ) {
    this.kept = new Kept(owner);
    stayAlive(this.client);
    addEventListener("online", () => this.hurry());
    setInterval(() => void this.adopt(), PAUSE);
  }

  get waiting(): number {
    return this.queue.length;
  }

  add(act: Act): void {
    const event = { client: this.client, sequence: this.next++, ...act };
    this.queue.push(event);
    this.unheard.push(event);
    this.version++;
    this.kept.put(event);
    if (this.state === "saved") this.state = "saving";
    this.changed();
    if (this.state === "saving") void this.send();
  }

  /** Whether an act of this tab at the same place is not heard of yet: it will be the later one. */
  isPending({ document, kind, gap }: Act): boolean {
    return this.unheard.some(
      (each) => each.gap === gap && each.kind === kind && each.document === document,
    );
  }

  /** The server tells what it has taken, from any tab. */
  heard(events: Numbered[]): void {
    for (const { client, sequence } of events) {
      this.taken(client, sequence);
      if (client === this.client)
        this.unheard = this.unheard.filter((each) => each.sequence > sequence);
    }
    this.version++;
  }

  /** Nothing more is heard of what was taken before: everything is loaded anew. */
  missed(): void {
    this.unheard = this.lineOf(this.client);
    this.version++;
  }

  /** All of a document that is on its way. */
  pendingIn(document: number): Numbered[] {
    return this.queue.filter((each) => each.document === document);
  }

  private lineOf(client: string): Numbered[] {
    return this.queue.filter((each) => each.client === client);
  }

  /** The server has everything of a tab up to a number. */
  private taken(client: string, sequence: number): void {
    for (const event of this.lineOf(client)) if (event.sequence <= sequence) this.remove(event);
  }

  private remove(event: Numbered): void {
    this.version++;
    this.queue = this.queue.filter((each) => each !== event);
    this.kept.drop(event);
  }

  /** Take over what tabs have left behind that are gone, under their names and numbers. */
  async adopt(): Promise<void> {
    const left = this.kept.all();
    left.delete(this.client);
    for (const client of await deadOf([...left.keys()]))
      if (!this.lineOf(client).length) this.queue.unshift(...(left.get(client) ?? []));
    if (this.waiting && this.state === "saved") this.tell("saving");
    await this.send();
  }

  /** Try at once instead of waiting, also after a session has ended: there may be a new one. */
  hurry(): void {
    if (this.state === "ended") this.state = "saving";
    void this.send();
  }

  /** Resolves when everything is sent, or has to wait; whether nothing waits. */
  async settled(): Promise<boolean> {
    while (this.waiting && this.state === "saving")
      await new Promise((resolve) => setTimeout(resolve, 20));
    return !this.waiting;
  }

  private async send(): Promise<void> {
    if (this.isSending || this.state === "ended") return;
    this.isSending = true;
    try {
      while (this.waiting && this.isAllowed()) await this.sendBatch();
      if (!this.waiting && this.isAllowed()) this.tell("saved");
    } catch (problem) {
      this.failed(problem);
    } finally {
      this.isSending = false;
    }
  }

  private isAllowed(): boolean {
    if (this.isMine()) return true;
    this.tell("ended", "somebody else has opened the studio in this browser");
    return false;
  }

  private async sendBatch(): Promise<void> {
    const [first] = this.queue;
    if (!first) return;
    const { client } = first;
    const events = this.lineOf(client).slice(0, this.batch);
    try {
      await ask("/api/events", "POST", { events });
      for (const event of events) this.remove(event);
      this.batch = BATCH;
      this.tell("saving");
    } catch (problem) {
      if (!(problem instanceof ApiError)) throw problem;
      const { status, told, message } = problem;
      if (status === 409 && told.expected !== undefined) this.renumber(client, told.expected);
      else if ((status === 400 || status === 413) && events.length > 1)
        this.batch = Math.ceil(events.length / 2);
      else if (status === 400) this.refuse(first, message);
      else throw problem;
    }
  }

  /** The act is left out, and those after it take its place. */
  private refuse(event: Numbered, reason: string): void {
    this.remove(event);
    this.unheard = this.unheard.filter((each) => each !== event);
    this.renumber(event.client, event.sequence);
    this.refused(reason);
  }

  /** The server expects another number: it has what is before it, and nothing after. */
  private renumber(client: string, expected: number): void {
    this.taken(client, expected - 1);
    const line = this.lineOf(client);
    for (const event of line) this.kept.drop(event);
    line.forEach((event, at) => (event.sequence = expected + at));
    for (const event of line) this.kept.put(event);
    if (client === this.client) this.next = expected + line.length;
  }

  private failed(problem: unknown): void {
    const { status, message } = problem instanceof ApiError ? problem : { status: 0, message: "" };
    const isOver = status === 401 || status === 403;
    this.tell(isOver ? "ended" : status ? "troubled" : "offline", message);
  }

  private tell(state: Saving, problem = ""): void {
    this.state = state;
    this.problem = problem;
    this.changed();
  }
}

/** What a load gives that nothing has overtaken: while acts come and go, it is repeated. */
export async function fresh<T>(outbox: Outbox, load: () => Promise<T>): Promise<T> {
  for (;;) {
    const { version } = outbox;
    const found = await load();
    if (outbox.version === version) return found;
  }
}
