import { operations } from "@/lib/contract/operations";
import { route } from "@/lib/http/route";
import { destroyAnyInstance } from "@/lib/instances/destroy-instance";

export const DELETE = route(operations.destroyOperatorInstance, async ({ params, body }) => {
  await destroyAnyInstance(params.instance_id, body.reason);
  return { data: null };
});
