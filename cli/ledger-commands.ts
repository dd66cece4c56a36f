import type { Command } from "commander";
import { example } from "./example";
import { onMarket } from "./run-command";

export function addLedgerCommands(program: Command): void {
  const ledger = program.command("ledger").description("where all money came from and went");
  ledger
    .command("verify")
    .description(
      "prove that entries sum to zero, balances equal them, and every interval costs its locked rate; exit code 1 where not",
    )
    .addHelpText("after", example("ledger verify"))
    .action(onMarket(verify));
}

async function verify() {
  const { verifyLedger } = await import("../lib/billing/verify-ledger");
  const { presentLedgerReport } = await import("../lib/billing/operator-presenter");
  const report = await verifyLedger();
  if (!report.ok) process.exitCode = 1;
  return presentLedgerReport(report);
}
