import type { RouteHandler } from "./handler";

export type RouteModule = Partial<Record<"GET" | "POST" | "PUT" | "DELETE", RouteHandler>>;

/** Every path under /v0 and its file; the tests hold this list against the operations table and the folders. */
export const routeModules: Record<string, () => Promise<RouteModule>> = {
  "/v0/openapi.json": () => import("../../app/v0/openapi.json/route"),
  "/v0/ping": () => import("../../app/v0/ping/route"),
  "/v0/market/search": () => import("../../app/v0/market/search/route"),
  "/v0/market/facets": () => import("../../app/v0/market/facets/route"),
  "/v0/market/relax": () => import("../../app/v0/market/relax/route"),
  "/v0/market/changes": () => import("../../app/v0/market/changes/route"),
  "/v0/market/offers/{offer_id}": () => import("../../app/v0/market/offers/[offer_id]/route"),
  "/v0/market/searches": () => import("../../app/v0/market/searches/route"),
  "/v0/market/searches/{search_id}": () => import("../../app/v0/market/searches/[search_id]/route"),
  "/v0/market/gpus": () => import("../../app/v0/market/gpus/route"),
  "/v0/market/gpus/{gpu_translit_name}/history": () =>
    import("../../app/v0/market/gpus/[gpu_translit_name]/history/route"),
  "/v0/market/gpus/{gpu_translit_name}": () => import("../../app/v0/market/gpus/[gpu_translit_name]/route"),
  "/v0/market/providers": () => import("../../app/v0/market/providers/route"),
  "/v0/market/providers/{provider_translit_name}": () =>
    import("../../app/v0/market/providers/[provider_translit_name]/route"),
  "/v0/templates": () => import("../../app/v0/templates/route"),
  "/v0/templates/create": () => import("../../app/v0/templates/create/route"),
  "/v0/templates/{template_id}": () => import("../../app/v0/templates/[template_id]/route"),
  "/v0/instances": () => import("../../app/v0/instances/route"),
  "/v0/instances/create": () => import("../../app/v0/instances/create/route"),
  "/v0/instances/{instance_id}": () => import("../../app/v0/instances/[instance_id]/route"),
  "/v0/instances/reboot/{instance_id}": () => import("../../app/v0/instances/reboot/[instance_id]/route"),
  "/v0/instances/secrets/{instance_id}": () => import("../../app/v0/instances/secrets/[instance_id]/route"),
  // Behind the two above: of /v0/instances/reboot/logs, `reboot` is no id.
  "/v0/instances/{instance_id}/logs": () => import("../../app/v0/instances/[instance_id]/logs/route"),
  "/v0/instances/{instance_id}/metrics": () => import("../../app/v0/instances/[instance_id]/metrics/route"),
  "/v0/secrets": () => import("../../app/v0/secrets/route"),
  "/v0/secrets/{secret_id}": () => import("../../app/v0/secrets/[secret_id]/route"),
  "/v0/hosts": () => import("../../app/v0/hosts/route"),
  "/v0/hosts/tokens": () => import("../../app/v0/hosts/tokens/route"),
  "/v0/hosts/tokens/{token_id}": () => import("../../app/v0/hosts/tokens/[token_id]/route"),
  "/v0/hosts/{host_id}": () => import("../../app/v0/hosts/[host_id]/route"),
  "/v0/hosts/{host_id}/withdraw": () => import("../../app/v0/hosts/[host_id]/withdraw/route"),
  "/v0/hosts/{host_id}/list": () => import("../../app/v0/hosts/[host_id]/list/route"),
  "/v0/hosts/{host_id}/overview": () => import("../../app/v0/hosts/[host_id]/overview/route"),
  "/v0/hosts/{host_id}/earnings": () => import("../../app/v0/hosts/[host_id]/earnings/route"),
  "/v0/billing": () => import("../../app/v0/billing/route"),
  "/v0/billing/entries": () => import("../../app/v0/billing/entries/route"),
  "/v0/billing/usage": () => import("../../app/v0/billing/usage/route"),
  "/v0/account": () => import("../../app/v0/account/route"),
  "/v0/keys": () => import("../../app/v0/keys/route"),
  "/v0/keys/{key_id}": () => import("../../app/v0/keys/[key_id]/route"),
  "/v0/keys/{key_id}/roll": () => import("../../app/v0/keys/[key_id]/roll/route"),
  "/v0/operator/accounts": () => import("../../app/v0/operator/accounts/route"),
  "/v0/operator/accounts/{account_id}/credit": () =>
    import("../../app/v0/operator/accounts/[account_id]/credit/route"),
  "/v0/operator/accounts/{account_id}/suspend": () =>
    import("../../app/v0/operator/accounts/[account_id]/suspend/route"),
  "/v0/operator/accounts/{account_id}/restore": () =>
    import("../../app/v0/operator/accounts/[account_id]/restore/route"),
  "/v0/operator/accounts/{account_id}/sign-in-link": () =>
    import("../../app/v0/operator/accounts/[account_id]/sign-in-link/route"),
  "/v0/operator/accounts/{account_id}/reset-link": () =>
    import("../../app/v0/operator/accounts/[account_id]/reset-link/route"),
  "/v0/operator/hosts": () => import("../../app/v0/operator/hosts/route"),
  "/v0/operator/hosts/{host_id}": () => import("../../app/v0/operator/hosts/[host_id]/route"),
  "/v0/operator/instances": () => import("../../app/v0/operator/instances/route"),
  "/v0/operator/instances/{instance_id}": () => import("../../app/v0/operator/instances/[instance_id]/route"),
  "/v0/operator/templates": () => import("../../app/v0/operator/templates/route"),
  "/v0/operator/templates/{template_id}": () => import("../../app/v0/operator/templates/[template_id]/route"),
  "/v0/operator/rates": () => import("../../app/v0/operator/rates/route"),
  "/v0/operator/imports": () => import("../../app/v0/operator/imports/route"),
  "/v0/operator/imports/{import_id}": () => import("../../app/v0/operator/imports/[import_id]/route"),
  "/v0/operator/ledger/verify": () => import("../../app/v0/operator/ledger/verify/route"),
  "/v0/events": () => import("../../app/v0/events/route"),
};
