import { operations } from "@/lib/contract/operations";
import { route } from "@/lib/http/route";
import { destroyAnyInstance } from "@/lib/instances/destroy-instance";
import { flagInstance } from "@/lib/instances/flag-instance";

export const PUT = route(operations.flagInstance, async ({ params, body }) => {
  await flagInstance(params.instance_id, body.flagged, body.note);
  return { data: null };
});

export const DELETE = route(operations.destroyOperatorInstance, async ({ params, body }) => {
  await destroyAnyInstance(params.instance_id, body.reason);
  return { data: null };
});
