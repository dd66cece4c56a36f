import { operations } from "@/lib/contract/operations";
import { route } from "@/lib/http/route";

export const GET = route(operations.ping, async () => ({ data: null }));
