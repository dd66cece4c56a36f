import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import type Docker from "dockerode";
import { z } from "zod";
import { oneLine, readFault } from "./engine-fault";
import { findPrivateRegistry, LOCAL_IMAGE } from "./private-registry";

/** An image that cannot be had, with the engine's reason. */
export class PullError extends Error {
  override readonly name = "PullError";
}

interface PullRequest {
  docker: Docker;
  /** With registry, by tag or digest. */
  image: string;
  /** Null where the registry lets everybody in. */
  credentials: { username: string; password: string } | null;
  /** Also what only the machine itself, or its private network, has. */
  allowPrivate: boolean;
  signal: AbortSignal;
  /** Called at most a few times a second. */
  onProgress(message: string): void;
}

const TRIES = 3;
const FIRST_PAUSE_MS = 1000;
const LEAST_BETWEEN_MS = 300;
/** What may be another time: names, routes and hosts that were not there; a registry's own trouble. */
const TRANSIENT =
  /timeout|timed out|temporary failure|try again|connection reset|connection refused|unexpected eof|\beof\b|no route to host|network is unreachable|server misbehaving|too ?many ?requests|\b50[0234]\b/i;

const pullEvent = z.object({
  id: z.string().optional(),
  status: z.string().optional(),
  error: z.string().optional(),
  progressDetail: z.object({ current: z.number().optional(), total: z.number().optional() }).optional(),
});
type PullEvent = z.output<typeof pullEvent>;

/**
 * Pulls an image and gives its id. An image that is here already is pulled all the same, with the asker's own credentials:
 * it may be another renter's private one.
 * @throws PullError where the registry or the engine refuses, after three tries where it may pass · what dockerode
 * rejects with where the engine is away or `signal` fires
 */
export async function pullImage(request: PullRequest): Promise<string> {
  const { docker, image, signal, allowPrivate } = request;
  const problem = allowPrivate ? null : await findPrivateRegistry(image);
  if (problem !== null) throw new PullError(problem);
  if (!image.startsWith(LOCAL_IMAGE)) await pullWithRetries(request);
  signal.throwIfAborted();
  try {
    return (await docker.getImage(image).inspect()).Id;
  } catch (error) {
    const fault = readFault(error);
    if (fault.kind === "missing") throw new PullError(`There is no image ${image} on this machine.`);
    throw error;
  }
}

async function pullWithRetries(request: PullRequest): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await pullOnce(request);
    } catch (error) {
      const words = refusalOf(error, request);
      if (words === null || request.signal.aborted) throw error;
      if (attempt === TRIES || !TRANSIENT.test(words))
        throw new PullError(`The image cannot be pulled: ${words}`);
    }
    request.onProgress("pulling image: the registry did not answer, trying again");
    await sleep(FIRST_PAUSE_MS * 2 ** (attempt - 1), undefined, { signal: request.signal });
  }
}

/** Why, without the password, should a registry repeat it; null where the engine is away. */
function refusalOf(error: unknown, { credentials }: PullRequest): string | null {
  const fault = readFault(error);
  if (!(error instanceof PullError) && fault.kind === "away") return null;
  return credentials?.password ? fault.words.replaceAll(credentials.password, "…") : fault.words;
}

async function pullOnce({ docker, image, credentials, signal, onProgress }: PullRequest): Promise<void> {
  onProgress("pulling image");
  const stream = await docker.pull(image, {
    abortSignal: signal,
    ...(credentials ? { authconfig: { ...credentials, serveraddress: registryOf(image) } } : {}),
  });
  const progress = new Progress(onProgress);
  // An abort destroys the answer, which is an error of the stream and the end of the lines.
  let broken: unknown = null;
  stream.on("error", (error: unknown) => {
    broken = error;
  });
  const lines = createInterface({ input: stream });
  try {
    for await (const line of lines) {
      const event = parseEvent(line);
      if (event?.error !== undefined) throw new PullError(oneLine(event.error));
      if (event) progress.take(event);
    }
  } finally {
    // Left open it would pass an error of the stream on to nobody, which ends the process; and what is not read to its end holds a socket.
    lines.close();
    stream.resume();
  }
  signal.throwIfAborted();
  if (broken) throw broken;
}

/** The host of an image's name; without one it is Docker's. */
export function registryOf(image: string): string {
  const [first = "", ...rest] = image.split("/");
  const isHost = rest.length > 0 && (/[.:]/.test(first) || first === "localhost");
  return isHost && first !== "docker.io" ? first : "https://index.docker.io/v1/";
}

function parseEvent(line: string): PullEvent | null {
  try {
    return pullEvent.parse(JSON.parse(line));
  } catch {
    return null;
  }
}

/** The share of all bytes that are here, from what the engine says of each layer. */
class Progress {
  readonly #say: (message: string) => void;
  readonly #layers = new Map<string, { current: number; total: number }>();
  #saidAt = 0;

  constructor(say: (message: string) => void) {
    this.#say = say;
  }

  take({ id, status, progressDetail }: PullEvent): void {
    if (id === undefined) return;
    const known = this.#layers.get(id);
    if (progressDetail?.total && /download|copying|pulling/i.test(status ?? "")) {
      this.#layers.set(id, { current: progressDetail.current ?? 0, total: progressDetail.total });
    } else if (known && /complete|extract/i.test(status ?? "")) known.current = known.total;
    else return;
    if (performance.now() - this.#saidAt < LEAST_BETWEEN_MS) return;
    this.#saidAt = performance.now();
    this.#say(`pulling image ${this.#percent()} %`);
  }

  #percent(): number {
    let current = 0;
    let total = 0;
    for (const layer of this.#layers.values()) {
      current += layer.current;
      total += layer.total;
    }
    return Math.floor((100 * Math.min(current, total)) / total);
  }
}
