import { operations } from "@/lib/contract/operations";
import { route } from "@/lib/http/route";
import { listAnyTemplates } from "@/lib/templates/list-any-templates";
import { presentAnyTemplate } from "@/lib/templates/operator-presenter";

export const GET = route(operations.listOperatorTemplates, async ({ query }) => {
  const { items, total } = await listAnyTemplates(query);
  return { data: items.map(presentAnyTemplate), total_items: total };
});
