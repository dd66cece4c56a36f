import { operations } from "@/lib/contract/operations";
import { relistHost } from "@/lib/hosts/withdraw-host";
import { route } from "@/lib/http/route";

export const POST = route(operations.relistHost, async ({ ctx, params }) => {
  await relistHost(ctx, params.host_id);
  return { data: null };
});
