import { operations } from "@/lib/contract/operations";
import { judgeHost } from "@/lib/hosts/judge-host";
import { route } from "@/lib/http/route";

export const PUT = route(operations.judgeHost, async ({ params, body }) => {
  await judgeHost(params.host_id, body.verdict);
  return { data: null };
});
