/** What the parts of the studio share. */

import type { Outbox } from "./outbox";
import type { Me, Numbered } from "./wire";

export interface Studio {
  me: Me;
  /** One person in one project, as what this browser keeps is named. */
  owner: string;
  outbox: Outbox;
  go: (path: string) => void;
}

/** One screen of the studio. */
export interface View {
  title: string;
  element: HTMLElement;
  /** It is in the page now. */
  opened?: () => void;
  /** Own acts that the server has taken, of any tab. */
  events?: (events: Numbered[]) => void;
  /** Somebody did something in documents. */
  progress?: (documents: number[]) => void;
  /** The project may be set otherwise. */
  known?: () => void;
  /** Something may have been missed. */
  again?: () => void;
}

/** Do something at most once in a while, and once more after the last time it was asked for. */
export function paced(act: () => Promise<void>, every = 1000): () => void {
  let [isWaiting, isAsked] = [false, false];
  const start = () => {
    [isWaiting, isAsked] = [true, false];
    const pause = new Promise((resolve) => setTimeout(resolve, every));
    void Promise.allSettled([act(), pause]).then(() => {
      isWaiting = false;
      if (isAsked) start();
    });
  };
  return () => (isWaiting ? (isAsked = true) : start());
}
