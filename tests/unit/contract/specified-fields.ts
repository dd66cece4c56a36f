import type { z } from "zod";
import { gpu } from "../../../lib/contract/gpu";
import { host } from "../../../lib/contract/host";
import { createInstanceBody, instance } from "../../../lib/contract/instance";
import {
  configuration,
  embeddedProvider,
  fullOffer,
  location,
  marketOffer,
  searchBody,
  searchFilters,
} from "../../../lib/contract/offer";
import { provider } from "../../../lib/contract/provider";
import { createSecretBody, secret } from "../../../lib/contract/secret";
import {
  createTemplateBody,
  template,
  templateSnapshot,
  updateTemplateBody,
} from "../../../lib/contract/template";

type Specified = {
  /** The section of the specification whose table it is, where there is one. */
  section?: string;
  schema: z.ZodObject;
  fields: string;
  /** What the decisions add. */
  additions?: string;
};

const bounds =
  "price_gt price_lt vram_gt vram_lt ram_gt ram_lt disk_gt disk_lt vcpu_gt vcpu_lt cpu_cores_gt cpu_cores_lt " +
  "cpu_freq_gt cpu_freq_lt memory_speed_gt memory_speed_lt ethernet_in_gt ethernet_in_lt ethernet_out_gt " +
  "ethernet_out_lt capacity_gt capacity_lt";

const templateBody =
  "name description image image_tag docker_username docker_password docker_registry env use_ssh use_jupyter " +
  "direct_ssh jupyter_directory use_jupyter_lab on_start_command recommended_disk_space is_private ssh_username";

/** Copied by hand from the specification, so that the check holds where the document is not at hand. */
export const specified: Record<string, Specified> = {
  configuration: {
    section: "2.2",
    schema: configuration,
    fields:
      "ram disk cpu_name vcpu cpu_cores cpu_freq memory_speed ethernet_in ethernet_out capacity max_cuda_version",
  },
  location: { section: "2.3", schema: location, fields: "city country region" },
  marketOffer: {
    section: "2.4",
    schema: marketOffer,
    fields:
      "id provider_translit_name gpu_amount gpu_name gpu_translit_name vram configuration in_stock rentable prices " +
      "location url disk_prices",
    additions: "is_third_party simulated score host_verified updated_at",
  },
  fullOffer: {
    section: "2.5",
    schema: fullOffer,
    fields:
      "id gpu_name configuration in_stock rentable provider gpu_amount gpu_translit_name vram prices location extra " +
      "url is_third_party offers_amount countries_amount disk_prices available_until real_price disk_real_price",
  },
  embeddedProvider: {
    section: "2.6",
    schema: embeddedProvider,
    fields: "id name translit_name country logo meta_title meta_description use_vpn",
  },
  provider: {
    section: "2.7",
    schema: provider,
    fields: "id name translit_name country logo description offers gpus_count",
  },
  gpu: {
    section: "2.8",
    schema: gpu,
    fields:
      "id name description translit_name interface best_price currency features configuration benchmarks",
  },
  template: {
    section: "2.9",
    schema: template,
    fields:
      "id image owner_id name description image_tag docker_login env use_ssh use_jupyter direct_ssh " +
      "jupyter_directory use_jupyter_lab on_start_command search_params recommended_disk_space href picture " +
      "is_private ssh_username",
    additions: "docker_registry ports readme is_published",
  },
  templateSnapshot: {
    section: "2.10",
    schema: templateSnapshot,
    fields:
      "id image created_at user_id name description readme image_tag docker_private env_variables command ports " +
      "ssh_enabled ssh_username ui_available ui_path ui_port min_storage_gb gpus url picture is_private " +
      "template_version",
  },
  instance: {
    section: "2.11",
    schema: instance,
    fields:
      "id user_id created_at actual_offer actual_template hoster_id host_id third_party_id cloud_id total_cost " +
      "total_uptime storage_gb initialized_at prepaid_until is_prepaid uptime_price pause_price gpu_util cpu_util " +
      "ram_util mem_util inet_in inet_out status message logs ports address ssh_enabled ssh_port ssh_host " +
      "ssh_username ssh_password ssh_keys ui_available ui_url tunnel_host tunnel_token red_flagged label " +
      "deployment_data deployment_type is_raw",
    additions: "actions phase name reserve_period auto_renew fingerprint",
  },
  host: {
    section: "2.12",
    schema: host,
    fields: "id offer address agent_port fingerprint agent_id status status_reason",
  },
  secret: {
    section: "2.13",
    schema: secret,
    fields: "id user_id name value created_at secret_type description renter_id",
    additions: "fingerprint",
  },
  searchBody: { schema: searchBody, fields: "currency query sort_by", additions: "start limit" },
  searchFilters: {
    schema: searchFilters,
    fields: `location gpu_translit_name provider cpu_name in_stock rentable gpu_amount score_gt ${bounds}`,
  },
  createTemplateBody: {
    section: "4.3",
    schema: createTemplateBody,
    fields: templateBody,
    additions: "ports readme search_params href picture",
  },
  updateTemplateBody: {
    section: "4.3",
    schema: updateTemplateBody,
    fields: templateBody,
    additions: "ports readme search_params href picture",
  },
  createInstanceBody: {
    schema: createInstanceBody,
    fields: "offer_id template_id reserve_period",
    additions: "disk_gb secret_ids name label auto_renew expected_price currency",
  },
  createSecretBody: { schema: createSecretBody, fields: "secret_type value name description" },
};

/** Also copied by hand. */
export const specifiedOperations = {
  ping: "GET /v0/ping",
  searchMarket: "POST /v0/market/search",
  getGpu: "GET /v0/market/gpus/{gpu_translit_name}",
  listProviders: "GET /v0/market/providers",
  getProvider: "GET /v0/market/providers/{provider_translit_name}",
  listTemplates: "GET /v0/templates",
  createTemplate: "POST /v0/templates/create",
  getTemplate: "GET /v0/templates/{template_id}",
  updateTemplate: "PUT /v0/templates/{template_id}",
  deleteTemplate: "DELETE /v0/templates/{template_id}",
  createInstance: "POST /v0/instances/create",
  listInstances: "GET /v0/instances",
  controlInstance: "PUT /v0/instances/{instance_id}",
  deleteInstance: "DELETE /v0/instances/{instance_id}",
  rebootInstance: "POST /v0/instances/reboot/{instance_id}",
  attachSecret: "POST /v0/instances/secrets/{instance_id}",
  detachSecret: "DELETE /v0/instances/secrets/{instance_id}",
  listSecrets: "GET /v0/secrets",
  createSecret: "POST /v0/secrets",
  deleteSecret: "DELETE /v0/secrets/{secret_id}",
  listHosts: "GET /v0/hosts",
  updateHost: "PUT /v0/hosts/{host_id}",
  deleteHost: "DELETE /v0/hosts/{host_id}",
};

/** What Berth adds to the operations of the specification. */
export const addedOperations = {
  countMarketFacets: "POST /v0/market/facets",
  suggestRelaxation: "POST /v0/market/relax",
  getOffer: "GET /v0/market/offers/{offer_id}",
  listGpus: "GET /v0/market/gpus",
  listGpuPrices: "GET /v0/market/gpus/{gpu_translit_name}/history",
  listSavedSearches: "GET /v0/market/searches",
  createSavedSearch: "POST /v0/market/searches",
  deleteSavedSearch: "DELETE /v0/market/searches/{search_id}",
  getBilling: "GET /v0/billing",
  listBillingEntries: "GET /v0/billing/entries",
  listBillingUsage: "GET /v0/billing/usage",
  listHostEarnings: "GET /v0/hosts/{host_id}/earnings",
  createHostToken: "POST /v0/hosts/tokens",
  listHostTokens: "GET /v0/hosts/tokens",
  withdrawHost: "POST /v0/hosts/{host_id}/withdraw",
  followMarketChanges: "GET /v0/market/changes",
  getHostOverview: "GET /v0/hosts/{host_id}/overview",
  relistHost: "POST /v0/hosts/{host_id}/list",
  revokeHostToken: "DELETE /v0/hosts/tokens/{token_id}",
  getAccount: "GET /v0/account",
  updateAccount: "PUT /v0/account",
  deleteAccount: "DELETE /v0/account",
  listApiKeys: "GET /v0/keys",
  createApiKey: "POST /v0/keys",
  rollApiKey: "POST /v0/keys/{key_id}/roll",
  revokeApiKey: "DELETE /v0/keys/{key_id}",
  listEvents: "GET /v0/events",
  listInstanceLogs: "GET /v0/instances/{instance_id}/logs",
  listOperatorAccounts: "GET /v0/operator/accounts",
  createOperatorAccount: "POST /v0/operator/accounts",
  creditAccount: "POST /v0/operator/accounts/{account_id}/credit",
  suspendAccount: "POST /v0/operator/accounts/{account_id}/suspend",
  restoreAccount: "POST /v0/operator/accounts/{account_id}/restore",
  createSignInLink: "POST /v0/operator/accounts/{account_id}/sign-in-link",
  createResetLink: "POST /v0/operator/accounts/{account_id}/reset-link",
  listOperatorHosts: "GET /v0/operator/hosts",
  judgeHost: "PUT /v0/operator/hosts/{host_id}",
  listOperatorInstances: "GET /v0/operator/instances",
  destroyOperatorInstance: "DELETE /v0/operator/instances/{instance_id}",
  flagInstance: "PUT /v0/operator/instances/{instance_id}",
  createImport: "POST /v0/operator/imports",
  listImports: "GET /v0/operator/imports",
  getImport: "GET /v0/operator/imports/{import_id}",
  listOperatorTemplates: "GET /v0/operator/templates",
  publishTemplate: "PUT /v0/operator/templates/{template_id}",
  listRates: "GET /v0/operator/rates",
  setRate: "PUT /v0/operator/rates",
  verifyLedger: "POST /v0/operator/ledger/verify",
  listInstanceMetrics: "GET /v0/instances/{instance_id}/metrics",
};
