import { type DbOrTx, db } from "../db/client";
import { notFound } from "../kernel/errors";
import { type TemplateRow, visibleTo } from "./template-row";

/**
 * A template that a person may see and rent with.
 * @throws DomainError not_found
 */
export async function getUsableTemplate(
  userId: string,
  templateId: string,
  within: DbOrTx = db(),
): Promise<TemplateRow> {
  const row = await within.template.findFirst({ where: { id: templateId, ...visibleTo(userId) } });
  if (!row) throw notFound("template");
  return row;
}
