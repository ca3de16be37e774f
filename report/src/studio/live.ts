/** What the server tells of its own accord: what other tabs did, and how others go on. */

import type { Numbered } from "./wire";

const FIRST_WAIT = 2_000;
const LONGEST_WAIT = 30_000;

export interface Listeners {
  /** The server is there (again). */
  opened: () => void;
  /** Own acts, of any tab. */
  events: (events: Numbered[]) => void;
  /** Somebody did something; only managers are told. */
  progress: (documents: number[]) => void;
  /** Something may have been missed. */
  again: () => void;
}

export class Live {
  private wasOpen = false;
  private source?: EventSource;
  private wait = FIRST_WAIT;

  /** A page that nobody sees does not listen: browsers open few connections to one server. */
  constructor(private readonly listeners: Listeners) {
    this.connect();
    document.addEventListener("visibilitychange", () =>
      document.hidden ? this.source?.close() : this.connect(),
    );
  }

  private connect(): void {
    if (document.hidden) return;
    const { listeners } = this;
    this.source?.close();
    const source = (this.source = new EventSource("/api/live"));
    source.addEventListener("open", () => {
      this.wait = FIRST_WAIT;
      listeners.opened();
      if (this.wasOpen) listeners.again();
      this.wasOpen = true;
    });
    source.addEventListener("events", ({ data }: MessageEvent<string>) =>
      listeners.events(JSON.parse(data) as Numbered[]),
    );
    source.addEventListener("progress", ({ data }: MessageEvent<string>) =>
      listeners.progress((JSON.parse(data) as { documents: number[] }).documents),
    );
    source.addEventListener("again", () => listeners.again());
    source.addEventListener("error", () => {
      if (source.readyState !== EventSource.CLOSED) return;
      setTimeout(() => this.connect(), this.wait);
      this.wait = Math.min(LONGEST_WAIT, this.wait * 2);
    });
  }
}
