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
    message: string,
    readonly told: Told = {},
  ) {
    super(message);
  }
}

type Method = "GET" | "POST" | "DELETE";

export async function ask<T>(path: string, method: Method = "GET", content?: unknown): Promise<T> {
  const answer = await request(path, method, content);
  return (await answer.json()) as T;
}

/** The answer itself, where it is no JSON. */
export async function request(path: string, method: Method, content?: unknown): Promise<Response> {
  const isFile = content instanceof Blob;
  const body = content === undefined ? null : isFile ? content : JSON.stringify(content);
  const headers: Record<string, string> = { "x-caesura": "studio" };
  if (body !== null) headers["content-type"] = isFile ? "text/plain" : "application/json";
  let answer: Response;
  try {
    answer = await fetch(path, { method, body, headers, credentials: "same-origin" });
  } catch {
    throw new ApiError(0, "the studio cannot be reached");
  }
  if (!answer.ok) throw await problemOf(answer);
  return answer;
}

async function problemOf(answer: Response): Promise<ApiError> {
  try {
    const told = (await answer.json()) as Told;
    return new ApiError(answer.status, told.error ?? answer.statusText, told);
  } catch {
    return new ApiError(answer.status, `the studio answered ${answer.status}`);
  }
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
