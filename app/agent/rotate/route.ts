import { rotateAgentSecret } from "@/lib/agents/authenticate-agent";
import { nothing } from "@/lib/contract/agent-protocol";
import { agentRoute } from "@/lib/http/agent-route";

export const POST = agentRoute(nothing, async ({ caller, secret }) => ({
  secret: await rotateAgentSecret(caller, secret),
}));
