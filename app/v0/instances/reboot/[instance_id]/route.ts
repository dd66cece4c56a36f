import { operations } from "@/lib/contract/operations";
import { route } from "@/lib/http/route";
import { rebootInstance } from "@/lib/instances/reboot-instance";

export const POST = route(operations.rebootInstance, async ({ ctx, params }) => {
  await rebootInstance(ctx, params.instance_id);
  return { data: null };
});
