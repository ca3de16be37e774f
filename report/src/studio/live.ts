/** What the server tells of its own accord: what other tabs did, and how others go on. */

import type { View } from "./view";

/** How long to wait after the server has refused, in milliseconds; browsers do it after a break. */
const WAIT = 5_000;

/** What views hear of, and that the server is there (again). */
type Listeners = Required<Pick<View, "events" | "progress" | "again">> & { opened: () => void };

/** Listen; a page that nobody sees does not: browsers open few connections to one server. */
export function listen(listeners: Listeners): void {
  let wasOpen = false;
  let source: EventSource | undefined;
  const connect = () => {
    source?.close();
    if (document.hidden) return;
    source = new EventSource("/api/live");
    source.addEventListener("open", () => {
      listeners.opened();
      if (wasOpen) listeners.again();
      wasOpen = true;
    });
    source.addEventListener("events", ({ data }: MessageEvent<string>) =>
      listeners.events(JSON.parse(data)),
    );
    source.addEventListener("progress", ({ data }: MessageEvent<string>) =>
      listeners.progress(JSON.parse(data).documents),
    );
    source.addEventListener("again", listeners.again);
    source.addEventListener("error", () => {
      if (source?.readyState === EventSource.CLOSED) setTimeout(connect, WAIT);
    });
  };
  connect();
  document.addEventListener("visibilitychange", connect);
}
