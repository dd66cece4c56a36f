import { db } from "../db/client";
import { notFound } from "../kernel/errors";

/**
 * An operator's word: everyone sees the template while its owner does not make it private.
 * @throws DomainError not_found
 */
export async function publishTemplate(templateId: string): Promise<void> {
  const changed = await db().$executeRaw`
    UPDATE template SET published_at = coalesce(published_at, now()) WHERE id = ${templateId}`;
  if (changed === 0) throw notFound("template");
}

/** @throws DomainError not_found */
export async function unpublishTemplate(templateId: string): Promise<void> {
  const changed = await db().$executeRaw`UPDATE template SET published_at = NULL WHERE id = ${templateId}`;
  if (changed === 0) throw notFound("template");
}
