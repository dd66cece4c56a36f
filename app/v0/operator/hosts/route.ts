import { operations } from "@/lib/contract/operations";
import { listAnyHosts } from "@/lib/hosts/list-any-hosts";
import { presentAnyHost } from "@/lib/hosts/operator-presenter";
import { route } from "@/lib/http/route";

export const GET = route(operations.listOperatorHosts, async ({ query }) => {
  const { items, total } = await listAnyHosts(query);
  return { data: items.map(presentAnyHost), total_items: total };
});
