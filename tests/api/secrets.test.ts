import { describe, expect, it } from "vitest";
import { operations } from "@/lib/contract/operations";
import { db, inTransaction } from "@/lib/db/client";
import { getOwnSecrets } from "@/lib/secrets/get-own-secrets";
import { callApi, makeAccount } from "../support/api";
import { useTestDatabase } from "../support/api-setup";
import { makeInstance } from "../support/make-instance";
import { makePublicKey, makeSecret } from "../support/world";

useTestDatabase();

const PRIVATE_KEY = "-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXk\n-----END OPENSSH PRIVATE KEY-----";

describe("secrets", () => {
  it("SECR-01 stores a public key with its fingerprint and lists one's own, the newest first", async () => {
    const { userId, key } = await makeAccount();
    const value = makePublicKey();
    const body = { secret_type: "ssh", value: `  ${value}\n`, name: "laptop", description: "mine" };
    const made = await callApi(operations.createSecret, { key, body });
    expect(made.status).toBe(200);
    expect(made.body.data).toMatchObject({
      user_id: userId,
      renter_id: userId,
      value,
      name: "laptop",
      description: "mine",
      secret_type: "ssh",
    });
    expect(made.body.data.fingerprint).toMatch(/^SHA256:[A-Za-z0-9+/]{43}$/);

    const later = await makeSecret(key);
    const listed = await callApi(operations.listSecrets, { key });
    expect(listed.body.data.map(({ id }) => id)).toEqual([later, made.body.data.id]);
    expect(listed.body.total_items).toBe(2);
    const page = await callApi(operations.listSecrets, { key, query: { start: 1, limit: 1 } });
    expect(page.body.data.map(({ id }) => id)).toEqual([made.body.data.id]);
    expect(page.body.total_items).toBe(2);
  });

  it("SECR-02 stores the same key twice, as two records, also when both come at once", async () => {
    const { key } = await makeAccount();
    const body = { value: makePublicKey(), name: "laptop" };
    const answers = await Promise.all([1, 2].map(() => callApi(operations.createSecret, { key, body })));
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    const [first, second] = answers.map((answer) => answer.body.data);
    expect(first?.fingerprint).toBe(second?.fingerprint);
    expect(first?.id).not.toBe(second?.id);
  });

  it.each([
    ["a private key", { value: PRIVATE_KEY, name: "n" }, "value"],
    ["two lines", { value: `${makePublicKey()}\n${makePublicKey()}`, name: "n" }, "value"],
    ["options before the key", { value: `no-pty ${makePublicKey()}`, name: "n" }, "value"],
    ["a type that differs", { value: makePublicKey().replace("ed25519", "rsa"), name: "n" }, "value"],
    ["no value", { name: "n" }, "value"],
    ["no name", { value: makePublicKey() }, "name"],
    ["another kind of secret", { secret_type: "gpg", value: makePublicKey(), name: "n" }, "secret_type"],
  ])("SECR-03 refuses %s and never repeats it", async (_, body, field) => {
    const { key } = await makeAccount();
    const answer = await callApi(operations.createSecret, { key, body });
    expect(answer.status).toBe(422);
    expect(answer.error.detail).toMatchObject([{ loc: ["body", field] }]);
    expect(JSON.stringify(answer.error)).not.toContain("b3BlbnNzaC1rZXk");
    expect((await callApi(operations.listSecrets, { key })).body.total_items).toBe(0);
  });

  it("SECR-04 deletes a key once", async () => {
    const { key } = await makeAccount();
    const params = { secret_id: await makeSecret(key) };
    const answers = await Promise.all([1, 2].map(() => callApi(operations.deleteSecret, { key, params })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404]);
    expect((await callApi(operations.listSecrets, { key })).body.total_items).toBe(0);
  });

  it("SECR-05 keeps a key that an instance holds, until the instance is destroyed", async () => {
    const { userId, key } = await makeAccount();
    const secretId = await makeSecret(key);
    const instanceId = await makeInstance(userId);
    await db().instanceSecret.create({ data: { instanceId, secretId } });
    const params = { secret_id: secretId };
    const refused = await callApi(operations.deleteSecret, { key, params });
    expect([refused.status, refused.error.code]).toEqual([409, "in_use"]);

    await db().instance.update({
      where: { id: instanceId },
      data: { status: "destroyed", destroyedAt: new Date(), holdsLease: false },
    });
    expect((await callApi(operations.deleteSecret, { key, params })).status).toBe(200);
  });

  it("SECR-06 answers for another's key as for a missing one, and leaves it", async () => {
    const [owner, other] = [await makeAccount(), await makeAccount()];
    const secretId = await makeSecret(owner.key);
    const headers = { "x-request-id": "same" };
    const ask = (id: string) =>
      callApi(operations.deleteSecret, { key: other.key, params: { secret_id: id }, headers });
    const [foreign, missing] = [await ask(secretId), await ask("key_missing")];
    expect(foreign.status).toBe(404);
    expect(foreign.error).toEqual(missing.error);
    expect((await callApi(operations.listSecrets, { key: other.key })).body.total_items).toBe(0);
    expect((await callApi(operations.listSecrets, { key: owner.key })).body.total_items).toBe(1);
  });

  it("SECR-07 lets a key that is being attached not be deleted in between", async () => {
    const { userId, key } = await makeAccount();
    const secretId = await makeSecret(key);
    const instanceId = await makeInstance(userId);
    const params = { secret_id: secretId };
    let deleting: ReturnType<typeof callApi> | undefined;
    await inTransaction(async (tx) => {
      await getOwnSecrets(tx, userId, [secretId, secretId]);
      deleting = callApi(operations.deleteSecret, { key, params });
      await new Promise((resolve) => setTimeout(resolve, 200));
      await tx.instanceSecret.create({ data: { instanceId, secretId } });
    });
    expect((await deleting)?.status).toBe(409);
    await expect(inTransaction((tx) => getOwnSecrets(tx, "user_other", [secretId]))).rejects.toMatchObject({
      code: "not_found",
    });
  });
});
