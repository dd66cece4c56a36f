import { operations } from "@/lib/contract/operations";
import { route } from "@/lib/http/route";
import { listTemplates } from "@/lib/templates/list-templates";
import { presentTemplate } from "@/lib/templates/presenter";

export const GET = route(operations.listTemplates, async ({ ctx, query }) => {
  const { items, total } = await listTemplates(ctx, {
    sort: query.sort_by,
    type: query.type,
    start: query.start,
    limit: query.limit,
  });
  return { data: items.map((row) => presentTemplate(row, ctx.userId)), total_items: total };
});
