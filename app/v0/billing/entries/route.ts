import { listEntries } from "@/lib/billing/entries";
import { exportEntries } from "@/lib/billing/export-entries";
import { presentEntry } from "@/lib/billing/presenter";
import { type Operations, operations, type Query } from "@/lib/contract/operations";
import { route } from "@/lib/http/route";

export const GET = route(
  operations.listBillingEntries,
  async ({ ctx, query }) => {
    const { items, total } = await listEntries(ctx, filtersOf(query), query);
    return { data: items.map((item) => presentEntry(item, query.currency)), total_items: total };
  },
  {
    "text/csv": ({ ctx, query, request }) => {
      // JSON's default limit is not CSV's: without one, all rows.
      const limit = new URL(request.url).searchParams.get("limit") ? query.limit : null;
      return exportEntries(ctx, filtersOf(query), { ...query, limit });
    },
  },
);

function filtersOf({ instance_id, host_id, ...query }: Query<Operations["listBillingEntries"]>) {
  const { from, to, kind, account } = query;
  return { from, to, kind, account, instanceId: instance_id, hostId: host_id };
}
