import { expect } from "vitest";
import { openBalance } from "@/lib/accounts/open-balance";
import { creditAccount } from "@/lib/billing/credit-account";
import { errorBody, validationDetail } from "@/lib/contract/errors";
import type { Operation } from "@/lib/contract/operation";
import type { BodyInput, Operations, ResponseOf } from "@/lib/contract/operations";
import { type Scope, scopes } from "@/lib/contract/words";
import { db, type Prisma } from "@/lib/db/client";
import { toResponse } from "@/lib/http/answers";
import { dispatch } from "@/lib/http/router";
import { newId } from "@/lib/kernel/ids";
import { decimalToMicro } from "@/lib/kernel/money";
import { makeToken } from "@/lib/kernel/token";

type AnyOperation = Operations[keyof Operations];

interface CallOptions<Op> {
  key?: string;
  params?: Record<string, string>;
  query?: Record<string, string | number>;
  body?: BodyInput<Op> | object;
  rawBody?: string | Uint8Array;
  headers?: Record<string, string>;
}

interface CallResult<Op> {
  status: number;
  headers: Headers;
  /** Typed as the success; look at `status` first. */
  body: ResponseOf<Op>;
  /** The same bytes, for errors. */
  error: { code?: string; detail?: unknown; price?: number; request_id?: string };
}

/** The URL path of an operation with its parameters put in. */
export function pathOf(operation: Operation, params: Record<string, string> = {}): string {
  return operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ""));
}

/** Holds an answer to the contract: the operation's own schema for a 200, the errors' schemas for the rest. */
export function checkAnswer(operation: Operation, status: number, body: unknown): void {
  const schema = status === 200 ? operation.response : status === 422 ? validationDetail : errorBody;
  const parsed = schema.safeParse(body);
  expect(parsed.error?.issues ?? [], `${operation.id} answered ${status} against its contract`).toEqual([]);
}

/** Calls an operation in process, through the router, with every answer held to the contract. */
export async function callApi<Op extends AnyOperation>(
  operation: Op,
  options: CallOptions<Op> = {},
): Promise<CallResult<Op>> {
  const url = new URL(`http://127.0.0.1${pathOf(operation, options.params)}`);
  for (const [name, value] of Object.entries(options.query ?? {})) url.searchParams.set(name, String(value));
  const headers = new Headers(options.headers);
  if (options.key) headers.set("x-api-key", options.key);
  const payload = options.rawBody ?? (options.body === undefined ? undefined : JSON.stringify(options.body));
  if (payload !== undefined && !headers.has("content-type")) headers.set("content-type", "application/json");
  const body = typeof payload === "string" || payload === undefined ? payload : Buffer.from(payload);
  const request = new Request(url, { method: operation.method, headers, body: body ?? null });
  const answer = toResponse(await dispatch(request, { address: "127.0.0.1" }));
  const json = await answer.json();
  checkAnswer(operation, answer.status, json);
  expect(answer.headers.get("x-request-id")).toBeTruthy();
  return { status: answer.status, headers: answer.headers, body: json, error: json };
}

/** An account of one's own with a key; by default 1,000 USD and every scope. */
export async function makeAccount(
  options: { balanceUsd?: number; roles?: string[]; scopes?: Scope[] } = {},
): Promise<{ userId: string; key: string }> {
  const userId = newId("user");
  const { id, token, secretHash } = makeToken("ak");
  await db().user.create({
    data: {
      id: userId,
      name: "Test",
      email: `${userId.toLowerCase()}@example.com`,
      roles: options.roles ?? ["renter"],
      apiKeys: {
        create: {
          id,
          name: "test",
          secretHash: new Uint8Array(secretHash),
          scopes: [...(options.scopes ?? scopes)],
        },
      },
    },
  });
  await openBalance(db(), userId, decimalToMicro(options.balanceUsd ?? 1000));
  return { userId, key: token };
}

/** A provider of a catalogue. */
export async function makeProvider(data: Partial<Prisma.ProviderUncheckedCreateInput> = {}): Promise<string> {
  const id = newId("prov");
  await db().provider.create({
    data: { id, name: `Provider ${id}`, translitName: id.toLowerCase(), isThirdParty: true, ...data },
  });
  return id;
}

/** A rentable catalogue offer on the simulated runtime, of 0.5 USD an hour and disk of 0.1 USD a GB and month. */
export async function makeOffer(
  data: Partial<Prisma.OfferUncheckedCreateInput> = {},
): Promise<{ offerId: string }> {
  const offerId = newId("offer");
  const providerId = data.providerId ?? (await makeProvider());
  await db().offer.create({
    data: {
      id: offerId,
      gpuName: "RTX 4090",
      gpuAmount: 1,
      vramGb: 24,
      ramGb: 64,
      diskGb: 500,
      city: "Oslo",
      country: "Norway",
      region: "Europe",
      priceMicro: 500_000n,
      diskPriceMicro: 100_000n,
      isThirdParty: true,
      runtime: "simulated",
      catalogueSource: "test",
      catalogueKey: offerId,
      ...data,
      providerId,
    },
  });
  return { offerId };
}

/** A minimal template of an account. */
export async function makeTemplate(
  userId: string,
  data: Partial<Prisma.TemplateUncheckedCreateInput> = {},
): Promise<{ templateId: string }> {
  const templateId = newId("tmpl");
  await db().template.create({
    data: {
      id: templateId,
      userId,
      name: "Ubuntu",
      image: "ubuntu",
      imageTag: "24.04",
      useSsh: true,
      ...data,
    },
  });
  return { templateId };
}

/** Brings a balance to an amount, by the credit or debit that it takes. */
export async function setBalance(userId: string, micro: bigint): Promise<void> {
  const { availableMicro } = await db().balance.findUniqueOrThrow({ where: { userId } });
  const amountMicro = micro - availableMicro;
  if (amountMicro !== 0n) await creditAccount({ userId, amountMicro, reference: newId("req") });
}
