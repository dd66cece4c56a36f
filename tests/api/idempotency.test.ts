import { beforeEach, describe, expect, it } from "vitest";
import { operations } from "@/lib/contract/operations";
import { db } from "@/lib/db/client";
import type { Answer } from "@/lib/http/answers";
import { type IdempotentCall, onceForKey } from "@/lib/http/idempotency";
import { callApi, makeAccount, makeOffer, makeTemplate, pathOf } from "../support/api";
import { useTestDatabase } from "../support/api-setup";
import { MISSING, send } from "../support/send";

useTestDatabase();

let key: string;
let userId: string;
beforeEach(async () => {
  ({ key, userId } = await makeAccount());
});

const template = { name: "Mine", image: "ubuntu" };

function createTemplate(idempotencyKey: string, body: object = template, as = key) {
  const headers = { "idempotency-key": idempotencyKey };
  return callApi(operations.createTemplate, { key: as, body, headers });
}

function textAnswer(status: number, body: string): Answer {
  return { status, headers: {}, body };
}

function countTemplates(): Promise<number> {
  return db().template.count({ where: { userId } });
}

describe("Idempotency-Key", () => {
  it("HTTP-01 gives a repeat the first answer, and does the work once", async () => {
    const first = await createTemplate("a");
    const again = await createTemplate("a");
    expect(first.status).toBe(200);
    expect(again).toMatchObject({ status: 200, body: first.body });
    expect(again.headers.get("idempotent-replayed")).toBe("true");
    expect(await countTemplates()).toBe(1);
    expect((await createTemplate("b")).body.data.id).not.toBe(first.body.data.id);
  });

  it("HTTP-02 refuses another request under a used key, by its body, path or query", async () => {
    await createTemplate("a");
    const other = await createTemplate("a", { ...template, name: "Other" });
    expect(other.status).toBe(422);
    expect(other.error.detail).toEqual([
      { loc: ["header", "Idempotency-Key"], msg: expect.any(String), type: "value_error" },
    ]);
    const headers = { "idempotency-key": "a" };
    const path = pathOf(operations.controlInstance, { instance_id: MISSING });
    expect((await send("PUT", path, { key, headers })).status).toBe(404);
    expect((await send("PUT", `${path}?action=pause`, { key, headers })).status).toBe(422);
  });

  it("HTTP-03 keeps keys apart by account and by operation", async () => {
    const first = await createTemplate("a");
    const other = await makeAccount();
    const theirs = await createTemplate("a", template, other.key);
    expect(theirs.body.data.id).not.toBe(first.body.data.id);
    const headers = { "idempotency-key": "a" };
    const params = { template_id: first.body.data.id };
    expect((await callApi(operations.deleteTemplate, { key, params, headers })).status).toBe(200);
    expect((await callApi(operations.deleteTemplate, { key, params, headers })).status).toBe(200);
    expect((await callApi(operations.deleteTemplate, { key, params })).status).toBe(404);
  });

  it("HTTP-04 lets one of many at once work; the others get its answer or a 409", async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => createTemplate("a")));
    const good = answers.filter(({ status }) => status === 200);
    expect(new Set(good.map(({ body }) => body.data.id)).size).toBe(1);
    for (const { status, error } of answers) {
      if (status !== 200) expect([status, error.code]).toEqual([409, "action_in_progress"]);
    }
    expect(await countTemplates()).toBe(1);
  });

  it("HTTP-05 answers 409 while the first one runs", async () => {
    let finish: (answer: Answer) => void = () => undefined;
    let first: Promise<Answer> | undefined;
    await new Promise<void>((started) => {
      first = onceForKey(makeCall(), () => {
        started();
        return new Promise((resolve) => {
          finish = resolve;
        });
      });
    });
    await expect(onceForKey(makeCall(), neverRun)).rejects.toMatchObject({ code: "action_in_progress" });
    finish(textAnswer(200, "done"));
    await first;
    expect((await onceForKey(makeCall(), neverRun)).body).toBe("done");
  });

  it.each([429, 500, 503])("HTTP-06 does not keep a %d: the retry works anew", async (status) => {
    const failed = await onceForKey(makeCall(), async () => textAnswer(status, "no"));
    expect(failed.status).toBe(status);
    const retried = await onceForKey(makeCall(), async () => textAnswer(200, "yes"));
    expect(retried.body).toBe("yes");
  });

  it.each([402, 404, 409])("HTTP-07 keeps a %d", async (status) => {
    await onceForKey(makeCall(), async () => textAnswer(status, "no"));
    const retried = await onceForKey(makeCall(), neverRun);
    expect([retried.status, retried.body]).toEqual([status, "no"]);
  });

  it("HTTP-08 forgets a key after 24 hours", async () => {
    await createTemplate("a");
    await db().$executeRaw`UPDATE idempotent_request SET created_at = now() - interval '24 hours 1 second'`;
    expect((await createTemplate("a", { ...template, name: "Other" })).status).toBe(200);
    expect(await countTemplates()).toBe(2);
  });

  it("HTTP-09 a rent that is retried with its key rents once", async () => {
    const { offerId } = await makeOffer();
    const { templateId } = await makeTemplate(userId);
    const rentOnce = () =>
      callApi(operations.createInstance, {
        key,
        body: { offer_id: offerId, template_id: templateId },
        headers: { "idempotency-key": "rent-1" },
      });
    const first = await rentOnce();
    const again = await rentOnce();
    expect(first.status).toBe(200);
    expect(again.body).toEqual(first.body);
    expect(await db().instance.count({ where: { userId } })).toBe(1);
  });

  it.each(["", "a b", "x".repeat(256), "ä"])("HTTP-10 refuses the key %j", async (bad) => {
    const answer = await send("POST", "/v0/templates/create", {
      key,
      headers: { "idempotency-key": bad },
      body: JSON.stringify(template),
    });
    expect(answer.status).toBe(422);
    expect((await answer.json()).detail[0].loc).toEqual(["header", "Idempotency-Key"]);
  });

  it("HTTP-11 is nothing to a GET", async () => {
    const headers = { "idempotency-key": "a" };
    for (const path of ["/v0/ping", "/v0/secrets"]) {
      expect((await send("GET", path, { key, headers })).status).toBe(200);
    }
    expect(await db().idempotentRequest.count({ where: { userId } })).toBe(0);
  });

  it("HTTP-31 keeps no secret of an answer: a repeat has null there, and the database never had it", async () => {
    const call = { ...makeCall(), secretFields: ["token"] };
    const first = await onceForKey(call, async () =>
      textAnswer(200, JSON.stringify({ ok: true, data: { id: 1, token: "s" } })),
    );
    expect(JSON.parse(String(first.body))).toEqual({ ok: true, data: { id: 1, token: "s" } });
    const again = await onceForKey(call, neverRun);
    expect(JSON.parse(String(again.body))).toEqual({ ok: true, data: { id: 1, token: null } });
    const refused = { ...call, key: "b" };
    await onceForKey(refused, async () => textAnswer(409, '{"ok":false,"code":"in_use"}'));
    expect((await onceForKey(refused, neverRun)).body).toBe('{"ok":false,"code":"in_use"}');
  });

  function makeCall(): IdempotentCall {
    return { userId, operation: "test", key: "a", requestHash: Buffer.alloc(32), secretFields: [] };
  }
});

async function neverRun(): Promise<Answer> {
  throw new Error("this must not run");
}
