import { presentLedgerReport } from "@/lib/billing/operator-presenter";
import { verifyLedgerInTime } from "@/lib/billing/verify-ledger-in-time";
import { operations } from "@/lib/contract/operations";
import { route } from "@/lib/http/route";

export const POST = route(operations.verifyLedger, async () => {
  return { data: presentLedgerReport(await verifyLedgerInTime()) };
});
