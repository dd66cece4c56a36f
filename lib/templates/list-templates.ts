import type { TemplateSort, TemplateType } from "../contract/template";
import { db, Prisma } from "../db/client";
import type { Ctx } from "../kernel/ctx";
import type { TemplateRow } from "./template-row";

const typeConditions: Record<TemplateType, Prisma.Sql> = {
  ssh: Prisma.sql`t.use_ssh`,
  jupyter: Prisma.sql`t.use_jupyter`,
  docker: Prisma.sql`NOT t.use_ssh AND NOT t.use_jupyter`,
};

const orders: Record<TemplateSort, Prisma.Sql> = {
  name_asc: Prisma.sql`lower(t.name) ASC`,
  name_desc: Prisma.sql`lower(t.name) DESC`,
  popularity_asc: Prisma.sql`popularity ASC`,
  popularity_desc: Prisma.sql`popularity DESC`,
};

/** One's own templates and the published ones; popularity is the number of instances started in 30 days. */
export async function listTemplates(
  ctx: Ctx,
  page: { sort: TemplateSort; type: TemplateType | undefined; start: number; limit: number },
): Promise<{ items: TemplateRow[]; total: number }> {
  const visible = Prisma.sql`(t.user_id = ${ctx.userId} OR (t.published_at IS NOT NULL AND NOT t.is_private))`;
  const where = page.type ? Prisma.sql`${visible} AND ${typeConditions[page.type]}` : visible;
  const [ids, [counted]] = await Promise.all([
    db().$queryRaw<{ id: string }[]>`
      SELECT t.id, count(i.id) AS popularity FROM template t
      LEFT JOIN instance i ON i.template_id = t.id AND i.created_at > now() - interval '30 days'
      WHERE ${where} GROUP BY t.id ORDER BY ${orders[page.sort]}, t.id LIMIT ${page.limit} OFFSET ${page.start}`,
    db().$queryRaw<{ total: number }[]>`SELECT count(*)::int AS total FROM template t WHERE ${where}`,
  ]);
  const rows = await db().template.findMany({ where: { id: { in: ids.map(({ id }) => id) } } });
  const byId = new Map(rows.map((row) => [row.id, row]));
  return { items: ids.flatMap(({ id }) => byId.get(id) ?? []), total: counted?.total ?? 0 };
}
