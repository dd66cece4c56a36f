import { db } from "../db/client";
import type { Ctx } from "../kernel/ctx";
import { notFound } from "../kernel/errors";

/**
 * Deletes one's own template. Instances keep the snapshot that they were rented with.
 * @throws DomainError not_found
 */
export async function deleteTemplate(ctx: Ctx, templateId: string): Promise<void> {
  const { count } = await db().template.deleteMany({ where: { id: templateId, userId: ctx.userId } });
  if (count === 0) throw notFound("template");
}
