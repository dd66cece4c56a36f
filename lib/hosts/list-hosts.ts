import { db, type Prisma } from "../db/client";
import type { Ctx } from "../kernel/ctx";
import { countOffersOfGpus } from "../market/count-offers-of-gpus";
import { type OfferView, offerViewInclude, toOfferView } from "../market/offer-view";
import type { GpuCounts } from "../market/presenter";

const include = { offer: { include: offerViewInclude } } satisfies Prisma.HostInclude;

/** A host with its offer and how many live offers of the same GPU there are. */
export interface HostView {
  host: Prisma.HostGetPayload<object>;
  offer: OfferView;
  counts: GpuCounts | undefined;
}

/** One's own hosts, the newest first. One whose agent has not measured its hardware yet has no offer and is left out. */
export async function listHosts(
  ctx: Ctx,
  page: { start: number; limit: number },
): Promise<{ items: HostView[]; total: number }> {
  const where = {
    userId: ctx.userId,
    deletedAt: null,
    offer: { isNot: null },
  } satisfies Prisma.HostWhereInput;
  const [rows, total] = await Promise.all([
    db().host.findMany({
      where,
      include,
      orderBy: [{ createdAt: "desc" }, { id: "asc" }],
      skip: page.start,
      take: page.limit,
    }),
    db().host.count({ where }),
  ]);
  const counts = await countOffersOfGpus(rows.map(({ offer }) => offer?.gpuTranslitName ?? null));
  const items = rows.flatMap(({ offer, ...host }) =>
    offer ? [{ host, offer: toOfferView(offer), counts: counts.get(offer.gpuTranslitName) }] : [],
  );
  return { items, total };
}
