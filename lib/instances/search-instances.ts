import { db, type Prisma } from "../db/client";
import { containing } from "../db/containing";

const include = { user: { select: { id: true, email: true } } } satisfies Prisma.InstanceInclude;

export type FoundInstance = Prisma.InstanceGetPayload<{ include: typeof include }>;

/**
 * Everyone's instances, for operators; the newest first. `search` is a part of an instance's id or name, its host's id
 * or its owner's e-mail address; without `status`, those that are not destroyed.
 */
export async function searchInstances(page: {
  search?: string | undefined;
  status?: string | undefined;
  start: number;
  limit: number;
}): Promise<{ items: FoundInstance[]; total: number }> {
  const part = page.search === undefined ? null : containing(page.search);
  const where = {
    status: page.status ?? { not: "destroyed" },
    ...(part && { OR: [{ id: part }, { name: part }, { hostId: part }, { user: { email: part } }] }),
  } satisfies Prisma.InstanceWhereInput;
  const [items, total] = await Promise.all([
    db().instance.findMany({
      where,
      include,
      orderBy: [{ createdAt: "desc" }, { id: "asc" }],
      skip: page.start,
      take: page.limit,
    }),
    db().instance.count({ where }),
  ]);
  return { items, total };
}
