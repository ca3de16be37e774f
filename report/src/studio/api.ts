/** Requests to the studio's own server; a problem always is one error with a plain message. */

import type { ProjectAct } from "./wire";

interface Told {
  error?: string;
  /** The number of the act that is expected next. */
  expected?: number;
  /** The names of what would be new. */
  documents?: string[];
  people?: string[];
}

export class ApiError extends Error {
  /** A status of 0: the server was not reached. `told` is all that it answered. */
  constructor(
    readonly status: number,
    readonly told: Told,
  ) {
    super(told.error ?? `the studio answered ${status}`);
  }
}

export async function ask<T>(path: string, method = "GET", content?: unknown): Promise<T> {
  return (await request(path, method, content)).json();
}

/** The answer itself, where it is no JSON. */
export async function request(path: string, method: string, content?: unknown): Promise<Response> {
  const isFile = content instanceof Blob;
  const type = isFile ? "text/plain" : "application/json";
  const headers = { "x-caesura": "studio", "content-type": type };
  const body = isFile ? content : JSON.stringify(content);
  const answer = await fetch(path, { method, body, headers }).catch(() => {
    throw new ApiError(0, { error: "the studio cannot be reached" });
  });
  if (answer.ok) return answer;
  throw new ApiError(answer.status, await answer.json().catch(() => ({})));
}

/** Acts of the project; they are on disk when this resolves. */
export async function act(...acts: ProjectAct[]): Promise<void> {
  await ask("/api/acts", "POST", { acts });
}

/** A problem in one sentence. */
export function sentenceOf(problem: unknown): string {
  const text = problem instanceof Error ? problem.message : String(problem);
  return text.charAt(0).toUpperCase() + text.slice(1) + (/[.!?]$/.test(text) ? "" : ".");
}
