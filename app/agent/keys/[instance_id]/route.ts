import { listKeys } from "@/lib/agents/list-wishes";
import { nothing } from "@/lib/contract/agent-protocol";
import { agentRoute } from "@/lib/http/agent-route";

export const GET = agentRoute(nothing, async ({ caller, params }) => ({
  keys: await listKeys(caller, params.instance_id ?? ""),
}));
