import { type Command, Option } from "commander";
import { example } from "./example";
import { parseUsdNotNegative, wholeNumber } from "./options";
import { onMarket } from "./run-command";

interface CreateOptions {
  email: string;
  gpu: string;
  gpus: number;
  price?: bigint;
}

export function addHostCommands(program: Command): void {
  const host = program.command("host").description("machines that an account offers");
  host
    .command("create")
    .description("make a host with its offer; the account becomes a host owner")
    .requiredOption("--email <email>", "of its owner")
    .addOption(
      new Option("--runtime <runtime>", "a machine that exists only here, and says so")
        .choices(["simulated"])
        .makeOptionMandatory(),
    )
    .option("--gpu <translit_name>", "GPU model", "rtx-4090")
    .option("--gpus <count>", "how many", wholeNumber(1, 1024), 1)
    .option(
      "--price <usd>",
      "an hour, of the whole machine; absent: not rentable until set",
      parseUsdNotNegative,
    )
    .addHelpText("after", example("host create --email ada@example.com --runtime simulated --price 0.4"))
    .action(onMarket(createHost));
}

async function createHost({ email, gpu, gpus, price }: CreateOptions) {
  const { getAccountId } = await import("../lib/accounts/get-account-id");
  const { checkHostPrice } = await import("../lib/hosts/host-price");
  const { createSimulatedHost } = await import("../lib/hosts/create-simulated-host");
  if (price !== undefined) checkHostPrice(price);
  const userId = await getAccountId(email);
  const { hostId, offerId } = await createSimulatedHost({ userId, gpu, gpus, priceMicro: price ?? null });
  return { host_id: hostId, offer_id: offerId };
}
