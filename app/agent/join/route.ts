import { joinAgent } from "@/lib/agents/join-agent";
import { joinBody } from "@/lib/contract/agent-protocol";
import { joinRoute } from "@/lib/http/agent-route";

export const POST = joinRoute(joinBody, ({ caller, input, address }) => joinAgent(caller, input, address));
