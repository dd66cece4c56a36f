import type { Command } from "commander";
import type { Earned } from "../lib/billing/payouts";
import { microToNumber } from "../lib/kernel/money";
import { example } from "./example";
import { parseUsdNotNegative, wholeNumber } from "./options";
import { onMarket } from "./run-command";

interface PayeeOptions {
  email?: string;
  provider?: string;
}

interface CreateOptions extends PayeeOptions {
  amount: bigint;
  reference: string;
}

interface ListOptions extends PayeeOptions {
  start: number;
  limit: number;
}

export function addPayoutCommands(program: Command): void {
  const payout = program.command("payout").description("earned money that leaves the market");
  withPayee(payout.command("create"))
    .description("write down that earned money was paid, once a reference: repeating it changes nothing")
    .requiredOption("--amount <usd>", "at most what is earned and not paid yet", parseUsdNotNegative)
    .requiredOption("--reference <name>", "what it is found by at the bank")
    .addHelpText(
      "after",
      example("payout create --email ada@example.com --amount 120.5 --reference transfer-9"),
    )
    .action(async (options: CreateOptions, command: Command) => {
      if (options.email === undefined && options.provider === undefined) {
        command.error("error: name who is paid, by --email or by --provider");
      }
      await onMarket(create)(options);
    });
  withPayee(payout.command("list"))
    .description("show payouts, the newest first; of everyone, or of one")
    .option("--start <n>", "how many to leave out", wholeNumber(0, 1_000_000), 0)
    .option("--limit <n>", "how many to show", wholeNumber(1, 1000), 1000)
    .addHelpText("after", example("payout list --email ada@example.com"))
    .action(onMarket(list));
}

function withPayee(command: Command): Command {
  return command
    .option("--email <email>", "of a host owner's account")
    .option("--provider <translit_name>", "a provider, of a catalogue or a host owner's");
}

async function findPayee({ email, provider }: PayeeOptions): Promise<string | null> {
  const { getAccountId } = await import("../lib/accounts/get-account-id");
  const { getPayeeOfProvider } = await import("../lib/billing/find-payee");
  if (email !== undefined) return getAccountId(email);
  return provider === undefined ? null : getPayeeOfProvider(provider);
}

async function create({ amount, reference, ...payee }: CreateOptions) {
  const { createPayout } = await import("../lib/billing/payouts");
  const payeeId = (await findPayee(payee)) ?? "";
  return { payee_id: payeeId, ...present(await createPayout({ payeeId, amountMicro: amount, reference })) };
}

async function list({ start, limit, ...payee }: ListOptions) {
  const { getEarned, listPayouts } = await import("../lib/billing/payouts");
  const payeeId = await findPayee(payee);
  const { items, total } = await listPayouts(payeeId, { start, limit });
  return {
    ...(payeeId !== null && present(await getEarned(payeeId))),
    total,
    items: items.map((row) => ({
      payee_id: row.payeeId,
      amount: microToNumber(row.amountMicro),
      reference: row.reference,
      at: row.at,
    })),
  };
}

function present({ earnedMicro, paidOutMicro, owedMicro }: Earned) {
  return {
    earned: microToNumber(earnedMicro),
    paid_out: microToNumber(paidOutMicro),
    owed: microToNumber(owedMicro),
  };
}
