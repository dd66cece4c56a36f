import { db, type Prisma } from "../db/client";
import { containing } from "../db/containing";

const select = {
  id: true,
  name: true,
  image: true,
  imageTag: true,
  isPrivate: true,
  publishedAt: true,
  createdAt: true,
  user: { select: { id: true, email: true } },
} satisfies Prisma.TemplateSelect;

export type AnyTemplate = Prisma.TemplateGetPayload<{ select: typeof select }>;

/**
 * What an operator may publish or has: templates that are not private, and published ones; the newest first. `search` is
 * a part of an id, a name, an image or the owner's e-mail address.
 */
export async function listAnyTemplates(page: {
  search?: string | undefined;
  start: number;
  limit: number;
}): Promise<{ items: AnyTemplate[]; total: number }> {
  const part = page.search === undefined ? null : containing(page.search);
  const matches = part && { OR: [{ id: part }, { name: part }, { image: part }, { user: { email: part } }] };
  const where = {
    AND: [{ OR: [{ isPrivate: false }, { publishedAt: { not: null } }] }, matches ?? {}],
  } satisfies Prisma.TemplateWhereInput;
  const [items, total] = await Promise.all([
    db().template.findMany({
      where,
      select,
      orderBy: [{ createdAt: "desc" }, { id: "asc" }],
      skip: page.start,
      take: page.limit,
    }),
    db().template.count({ where }),
  ]);
  return { items, total };
}
