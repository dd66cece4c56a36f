import { type Command, Option } from "commander";
import type { Verdict } from "../lib/contract/operator";
import { example } from "./example";
import { parseUsdNotNegative, wholeNumber } from "./options";
import { onMarket } from "./run-command";

interface CreateOptions {
  email: string;
  gpu: string;
  gpus: number;
  price?: bigint;
}

interface SimulateOptions {
  token: string;
  gpu: string;
  amount: number;
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
  host
    .command("simulate")
    .description("join a machine that exists only here by a host token, which it uses up")
    .requiredOption("--token <token>", "the host token, which its owner made")
    .option("--gpu <translit_name>", "GPU model", "rtx-4090")
    .option("--amount <count>", "how many", wholeNumber(1, 1024), 1)
    .option(
      "--price <usd>",
      "an hour, of the whole machine; absent: not rentable until set",
      parseUsdNotNegative,
    )
    .addHelpText("after", example("host simulate --token ht-… --gpu rtx-4090 --price 0.5"))
    .action(onMarket(simulate));
  host
    .command("token")
    .description("what lets a machine join")
    .command("create")
    .description("make a token with which one machine joins within an hour; it is shown this once")
    .requiredOption("--email <email>", "of the machine's owner")
    .addHelpText("after", example("host token create --email ada@example.com"))
    .action(onMarket(createToken));
  host
    .command("list")
    .description("show the hosts of all accounts, the newest first")
    .option("--start <n>", "how many to leave out", wholeNumber(0, 1_000_000), 0)
    .option("--limit <n>", "how many to show", wholeNumber(1, 1000), 1000)
    .addHelpText("after", example("host list --limit 20"))
    .action(onMarket(listHosts));
  for (const [verdict, description] of Object.entries(verdicts)) {
    host
      .command(verdict)
      .argument("<host_id>")
      .description(description)
      .addHelpText("after", example(`host ${verdict} host_3sXk0aB1c2D3e4F5g6H7`))
      .action(onMarket((hostId: string) => judge(hostId, verdict as Verdict)));
  }
  host
    .command("revoke")
    .argument("<host_id>")
    .description("void the secret of the agent behind a host, and with it of all hosts of that machine")
    .addHelpText("after", example("host revoke host_3sXk0aB1c2D3e4F5g6H7"))
    .action(onMarket(revoke));
}

const verdicts: Record<Verdict, string> = {
  verify: "say of a host that it is what it says",
  unverify: "take back that a host was verified",
  ban: "let nobody rent a host any more; what is rented of it goes on",
  unban: "let a banned host be rented again",
};

async function judge(hostId: string, verdict: Verdict) {
  const { judgeHost } = await import("../lib/hosts/judge-host");
  await judgeHost(hostId, verdict);
  return {
    host_id: hostId,
    [verdict === "verify" || verdict === "unverify" ? "verified" : "banned"]: !verdict.startsWith("un"),
  };
}

async function revoke(hostId: string) {
  const { revokeAgent } = await import("../lib/agents/revoke-agent");
  return { agent_id: await revokeAgent(hostId), revoked: true };
}

async function createToken({ email }: { email: string }) {
  const { getAccountId } = await import("../lib/accounts/get-account-id");
  const { createHostToken } = await import("../lib/agents/create-host-token");
  const { token, expiresAt } = await createHostToken(await getAccountId(email));
  return { host_token: token, expires_at: expiresAt.toISOString() };
}

async function listHosts(page: { start: number; limit: number }) {
  const { listAnyHosts } = await import("../lib/hosts/list-any-hosts");
  const { items, total } = await listAnyHosts(page);
  return {
    total,
    items: items.map((row) => ({
      host_id: row.id,
      owner: row.user.email,
      runtime: row.runtime,
      agent_id: row.agentId,
      address: row.address,
      status: row.status,
      status_reason: row.statusReason,
      verified: row.verifiedAt !== null,
      last_report_at: row.lastReportAt,
      offer_id: row.offer?.id ?? null,
      gpu: row.offer?.gpuTranslitName ?? null,
      gpu_amount: row.offer?.gpuAmount ?? null,
      rented: row.offer?.leased ?? null,
    })),
  };
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

async function simulate({ token, gpu, amount, price }: SimulateOptions) {
  const { simulateJoin } = await import("../lib/agents/simulate-join");
  const { hostId, offerId } = await simulateJoin(token, { gpu, gpus: amount, priceMicro: price ?? null });
  return { host_id: hostId, offer_id: offerId };
}
