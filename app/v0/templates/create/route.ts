import { operations } from "@/lib/contract/operations";
import { route } from "@/lib/http/route";
import { createTemplate } from "@/lib/templates/create-template";
import { presentTemplate } from "@/lib/templates/presenter";

export const POST = route(operations.createTemplate, async ({ ctx, body }) => ({
  data: presentTemplate(await createTemplate(ctx, body), ctx.userId),
}));
