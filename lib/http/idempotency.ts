import { createHmac } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Operation } from "../contract/operation";
import { db } from "../db/client";
import { getEncryptionKey } from "../db/encryption-key";
import { DomainError, invalidField } from "../kernel/errors";
import type { Answer } from "./answers";

const SETTLE_PAUSE_MS = 1_000;
const SETTLE_TRIES = 600;

export interface IdempotentCall {
  userId: string;
  operation: string;
  key: string;
  /** Keyed: a request can hold a password, which a copy of the database must not let anyone guess. */
  requestHash: Buffer;
  /** Members of the answer's `data` that are not kept. */
  secretFields: readonly string[];
}

/**
 * The call's identity, if the client asked for one.
 * @throws ValidationError where the key is not 1–255 visible ASCII characters
 */
export function readIdempotentCall(
  request: Request,
  userId: string,
  { id: operation, secretFields = [] }: Operation,
  bytes: Uint8Array,
): IdempotentCall | null {
  const key = request.headers.get("idempotency-key");
  if (key === null || request.method === "GET" || request.method === "HEAD") return null;
  if (!/^[\x21-\x7e]{1,255}$/.test(key)) {
    throw invalidField(["header", "Idempotency-Key"], "Must be 1 to 255 visible ASCII characters");
  }
  const { pathname, search } = new URL(request.url);
  const requestHash = createHmac("sha256", getEncryptionKey())
    .update(`idempotent request\n${pathname}${search}\n`)
    .update(bytes)
    .digest();
  return { userId, operation, key, requestHash, secretFields };
}

/**
 * Runs `work` once for a key: a repeat within 24 hours gets the first answer. A first run that was cut off leaves its
 * key taken: whether it took effect is unknown, and running it again could rent twice.
 * @throws DomainError action_in_progress while the first one runs · ValidationError for another request under the key
 */
export async function onceForKey(call: IdempotentCall, work: () => Promise<Answer>): Promise<Answer> {
  const { userId, operation, key, requestHash } = call;
  // The hash too: after 24 hours the key may be another request's.
  const identity = { userId, operation, key, requestHash: new Uint8Array(requestHash), status: null };
  await db().$executeRaw`
    DELETE FROM idempotent_request WHERE user_id = ${userId} AND operation = ${operation} AND key = ${key}
      AND created_at < now() - interval '24 hours'`;
  const taken = await db().idempotentRequest.createMany({
    data: identity,
    skipDuplicates: true,
  });
  if (taken.count === 0) return repeat(call);
  const answer = await work();
  const isKept = answer.status !== 429 && answer.status < 500;
  const body = isKept ? withoutSecrets(textOf(answer), call.secretFields) : "";
  await settle(() =>
    isKept
      ? db().idempotentRequest.updateMany({ where: identity, data: { status: answer.status, body } })
      : db().idempotentRequest.deleteMany({ where: identity }),
  );
  return answer;
}

// What changes anything answers whole.
function textOf({ body }: Answer): string {
  return body instanceof Uint8Array ? Buffer.from(body).toString() : String(body);
}

/** An answer as it is kept: what is shown once is null in it. */
function withoutSecrets(body: string, secretFields: readonly string[]): string {
  if (secretFields.length === 0) return body;
  const { data, ...envelope } = JSON.parse(body);
  if (typeof data !== "object" || data === null) return body;
  const hidden = secretFields.filter((field) => field in data).map((field) => [field, null]);
  return JSON.stringify({ ...envelope, data: { ...data, ...Object.fromEntries(hidden) } });
}

/**
 * Writes down how the first run ended. The work is done by now, so a database that is away does not change the answer;
 * without a later try the key would stay taken, and refuse the very retry it is for.
 */
async function settle(write: () => Promise<unknown>): Promise<void> {
  const failed = await write().then(
    () => false,
    () => true,
  );
  if (failed) void settleLater(write);
}

async function settleLater(write: () => Promise<unknown>): Promise<void> {
  for (let tries = 0; tries < SETTLE_TRIES; tries++) {
    await sleep(SETTLE_PAUSE_MS, undefined, { ref: false });
    const done = await write().then(
      () => true,
      () => false,
    );
    if (done) return;
  }
}

async function repeat({ userId, operation, key, requestHash }: IdempotentCall): Promise<Answer> {
  const first = await db().idempotentRequest.findUnique({
    where: { userId_operation_key: { userId, operation, key } },
  });
  if (first && !requestHash.equals(first.requestHash)) {
    throw invalidField(["header", "Idempotency-Key"], "This key was used for another request");
  }
  if (!first || first.status === null || first.body === null) {
    throw new DomainError(
      "action_in_progress",
      "The first request with this Idempotency-Key has not ended. Wait, then look at what you have.",
    );
  }
  const headers = { "content-type": "application/json; charset=utf-8", "idempotent-replayed": "true" };
  return { status: first.status, headers, body: first.body };
}
