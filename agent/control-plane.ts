import { z } from "zod";
import {
  type JoinAnswer,
  type JoinBody,
  joinAnswer,
  keysAnswer,
  type ReportBody,
  registryPasswordAnswer,
  reportAnswer,
  rotateAnswer,
  type WishesAnswer,
  wishesAnswer,
} from "../lib/contract/agent-protocol";

const ANSWER_WITHIN_MS = 15_000;
/** A login does not wait longer than this for the market; it then goes by what was last heard. */
const KEYS_WITHIN_MS = 3_000;

const refusal = z.object({ code: z.string(), detail: z.string() });

/** The control plane said no: its words are for people. */
export class RefusedError extends Error {
  override name = "RefusedError";

  constructor(
    readonly status: number,
    readonly code: string,
    detail: string,
  ) {
    super(detail);
  }
}

/** What an agent asks of the market. Every call rejects with RefusedError, or with fetch's own error where nothing answers. */
export class ControlPlane {
  readonly #server: string;
  readonly #secret: () => string | null;

  /** @param secret the agent's own; null before the first join */
  constructor(server: string, secret: () => string | null) {
    this.#server = server;
    this.#secret = secret;
  }

  /** @param anew by the host token, although there is a secret */
  join(body: JoinBody, anew: boolean): Promise<JoinAnswer> {
    return this.#call(joinAnswer, "POST", "/agent/join", { body, withoutSecret: anew, within: 30_000 });
  }

  /** Waits, where nothing has changed since `have`, for `wait` seconds until something does. */
  wishes(have: string | null, wait: number, signal: AbortSignal): Promise<WishesAnswer> {
    const query = new URLSearchParams({ wait: String(wait), ...(have === null ? {} : { have }) });
    const within = ANSWER_WITHIN_MS + wait * 1000;
    return this.#call(wishesAnswer, "GET", `/agent/wishes?${query}`, { within, signal });
  }

  report(body: ReportBody) {
    return this.#call(reportAnswer, "POST", "/agent/report", { body });
  }

  async keys(instanceId: string): Promise<string[]> {
    const path = `/agent/keys/${encodeURIComponent(instanceId)}`;
    return (await this.#call(keysAnswer, "GET", path, { within: KEYS_WITHIN_MS })).keys;
  }

  async registryPassword(instanceId: string): Promise<string | null> {
    const path = `/agent/registry-password/${encodeURIComponent(instanceId)}`;
    return (await this.#call(registryPasswordAnswer, "POST", path, { body: {} })).password;
  }

  async rotate(): Promise<string> {
    return (await this.#call(rotateAnswer, "POST", "/agent/rotate", { body: {} })).secret;
  }

  async #call<T>(
    schema: z.ZodType<T>,
    method: string,
    path: string,
    options: { body?: object; within?: number; signal?: AbortSignal; withoutSecret?: boolean },
  ): Promise<T> {
    const secret = options.withoutSecret ? null : this.#secret();
    const limit = AbortSignal.timeout(options.within ?? ANSWER_WITHIN_MS);
    const answer = await fetch(new URL(path, this.#server), {
      method,
      headers: {
        ...(secret === null ? {} : { authorization: `Bearer ${secret}` }),
        ...(options.body ? { "content-type": "application/json" } : {}),
      },
      ...(options.body ? { body: JSON.stringify(options.body) } : {}),
      signal: options.signal ? AbortSignal.any([limit, options.signal]) : limit,
      redirect: "error",
    });
    const json: unknown = await answer.json().catch(() => null);
    if (answer.status === 200) return z.object({ data: schema }).parse(json).data;
    const { code, detail } = refusal.safeParse(json).data ?? {
      code: "unknown",
      detail: `${this.#server} answered ${answer.status}`,
    };
    throw new RefusedError(answer.status, code, detail);
  }
}
