import { Argument, type Command } from "commander";
import type { DatedRate } from "../lib/billing/exchange-rates";
import { example } from "./example";
import { onMarket } from "./run-command";

export function addRateCommands(program: Command): void {
  const rates = program.command("rates").description("what a USD is worth; prices are held in USD");
  rates
    .command("set")
    .description("set a rate from now on; what was shown and charged under those before stays as it was")
    .addArgument(new Argument("<currency>").choices(["RUB", "QOIN"]))
    .argument("<units_per_usd>", "a decimal, such as 78.5")
    .addHelpText("after", example("rates set RUB 78.5"))
    .action(onMarket(set));
  rates
    .command("list")
    .description("show every rate that was ever set, the newest first")
    .addHelpText("after", example("rates list"))
    .action(onMarket(list));
}

async function set(currency: "RUB" | "QOIN", unitsPerUsd: string) {
  const { setRate } = await import("../lib/billing/exchange-rates");
  return present(await setRate(currency, unitsPerUsd));
}

async function list() {
  const { listRates } = await import("../lib/billing/exchange-rates");
  return (await listRates()).items.map(present);
}

function present({ currency, unitsPerUsd, effectiveAt }: DatedRate) {
  return { currency, units_per_usd: unitsPerUsd, effective_at: effectiveAt };
}
