import { operations } from "@/lib/contract/operations";
import { withdrawHost } from "@/lib/hosts/withdraw-host";
import { route } from "@/lib/http/route";

export const POST = route(operations.withdrawHost, async ({ ctx, params }) => {
  await withdrawHost(ctx, params.host_id);
  return { data: null };
});
