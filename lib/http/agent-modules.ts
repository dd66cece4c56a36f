import type { RouteModule } from "./route-modules";

/** What agents call, and its files; the tests hold this list against the folders. */
export const agentModules: Record<string, () => Promise<RouteModule>> = {
  "/agent/join": () => import("../../app/agent/join/route"),
  "/agent/wishes": () => import("../../app/agent/wishes/route"),
  "/agent/report": () => import("../../app/agent/report/route"),
  "/agent/rotate": () => import("../../app/agent/rotate/route"),
  "/agent/keys/{instance_id}": () => import("../../app/agent/keys/[instance_id]/route"),
  "/agent/registry-password/{instance_id}": () =>
    import("../../app/agent/registry-password/[instance_id]/route"),
};
