import { db, type Prisma } from "../db/client";
import { notFound } from "../kernel/errors";

export type ImportRow = Prisma.CatalogueImportGetPayload<object>;

/** Says of imports whose process is gone that they failed: nothing of them took effect. */
export async function failLostImports(): Promise<void> {
  await db().$executeRaw`
    UPDATE catalogue_import SET status = 'failed', ended_at = clock_timestamp(),
      error = 'The server that read it stopped. Nothing was changed: import the file again.'
    WHERE status = 'running' AND heartbeat_at < clock_timestamp() - interval '30 seconds'`;
}

/** The imports that operators started, the newest first. */
export async function listImports(page: {
  start: number;
  limit: number;
}): Promise<{ items: ImportRow[]; total: number }> {
  await failLostImports();
  const [items, total] = await Promise.all([
    db().catalogueImport.findMany({
      orderBy: [{ startedAt: "desc" }, { id: "asc" }],
      skip: page.start,
      take: page.limit,
    }),
    db().catalogueImport.count(),
  ]);
  return { items, total };
}

/** @throws DomainError not_found */
export async function getImport(importId: string): Promise<ImportRow> {
  await failLostImports();
  const row = await db().catalogueImport.findUnique({ where: { id: importId } });
  if (!row) throw notFound("import");
  return row;
}
