import { takeReport } from "@/lib/agents/take-report";
import { reportBody } from "@/lib/contract/agent-protocol";
import { agentRoute } from "@/lib/http/agent-route";

export const POST = agentRoute(reportBody, ({ caller, input }) => takeReport(caller, input));
