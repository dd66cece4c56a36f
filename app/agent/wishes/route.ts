import { waitForWishes } from "@/lib/agents/list-wishes";
import { wishesQuery } from "@/lib/contract/agent-protocol";
import { agentRoute } from "@/lib/http/agent-route";
import { peerOf } from "@/lib/http/peer";

export const GET = agentRoute(wishesQuery, ({ caller, input, request }) => {
  const { stopping } = peerOf(request);
  return waitForWishes(caller, input, stopping ? [request.signal, stopping] : [request.signal]);
});
