import { listImports } from "@/lib/catalogue/list-imports";
import { presentImport } from "@/lib/catalogue/presenter";
import { startImport } from "@/lib/catalogue/start-import";
import { operations } from "@/lib/contract/operations";
import { route } from "@/lib/http/route";

export const GET = route(operations.listImports, async ({ query }) => {
  const { items, total } = await listImports(query);
  return { data: items.map(presentImport), total_items: total };
});

export const POST = route(operations.createImport, async ({ query, upload }) => {
  return { data: presentImport(await startImport(upload.bytes, query, upload.stopping)) };
});
