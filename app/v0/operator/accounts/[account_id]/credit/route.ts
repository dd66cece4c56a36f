import { creditAccount } from "@/lib/billing/credit-account";
import { operations } from "@/lib/contract/operations";
import { route } from "@/lib/http/route";
import { decimalToMicro, microToNumber } from "@/lib/kernel/money";

export const POST = route(operations.creditAccount, async ({ params, body }) => {
  const micro = decimalToMicro(body.amount);
  const amountMicro = body.kind === "debit" ? -micro : micro;
  const available = await creditAccount({
    userId: params.account_id,
    amountMicro,
    reference: body.reference,
  });
  return { data: { balance: microToNumber(available) } };
});
