import { operations } from "@/lib/contract/operations";
import { route } from "@/lib/http/route";
import { deleteSecret } from "@/lib/secrets/delete-secret";

export const DELETE = route(operations.deleteSecret, async ({ ctx, params }) => {
  await deleteSecret(ctx, params.secret_id);
  return { data: null };
});
