import { operations } from "@/lib/contract/operations";
import { route } from "@/lib/http/route";
import { deleteTemplate } from "@/lib/templates/delete-template";
import { getUsableTemplate } from "@/lib/templates/get-usable-template";
import { presentTemplate } from "@/lib/templates/presenter";
import { updateTemplate } from "@/lib/templates/update-template";

export const GET = route(operations.getTemplate, async ({ ctx, params }) => ({
  data: presentTemplate(await getUsableTemplate(ctx.userId, params.template_id), ctx.userId),
}));

export const PUT = route(operations.updateTemplate, async ({ ctx, params, body }) => ({
  data: presentTemplate(await updateTemplate(ctx, params.template_id, body), ctx.userId),
}));

export const DELETE = route(operations.deleteTemplate, async ({ ctx, params }) => {
  await deleteTemplate(ctx, params.template_id);
  return { data: null };
});
