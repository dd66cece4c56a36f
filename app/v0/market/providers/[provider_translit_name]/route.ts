import { operations } from "@/lib/contract/operations";
import { route } from "@/lib/http/route";
import { getProvider } from "@/lib/market/list-providers";

export const GET = route(operations.getProvider, async ({ params }) => ({
  data: await getProvider(params.provider_translit_name),
}));
