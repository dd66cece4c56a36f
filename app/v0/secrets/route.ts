import { operations } from "@/lib/contract/operations";
import { route } from "@/lib/http/route";
import { createSecret } from "@/lib/secrets/create-secret";
import { listSecrets } from "@/lib/secrets/list-secrets";
import { presentSecret } from "@/lib/secrets/presenter";

export const GET = route(operations.listSecrets, async ({ ctx, query }) => {
  const { items, total } = await listSecrets(ctx, query);
  return { data: items.map(presentSecret), total_items: total };
});

export const POST = route(operations.createSecret, async ({ ctx, body }) => {
  const { value, name, description = null } = body;
  return { data: presentSecret(await createSecret(ctx, { value, name, description })) };
});
