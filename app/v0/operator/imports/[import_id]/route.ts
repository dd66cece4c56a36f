import { getImport } from "@/lib/catalogue/list-imports";
import { presentImport } from "@/lib/catalogue/presenter";
import { operations } from "@/lib/contract/operations";
import { route } from "@/lib/http/route";

export const GET = route(operations.getImport, async ({ params }) => {
  return { data: presentImport(await getImport(params.import_id)) };
});
