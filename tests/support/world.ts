import { generateKeyPairSync } from "node:crypto";
import { createApiKey } from "@/lib/accounts/create-api-key";
import { createHostToken } from "@/lib/agents/create-host-token";
import { writeBerthLine } from "@/lib/catalogue/berth-line";
import { generateOffers } from "@/lib/catalogue/generate-offers";
import type { OperationName } from "@/lib/contract/operations";
import { operations } from "@/lib/contract/operations";
import { db, type Prisma } from "@/lib/db/client";
import { newId } from "@/lib/kernel/ids";
import { callApi, makeAccount, makeOffer, makeProvider, makeTemplate } from "./api";

/** One account with one of everything; it is an operator's too, so that every operation answers it. */
export interface World {
  userId: string;
  key: string;
  offerId: string;
  templateId: string;
  /** Not attached to the instance. */
  secretId: string;
  attachedSecretId: string;
  /** Running; on an offer of its own. */
  instanceId: string;
  hostId: string;
  searchId: string;
  /** That no machine has used. */
  hostTokenId: string;
  /** Of a second API key, which nobody calls with. */
  keyId: string;
  provider: string;
  /** Of a catalogue, and done. */
  importId: string;
  /** Another's account, for an operator to work on. */
  customerId: string;
}

export const GPU = "rtx-4090";

/** A public key line as `ssh-keygen -t ed25519` writes it. */
export function makePublicKey(): string {
  const { publicKey } = generateKeyPairSync("ed25519");
  const point = Buffer.from(publicKey.export({ format: "jwk" }).x ?? "", "base64url");
  const blob = Buffer.concat([
    Buffer.from([0, 0, 0, 11]),
    Buffer.from("ssh-ed25519"),
    Buffer.from([0, 0, 0, 32]),
  ]);
  return `ssh-ed25519 ${Buffer.concat([blob, point]).toString("base64")} test@example.com`;
}

export async function makeGpu(): Promise<void> {
  await db().gpu.createMany({
    data: {
      id: newId("gpu"),
      translitName: GPU,
      name: "RTX 4090",
      vendor: "NVIDIA",
      architecture: "Ada Lovelace",
      segment: "consumer",
      vramGb: 24,
      memoryBandwidthGbps: 1008,
      fp32Tflops: 82.6,
      fp16Tflops: 165.2,
      tdpWatts: 450,
      interface: "PCIe 4.0 x16",
      launchYear: 2022,
      features: ["cuda"],
      benchmarks: [],
      descriptionEn: "A card",
      descriptionRu: "Карта",
      source: "https://example.com",
    },
    skipDuplicates: true,
  });
}

export async function makeHost(userId: string): Promise<{ hostId: string; offerId: string }> {
  const hostId = newId("host");
  await db().host.create({ data: { id: hostId, userId, runtime: "simulated", status: "active" } });
  const owned = await db().provider.findUnique({ where: { ownerId: userId } });
  const providerId = owned?.id ?? (await makeProvider({ ownerId: userId, isThirdParty: false }));
  const offer = { providerId, hostId, isThirdParty: false, catalogueSource: null, catalogueKey: null };
  const { offerId } = await makeOffer({ ...offer, gpuTranslitName: GPU });
  return { hostId, offerId };
}

export async function makeSecret(key: string): Promise<string> {
  const body = { value: makePublicKey(), name: "laptop" };
  return (await callApi(operations.createSecret, { key, body })).body.data.id;
}

async function makeSavedSearch(key: string): Promise<string> {
  const body = { name: "Cheap", search: { query: { rentable: true, price_lt: 1 } } };
  return (await callApi(operations.createSavedSearch, { key, body })).body.data.id;
}

/** Puts an instance where the reconciler would have brought it, without one. */
async function setRunning(instanceId: string): Promise<void> {
  await db().$transaction([
    db().$executeRaw`
      UPDATE instance SET status = 'running', phase = 'running', initialized_at = now(), status_changed_at = now()
      WHERE id = ${instanceId}`,
    db().$executeRaw`
      INSERT INTO meter_interval (instance_id, kind, rate_micro, started_at, settled_until)
      SELECT id, 'running', uptime_micro, now(), now() FROM instance WHERE id = ${instanceId}`,
    db().$executeRaw`
      INSERT INTO simulated_container (instance_id, boot, booted_at, pull_ms)
      SELECT id, wanted_boot, now(), 0 FROM instance WHERE id = ${instanceId}`,
  ]);
}

export async function rent(
  key: string,
  body: { offer_id: string; template_id: string; secret_ids?: string[] },
) {
  const answer = await callApi(operations.createInstance, { key, body });
  const id = answer.status === 200 ? answer.body.data[0]?.id : undefined;
  if (!id) throw new Error(`renting answered ${answer.status} ${answer.error.code}`);
  return id;
}

/** A row of an import that nobody runs. */
export async function makeImport(
  data: Partial<Prisma.CatalogueImportUncheckedCreateInput> = {},
): Promise<string> {
  const id = newId("imp");
  const file = { source: id, fileName: "market.jsonl", format: "berth-jsonl", runtime: "none", sizeBytes: 9 };
  await db().catalogueImport.create({ data: { id, ...file, ...data } });
  return id;
}

/** A catalogue file of one offer. */
function someCatalogue(): string {
  const draft = [...generateOffers({ offers: 100, seed: "1" })].find(
    ({ gpuTranslitName }) => gpuTranslitName === GPU,
  );
  if (!draft) throw new Error("no offer of this GPU was made up");
  return writeBerthLine(draft);
}

export async function makeWorld(): Promise<World> {
  await makeGpu();
  const { userId, key } = await makeAccount({ roles: ["renter", "operator"] });
  const { userId: customerId } = await makeAccount();
  const importId = await makeImport({ status: "done", endedAt: new Date() });
  const providerId = await makeProvider();
  const { translitName: provider } = await db().provider.findUniqueOrThrow({ where: { id: providerId } });
  const { offerId } = await makeOffer({ providerId, gpuTranslitName: GPU });
  const { offerId: rentedId } = await makeOffer({ providerId, gpuTranslitName: GPU });
  const { templateId } = await makeTemplate(userId, { isPrivate: true });
  const [secretId, attachedSecretId] = [await makeSecret(key), await makeSecret(key)];
  const { hostId } = await makeHost(userId);
  const searchId = await makeSavedSearch(key);
  const { id: hostTokenId } = await createHostToken(userId);
  const instanceId = await rent(key, {
    offer_id: rentedId,
    template_id: templateId,
    secret_ids: [attachedSecretId],
  });
  await setRunning(instanceId);
  const { id: keyId } = await createApiKey({ userId, name: "spare" });
  return {
    userId,
    key,
    offerId,
    templateId,
    secretId,
    attachedSecretId,
    instanceId,
    hostId,
    searchId,
    hostTokenId,
    keyId,
    provider,
    importId,
    customerId,
  };
}

export interface CallInput {
  params?: Record<string, string>;
  query?: Record<string, string>;
  body?: object;
  /** Instead of `body`, of an operation that takes a file. */
  file?: string;
}

/** What makes each operation answer 200 in a fresh world, or 403 where only a browser may call it. */
export function happyInput(world: World): Record<OperationName, CallInput> {
  const instance = { params: { instance_id: world.instanceId } };
  const template = { params: { template_id: world.templateId } };
  const host = { params: { host_id: world.hostId } };
  const apiKey = { params: { key_id: world.keyId } };
  const account = { params: { account_id: world.customerId } };
  return {
    ping: {},
    searchMarket: { body: {} },
    countMarketFacets: { body: {} },
    getOffer: { params: { offer_id: world.offerId } },
    listGpus: {},
    listGpuPrices: { params: { gpu_translit_name: GPU } },
    listSavedSearches: {},
    createSavedSearch: { body: { name: "Another", search: { query: { rentable: true } } } },
    deleteSavedSearch: { params: { search_id: world.searchId } },
    suggestRelaxation: { body: { query: { rentable: true } } },
    getGpu: { params: { gpu_translit_name: GPU } },
    listProviders: {},
    getProvider: { params: { provider_translit_name: world.provider } },
    listTemplates: {},
    createTemplate: { body: { name: "Mine", image: "ubuntu" } },
    getTemplate: template,
    updateTemplate: { ...template, body: { name: "Renamed" } },
    deleteTemplate: template,
    createInstance: { body: { offer_id: world.offerId, template_id: world.templateId } },
    listInstances: {},
    controlInstance: { ...instance, query: { action: "pause" } },
    deleteInstance: instance,
    rebootInstance: instance,
    attachSecret: { ...instance, body: { secret_id: world.secretId } },
    detachSecret: { ...instance, body: { secret_id: world.attachedSecretId } },
    listSecrets: {},
    createSecret: { body: { value: makePublicKey(), name: "desktop" } },
    deleteSecret: { params: { secret_id: world.secretId } },
    listHosts: {},
    updateHost: { ...host, body: { price: 1.25 } },
    deleteHost: host,
    getBilling: {},
    listBillingEntries: {},
    listBillingUsage: {},
    listHostEarnings: host,
    withdrawHost: host,
    relistHost: host,
    followMarketChanges: {},
    getHostOverview: { ...host, query: { price: "1.25" } },
    createHostToken: { body: { expires_in_hours: 2 } },
    listHostTokens: {},
    revokeHostToken: { params: { token_id: world.hostTokenId } },
    listEvents: {},
    getAccount: {},
    updateAccount: { body: { name: "Mira" } },
    deleteAccount: { body: { confirm: "mira@example.com" } },
    listApiKeys: {},
    createApiKey: { body: { name: "ci", scopes: ["keys:write"] } },
    rollApiKey: { ...apiKey, body: { grace_hours: 1 } },
    revokeApiKey: apiKey,
    listInstanceLogs: instance,
    listInstanceMetrics: instance,
    listOperatorAccounts: {},
    createOperatorAccount: { body: { email: `${newId("user").toLowerCase()}@example.com`, name: "Ada" } },
    creditAccount: { ...account, body: { kind: "credit", amount: 2.5, reference: newId("req") } },
    suspendAccount: account,
    restoreAccount: account,
    createSignInLink: account,
    createResetLink: account,
    listOperatorHosts: {},
    judgeHost: { ...host, body: { verdict: "verify" } },
    listOperatorInstances: {},
    destroyOperatorInstance: { ...instance, body: { reason: "It mines." } },
    flagInstance: { ...instance, body: { flagged: true, note: "Hot" } },
    createImport: { query: { name: `${newId("imp")}.jsonl` }, file: someCatalogue() },
    listImports: {},
    getImport: { params: { import_id: world.importId } },
    listOperatorTemplates: {},
    publishTemplate: { ...template, body: { published: true } },
    listRates: {},
    setRate: { body: { currency: "QOIN", units_per_usd: "2" } },
    verifyLedger: {},
  };
}
