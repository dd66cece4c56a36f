import type { Prisma } from "../db/client";

export type TemplateRow = Prisma.TemplateGetPayload<object>;

/** What a person sees: one's own, and what an operator published as long as its owner keeps it open. */
export function visibleTo(userId: string): Prisma.TemplateWhereInput {
  return { OR: [{ userId }, { publishedAt: { not: null }, isPrivate: false }] };
}
