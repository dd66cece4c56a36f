import type { Method } from "../contract/operation";
import type { OperationName, Operations } from "../contract/operations";

/**
 * Where each operation is, without its schemas: a browser need not load those. The compiler holds every line against
 * the contract.
 */
export const endpoints: {
  readonly [Name in OperationName]: {
    readonly method: Operations[Name]["method"] & Method;
    readonly path: Operations[Name]["path"];
  };
} = {
  ping: { method: "GET", path: "/v0/ping" },
  searchMarket: { method: "POST", path: "/v0/market/search" },
  countMarketFacets: { method: "POST", path: "/v0/market/facets" },
  suggestRelaxation: { method: "POST", path: "/v0/market/relax" },
  followMarketChanges: { method: "GET", path: "/v0/market/changes" },
  getGpu: { method: "GET", path: "/v0/market/gpus/{gpu_translit_name}" },
  listProviders: { method: "GET", path: "/v0/market/providers" },
  getProvider: { method: "GET", path: "/v0/market/providers/{provider_translit_name}" },
  listTemplates: { method: "GET", path: "/v0/templates" },
  createTemplate: { method: "POST", path: "/v0/templates/create" },
  getTemplate: { method: "GET", path: "/v0/templates/{template_id}" },
  updateTemplate: { method: "PUT", path: "/v0/templates/{template_id}" },
  deleteTemplate: { method: "DELETE", path: "/v0/templates/{template_id}" },
  createInstance: { method: "POST", path: "/v0/instances/create" },
  listInstances: { method: "GET", path: "/v0/instances" },
  controlInstance: { method: "PUT", path: "/v0/instances/{instance_id}" },
  deleteInstance: { method: "DELETE", path: "/v0/instances/{instance_id}" },
  rebootInstance: { method: "POST", path: "/v0/instances/reboot/{instance_id}" },
  attachSecret: { method: "POST", path: "/v0/instances/secrets/{instance_id}" },
  detachSecret: { method: "DELETE", path: "/v0/instances/secrets/{instance_id}" },
  listInstanceLogs: { method: "GET", path: "/v0/instances/{instance_id}/logs" },
  listInstanceMetrics: { method: "GET", path: "/v0/instances/{instance_id}/metrics" },
  listSecrets: { method: "GET", path: "/v0/secrets" },
  createSecret: { method: "POST", path: "/v0/secrets" },
  deleteSecret: { method: "DELETE", path: "/v0/secrets/{secret_id}" },
  listHosts: { method: "GET", path: "/v0/hosts" },
  updateHost: { method: "PUT", path: "/v0/hosts/{host_id}" },
  deleteHost: { method: "DELETE", path: "/v0/hosts/{host_id}" },
  createHostToken: { method: "POST", path: "/v0/hosts/tokens" },
  listHostTokens: { method: "GET", path: "/v0/hosts/tokens" },
  revokeHostToken: { method: "DELETE", path: "/v0/hosts/tokens/{token_id}" },
  withdrawHost: { method: "POST", path: "/v0/hosts/{host_id}/withdraw" },
  relistHost: { method: "POST", path: "/v0/hosts/{host_id}/list" },
  getHostOverview: { method: "GET", path: "/v0/hosts/{host_id}/overview" },
  getBilling: { method: "GET", path: "/v0/billing" },
  listBillingEntries: { method: "GET", path: "/v0/billing/entries" },
  listBillingUsage: { method: "GET", path: "/v0/billing/usage" },
  listHostEarnings: { method: "GET", path: "/v0/hosts/{host_id}/earnings" },
  listEvents: { method: "GET", path: "/v0/events" },
  listApiKeys: { method: "GET", path: "/v0/keys" },
  createApiKey: { method: "POST", path: "/v0/keys" },
  rollApiKey: { method: "POST", path: "/v0/keys/{key_id}/roll" },
  revokeApiKey: { method: "DELETE", path: "/v0/keys/{key_id}" },
  listOperatorAccounts: { method: "GET", path: "/v0/operator/accounts" },
  createOperatorAccount: { method: "POST", path: "/v0/operator/accounts" },
  creditAccount: { method: "POST", path: "/v0/operator/accounts/{account_id}/credit" },
  suspendAccount: { method: "POST", path: "/v0/operator/accounts/{account_id}/suspend" },
  restoreAccount: { method: "POST", path: "/v0/operator/accounts/{account_id}/restore" },
  createSignInLink: { method: "POST", path: "/v0/operator/accounts/{account_id}/sign-in-link" },
  createResetLink: { method: "POST", path: "/v0/operator/accounts/{account_id}/reset-link" },
  listRates: { method: "GET", path: "/v0/operator/rates" },
  setRate: { method: "PUT", path: "/v0/operator/rates" },
  verifyLedger: { method: "POST", path: "/v0/operator/ledger/verify" },
  listOperatorHosts: { method: "GET", path: "/v0/operator/hosts" },
  judgeHost: { method: "PUT", path: "/v0/operator/hosts/{host_id}" },
  listOperatorInstances: { method: "GET", path: "/v0/operator/instances" },
  destroyOperatorInstance: { method: "DELETE", path: "/v0/operator/instances/{instance_id}" },
  listOperatorTemplates: { method: "GET", path: "/v0/operator/templates" },
  publishTemplate: { method: "PUT", path: "/v0/operator/templates/{template_id}" },
};
