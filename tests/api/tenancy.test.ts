import { beforeAll, describe, expect, it } from "vitest";
import type { OperationName } from "@/lib/contract/operations";
import { operations } from "@/lib/contract/operations";
import { db } from "@/lib/db/client";
import { newId } from "@/lib/kernel/ids";
import { checkAnswer } from "../support/api";
import { useTestDatabase } from "../support/api-setup";
import { MISSING, sendTo } from "../support/send";
import { type CallInput, happyInput, makeWorld, type World } from "../support/world";

useTestDatabase();

let mine: World;
let theirs: World;
beforeAll(async () => {
  mine = await makeWorld();
  theirs = await makeWorld();
});

type Place = "params" | "query" | "body";
type OwnedId =
  | "searchId"
  | "templateId"
  | "secretId"
  | "attachedSecretId"
  | "instanceId"
  | "hostId"
  | "hostTokenId"
  | "keyId";

/** Every place of every operation where an id of something that somebody owns can stand. */
const matrix: [OperationName, Place, string, OwnedId][] = [
  ["getTemplate", "params", "template_id", "templateId"],
  ["updateTemplate", "params", "template_id", "templateId"],
  ["deleteTemplate", "params", "template_id", "templateId"],
  ["createInstance", "body", "template_id", "templateId"],
  ["createInstance", "body", "secret_ids", "secretId"],
  ["controlInstance", "params", "instance_id", "instanceId"],
  ["deleteInstance", "params", "instance_id", "instanceId"],
  ["rebootInstance", "params", "instance_id", "instanceId"],
  ["attachSecret", "params", "instance_id", "instanceId"],
  ["attachSecret", "body", "secret_id", "secretId"],
  ["detachSecret", "params", "instance_id", "instanceId"],
  ["detachSecret", "body", "secret_id", "attachedSecretId"],
  ["detachSecret", "query", "secret_id", "attachedSecretId"],
  ["listInstanceLogs", "params", "instance_id", "instanceId"],
  ["listInstanceMetrics", "params", "instance_id", "instanceId"],
  ["deleteSecret", "params", "secret_id", "secretId"],
  ["deleteSavedSearch", "params", "search_id", "searchId"],
  ["updateHost", "params", "host_id", "hostId"],
  ["deleteHost", "params", "host_id", "hostId"],
  ["withdrawHost", "params", "host_id", "hostId"],
  ["getHostOverview", "params", "host_id", "hostId"],
  ["relistHost", "params", "host_id", "hostId"],
  ["revokeHostToken", "params", "token_id", "hostTokenId"],
  ["listHostEarnings", "params", "host_id", "hostId"],
  ["rollApiKey", "params", "key_id", "keyId"],
  ["revokeApiKey", "params", "key_id", "keyId"],
];

/** Every list that can be narrowed to an owned thing: another's narrows it to nothing, as a missing one does. */
const filters: [OperationName, string, OwnedId][] = [
  ["listBillingEntries", "instance_id", "instanceId"],
  ["listBillingEntries", "host_id", "hostId"],
  ["listBillingUsage", "instance_id", "instanceId"],
  ["listEvents", "subject_id", "instanceId"],
];

/** The operation's happy input in my world, with another id in one place. */
function inputWith(id: OperationName, place: Place, field: string, value: string): CallInput {
  const input = happyInput(mine)[id];
  if (place === "query") return { ...input, query: { [field]: value }, body: {} };
  const given: string | string[] = field === "secret_ids" ? [value] : value;
  return { ...input, [place]: { ...input[place], [field]: given } };
}

async function ask(id: OperationName, input: CallInput): Promise<{ status: number; text: string }> {
  const headers = { "x-request-id": "same" };
  const answer = await sendTo(operations[id], input, { key: mine.key, headers });
  const text = await answer.text();
  checkAnswer(operations[id], answer.status, JSON.parse(text));
  return { status: answer.status, text };
}

/** Something is used of the world's instance, as if it stood on the world's host, and as if another earned it. */
async function moveMoney({ userId, instanceId, hostId }: World): Promise<void> {
  const cause = newId("req");
  const owned = { userId, instanceId, hostId, payeeId: "prov_nobody" };
  const moved = { renterMicro: -3n, hostMicro: 2n, feeMicro: 1n };
  await db().ledgerMovement.create({ data: { cause, kind: "usage", ...owned, ...moved } });
}

/** Every row that a request could have changed, as text. */
function readEverything(): Promise<unknown> {
  return db().$queryRaw`
    SELECT 'template' AS name, t::text FROM template t
    UNION ALL SELECT 'secret', t::text FROM secret t
    UNION ALL SELECT 'saved_search', t::text FROM saved_search t
    UNION ALL SELECT 'instance', t::text FROM instance t
    UNION ALL SELECT 'instance_secret', t::text FROM instance_secret t
    UNION ALL SELECT 'meter_interval', t::text FROM meter_interval t
    UNION ALL SELECT 'host', t::text FROM host t
    UNION ALL SELECT 'host_token', t::text FROM host_token t
    UNION ALL SELECT 'offer', t::text FROM offer t
    UNION ALL SELECT 'balance', t::text FROM balance t
    UNION ALL SELECT 'event', t::text FROM event t
    UNION ALL SELECT 'api_key', (t.id, t.user_id, t.name, t.scopes, t.expires_at, t.revoked_at)::text FROM api_key t
    UNION ALL SELECT 'ledger_movement', t::text FROM ledger_movement t
    ORDER BY 1, 2`;
}

describe("tenancy", () => {
  it("TEN-01 knows every place where an id of an owned thing can stand", () => {
    // What an operator does with everybody's things is held by OPER-01.
    const named = Object.values(operations).flatMap((operation) => {
      const { id, example } = operation;
      if ("role" in operation) return [];
      const { params, query, request } = { params: {}, query: {}, request: {}, ...example };
      const places = [
        ["params", params],
        ["query", query],
        ["body", request],
      ] as const;
      return places.flatMap(([place, fields]) =>
        Object.keys(fields)
          .filter((field) => /_ids?$/.test(field) && field !== "offer_id")
          .map((field) => `${id} ${place} ${field}`),
      );
    });
    const covered = matrix.map(([id, place, field]) => `${id} ${place} ${field}`);
    expect(covered).toEqual(expect.arrayContaining(named));
    expect(named.length).toBeGreaterThan(10);
  });

  it.each(matrix)(
    "TEN-02 %s answers another's id in its %s %s as a missing one",
    async (id, place, field, owned) => {
      const before = await readEverything();
      const missing = await ask(id, inputWith(id, place, field, MISSING));
      const foreign = await ask(id, inputWith(id, place, field, theirs[owned]));
      expect(missing.status).toBe(404);
      expect(foreign).toEqual(missing);
      expect(await readEverything()).toEqual(before);
    },
  );

  it.each(matrix)(
    "TEN-03 %s answers any shape of id in its %s %s as a missing one",
    async (id, place, field) => {
      const missing = await ask(id, inputWith(id, place, field, MISSING));
      const shapes = [
        "0",
        "inst_",
        "../etc",
        "a b",
        "ключ",
        "%00",
        "' OR 1=1 --",
        "x".repeat(3000),
        "\u0001",
      ];
      shapes.push("\u0000", "inst_\u0000", "😀", "null", "undefined", "*", "%", "__proto__");
      for (const shape of shapes) {
        expect(await ask(id, inputWith(id, place, field, shape)), JSON.stringify(shape)).toEqual(missing);
      }
    },
  );

  it("TEN-04 no list shows what is another's", async () => {
    for (const world of [mine, theirs]) await moveMoney(world);
    const lists = [
      "listTemplates",
      "listInstances",
      "listSecrets",
      "listHosts",
      "listHostTokens",
      "listApiKeys",
    ] as const;
    for (const id of [
      ...lists,
      "getBilling",
      "listBillingEntries",
      "listBillingUsage",
      "listEvents",
    ] as const) {
      const { text } = await ask(id, {});
      const { templateId, instanceId, secretId, hostId, hostTokenId, keyId } = theirs;
      for (const foreign of [templateId, instanceId, secretId, hostId, hostTokenId, keyId]) {
        expect(text).not.toContain(foreign);
      }
      expect(text).not.toContain(theirs.userId);
    }
  });

  it.each(filters)(
    "TEN-06 %s narrowed to another's %s finds what a missing one finds",
    async (id, field, owned) => {
      await moveMoney(theirs);
      const missing = await ask(id, { query: { [field]: MISSING } });
      expect(JSON.parse(missing.text)).toEqual({ ok: true, data: [], total_items: 0 });
      expect(await ask(id, { query: { [field]: theirs[owned] } })).toEqual(missing);
      for (const shape of ["../etc", "' OR 1=1 --", "x".repeat(3000), "\u0000", "%", "__proto__"]) {
        expect(await ask(id, { query: { [field]: shape } })).toEqual(missing);
      }
    },
  );

  it("TEN-05 another's template is readable once an operator published it, and still not changeable", async () => {
    await db().template.update({
      where: { id: theirs.templateId },
      data: { isPrivate: false, publishedAt: new Date(), dockerUsername: "robot" },
    });
    const input = { params: { template_id: theirs.templateId } };
    const seen = await ask("getTemplate", input);
    expect(seen.status).toBe(200);
    expect(JSON.parse(seen.text).data).toMatchObject({ docker_login: null, docker_registry: null });
    for (const id of ["updateTemplate", "deleteTemplate"] as const) {
      const missing = await ask(id, { ...happyInput(mine)[id], params: { template_id: MISSING } });
      expect(await ask(id, { ...happyInput(mine)[id], ...input })).toEqual(missing);
    }
  });
});
