import type { Command } from "commander";
import { microToNumber } from "../lib/kernel/money";
import { example } from "./example";
import { wholeNumber } from "./options";
import { onMarket } from "./run-command";

const ANY = ["--any", "yes, of any account"] as const;

export function addInstanceCommands(program: Command): void {
  const instance = program.command("instance").description("rented servers of all accounts");
  instance
    .command("list")
    .description("show the instances of all accounts, the newest first")
    .requiredOption(...ANY)
    .option("--start <n>", "how many to leave out", wholeNumber(0, 1_000_000), 0)
    .option("--limit <n>", "how many to show", wholeNumber(1, 1000), 1000)
    .addHelpText("after", example("instance list --any --limit 20"))
    .action(onMarket(listAll));
  instance
    .command("destroy")
    .description("end an instance and destroy its data; what was paid ahead and not used goes back whole")
    .argument("<instance_id>")
    .requiredOption(...ANY)
    .addHelpText("after", example("instance destroy inst_3sXk0aB1c2D3e4F5g6H7 --any"))
    .action(
      onMarket(async (instanceId: string) => {
        const { destroyAnyInstance } = await import("../lib/instances/destroy-instance");
        await destroyAnyInstance(instanceId);
        return { instance_id: instanceId, destroyed: true };
      }),
    );
}

async function listAll({ start, limit }: { start: number; limit: number }) {
  const { listAnyInstances } = await import("../lib/instances/list-instances");
  const { items, total } = await listAnyInstances({ start, limit });
  return {
    total,
    items: items.map((row) => ({
      instance_id: row.id,
      account_id: row.userId,
      offer_id: row.offerId,
      name: row.name,
      status: row.status,
      phase: row.phase,
      message: row.message,
      runtime: row.runtime,
      created_at: row.createdAt,
      total_cost: microToNumber(row.totalCostMicro),
    })),
  };
}
