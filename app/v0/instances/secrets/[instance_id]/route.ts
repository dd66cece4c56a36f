import { operations } from "@/lib/contract/operations";
import { route } from "@/lib/http/route";
import { attachSecret } from "@/lib/instances/attach-secret";
import { detachSecret } from "@/lib/instances/detach-secret";

export const POST = route(operations.attachSecret, async ({ ctx, params, body }) => {
  await attachSecret(ctx, params.instance_id, body.secret_id);
  return { data: null };
});

export const DELETE = route(operations.detachSecret, async ({ ctx, params, query, body }) => {
  await detachSecret(ctx, params.instance_id, { body: body.secret_id, query: query.secret_id });
  return { data: null };
});
