import { operations } from "@/lib/contract/operations";
import { route } from "@/lib/http/route";
import { controlInstance } from "@/lib/instances/control-instance";
import { destroyInstance } from "@/lib/instances/destroy-instance";

export const PUT = route(operations.controlInstance, async ({ ctx, params, query }) => {
  await controlInstance(ctx, params.instance_id, query.action);
  return { data: null };
});

export const DELETE = route(operations.deleteInstance, async ({ ctx, params }) => {
  await destroyInstance(ctx, params.instance_id);
  return { data: null };
});
