import { openRegistryPassword } from "@/lib/agents/open-registry-password";
import { nothing } from "@/lib/contract/agent-protocol";
import { agentRoute } from "@/lib/http/agent-route";

export const POST = agentRoute(nothing, async ({ caller, params }) => ({
  password: await openRegistryPassword(caller, params.instance_id ?? ""),
}));
