import { operations } from "@/lib/contract/operations";
import { route } from "@/lib/http/route";
import { publishTemplate, unpublishTemplate } from "@/lib/templates/publish-template";

export const PUT = route(operations.publishTemplate, async ({ params, body }) => {
  await (body.published ? publishTemplate : unpublishTemplate)(params.template_id);
  return { data: null };
});
