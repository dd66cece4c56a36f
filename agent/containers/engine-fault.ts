/** How long an engine may take to say something, and to do something, before it counts as away. */
export const ANSWER_MS = 15_000;
export const WORK_MS = 120_000;

/** What a refused or unanswered call to a container engine means. */
type EngineFault =
  /** The engine does not answer. */
  | { kind: "away"; words: string }
  | { kind: "missing"; words: string }
  /** Something with that name is there, or it is on its way to another state. */
  | { kind: "conflict"; words: string }
  /** The engine will say the same again. */
  | { kind: "refused"; words: string }
  /** The engine's own trouble, which may pass. */
  | { kind: "broken"; words: string };

const LONGEST_WORDS = 300;

/** Reads what dockerode rejects with: an HTTP status with the engine's words, or a socket's error. */
export function readFault(error: unknown): EngineFault {
  const status = statusOf(error);
  const words = wordsOf(error);
  if (status === null) return { kind: isUnanswered(error) ? "away" : "broken", words };
  if (status === 404) return { kind: "missing", words };
  if (status === 409) return { kind: "conflict", words };
  if (status === 503 || status === 502) return { kind: "away", words };
  return { kind: status >= 500 ? "broken" : "refused", words };
}

/** Does what may find nothing, or find it done: 304 and 404 are no errors. */
export async function allowMissing(call: Promise<unknown>, statuses = [304, 404]): Promise<void> {
  try {
    await call;
  } catch (error) {
    const status = statusOf(error);
    if (status === null || !statuses.includes(status)) throw error;
  }
}

/** A socket's error, and a call that took too long; not the agent's own, such as a full disk. */
function isUnanswered(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (/^(?:Timeout|Abort)Error$/.test(error.name)) return true;
  if ("syscall" in error && error.syscall === "connect") return true;
  const code = "code" in error ? String(error.code) : "";
  return (
    /^(?:ECONN|EPIPE|ETIMEDOUT|ERR_STREAM_PREMATURE_CLOSE)/.test(code) ||
    /socket hang up|aborted/i.test(error.message)
  );
}

function statusOf(error: unknown): number | null {
  if (typeof error !== "object" || error === null || !("statusCode" in error)) return null;
  return typeof error.statusCode === "number" ? error.statusCode : null;
}

/** The engine's own sentence, on one line. */
function wordsOf(error: unknown): string {
  const answer = typeof error === "object" && error !== null && "json" in error ? error.json : null;
  const said =
    typeof answer === "object" && answer !== null && "message" in answer ? String(answer.message) : null;
  return oneLine(said ?? (error instanceof Error ? error.message : String(error)));
}

export function oneLine(words: string): string {
  return words
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim()
    .slice(0, LONGEST_WORDS);
}
