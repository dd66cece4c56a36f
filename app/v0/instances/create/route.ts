import { operations } from "@/lib/contract/operations";
import { route } from "@/lib/http/route";
import { getInstanceView } from "@/lib/instances/list-instances";
import { presentInstances } from "@/lib/instances/present-page";
import { rentOffer } from "@/lib/instances/rent-offer";

export const POST = route(operations.createInstance, async ({ ctx, body }) => {
  const id = await rentOffer(ctx, {
    offerId: body.offer_id,
    templateId: body.template_id,
    reservePeriod: body.reserve_period,
    diskGb: body.disk_gb,
    secretIds: body.secret_ids ?? [],
    name: body.name,
    label: body.label,
    autoRenew: body.auto_renew,
    expectedPrice: body.expected_price,
    currency: body.currency,
  });
  return { data: await presentInstances([await getInstanceView(ctx, id)], body.currency) };
});
