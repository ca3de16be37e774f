/** What the server tells of its own accord: what other tabs did, and how others go on. */

import type { Numbered } from "./wire";

/** How long to wait after the server has refused, in milliseconds; browsers do it after a break. */
const WAIT = 5_000;

/** Listen; a page that nobody sees does not: browsers open few connections to one server. */
export function listen(hears: {
  /** The server is there (again). */
  opened: () => void;
  /** Own acts, of any tab. */
  events: (events: Numbered[]) => void;
  /** Somebody did something; only managers are told. */
  progress: (documents: number[]) => void;
  /** Something may have been missed. */
  again: () => void;
}): void {
  let wasOpen = false;
  let source: EventSource | undefined;
  const connect = () => {
    source?.close();
    if (document.hidden) return;
    source = new EventSource("/api/live");
    source.addEventListener("open", () => {
      hears.opened();
      if (wasOpen) hears.again();
      wasOpen = true;
    });
    source.addEventListener("events", ({ data }: MessageEvent<string>) =>
      hears.events(JSON.parse(data)),
    );
    source.addEventListener("progress", ({ data }: MessageEvent<string>) =>
      hears.progress(JSON.parse(data).documents),
    );
    source.addEventListener("again", hears.again);
    source.addEventListener("error", () => {
      if (source?.readyState === EventSource.CLOSED) setTimeout(connect, WAIT);
    });
  };
  connect();
  document.addEventListener("visibilitychange", connect);
}
