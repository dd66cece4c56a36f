import { createHash } from "node:crypto";
import { db } from "../db/client";
import { DomainError, invalidField } from "../kernel/errors";

export interface IdempotentCall {
  userId: string;
  operation: string;
  key: string;
  requestHash: Buffer;
}

/**
 * The call's identity, if the client asked for one.
 * @throws ValidationError where the key is not 1–255 visible ASCII characters
 */
export function readIdempotentCall(
  request: Request,
  call: { userId: string; operation: string; bytes: Uint8Array },
): IdempotentCall | null {
  const key = request.headers.get("idempotency-key");
  if (key === null || request.method === "GET" || request.method === "HEAD") return null;
  if (!/^[\x21-\x7e]{1,255}$/.test(key)) {
    throw invalidField(["header", "Idempotency-Key"], "Must be 1 to 255 visible ASCII characters");
  }
  const { pathname, search } = new URL(request.url);
  const requestHash = createHash("sha256").update(`${pathname}${search}\n`).update(call.bytes).digest();
  return { userId: call.userId, operation: call.operation, key, requestHash };
}

/**
 * Runs `work` once for a key: a repeat within 24 hours gets the first answer. A first run that was cut off leaves its
 * key taken: whether it took effect is unknown, and running it again could rent twice.
 * @throws DomainError action_in_progress while the first one runs · ValidationError for another request under the key
 */
export async function onceForKey(call: IdempotentCall, work: () => Promise<Response>): Promise<Response> {
  const { userId, operation, key, requestHash } = call;
  const where = { userId_operation_key: { userId, operation, key } };
  await db().$executeRaw`
    DELETE FROM idempotent_request WHERE user_id = ${userId} AND operation = ${operation} AND key = ${key}
      AND created_at < now() - interval '24 hours'`;
  const taken = await db().idempotentRequest.createMany({
    data: { userId, operation, key, requestHash: new Uint8Array(requestHash) },
    skipDuplicates: true,
  });
  if (taken.count === 0) return repeat(call);
  const answer = await work();
  if (answer.status === 429 || answer.status >= 500) {
    await db().idempotentRequest.delete({ where });
    return answer;
  }
  const body = await answer.clone().text();
  await db().idempotentRequest.update({ where, data: { status: answer.status, body } });
  return answer;
}

async function repeat({ userId, operation, key, requestHash }: IdempotentCall): Promise<Response> {
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
  return new Response(first.body, { status: first.status, headers });
}
