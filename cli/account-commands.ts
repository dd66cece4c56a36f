import { text } from "node:stream/consumers";
import { type Command, Option } from "commander";
import type { Role } from "../lib/contract/words";
import { microToNumber } from "../lib/kernel/money";
import { example } from "./example";
import { parseUsdNotNegative } from "./options";
import { onMarket } from "./run-command";

const EMAIL = ["--email <email>", "of the account"] as const;

interface CreateOptions {
  email: string;
  balance?: bigint;
  role: Role[];
  passwordStdin?: boolean;
}

interface CreditOptions {
  email: string;
  amount: bigint;
  reference: string;
}

export function addAccountCommands(program: Command): void {
  const account = program.command("account").description("people who rent, offer machines or run the market");
  account
    .command("create")
    .description("make an account with an API key of every scope")
    .requiredOption("--email <email>", "who it is")
    .option("--balance <usd>", "what it starts with", parseUsdNotNegative)
    .addOption(
      new Option("--role <role...>", "everyone is a renter; may be given more than once")
        .choices(["renter", "host", "operator"])
        .default([]),
    )
    .option("--password-stdin", "read a password from standard input; without one, use account sign-in-link")
    .addHelpText("after", example("account create --email ada@example.com --balance 100 --role operator"))
    .action(onMarket(createAccountWithKey));
  for (const [name, sign, what] of [
    ["credit", 1n, "add to the balance"],
    ["debit", -1n, "take back from the balance, never below zero"],
  ] as const) {
    account
      .command(name)
      .description(`${what}, once a reference: repeating it changes nothing`)
      .requiredOption(...EMAIL)
      .requiredOption("--amount <usd>", "such as 25 or 2.50", parseUsdNotNegative)
      .requiredOption("--reference <name>", "your own name for it, such as an invoice")
      .addHelpText(
        "after",
        example(`account ${name} --email ada@example.com --amount 25 --reference invoice-7`),
      )
      .action(onMarket((options: CreditOptions) => credit({ ...options, amount: options.amount * sign })));
  }
  account
    .command("suspend")
    .description("sign a person out and refuse their keys, or let them in again")
    .requiredOption(...EMAIL)
    .option("--lift", "end the suspension")
    .addHelpText("after", example("account suspend --email eve@example.com"))
    .action(onMarket(suspend));
  account
    .command("reset-link")
    .description("make a link, good once within a day, where the person sets a new password")
    .requiredOption(...EMAIL)
    .addHelpText("after", example("account reset-link --email ada@example.com"))
    .action(onMarket(({ email }: { email: string }) => makeLink(email, "makeResetLink")));
  account
    .command("sign-in-link")
    .description("make a link, good once within a day, that signs the person in")
    .requiredOption(...EMAIL)
    .addHelpText("after", example("account sign-in-link --email ada@example.com"))
    .action(onMarket(({ email }: { email: string }) => makeLink(email, "makeSignInLink")));
}

async function createAccountWithKey({ email, balance, role, passwordStdin }: CreateOptions) {
  const { createAccount } = await import("../lib/accounts/create-account");
  const { createApiKey } = await import("../lib/accounts/create-api-key");

  const password = passwordStdin ? { password: (await text(process.stdin)).replace(/\r?\n$/, "") } : {};
  const balanceMicro = balance ?? 0n;
  const created = await createAccount({ email, roles: role, balanceMicro, ...password });
  const { apiKey } = await createApiKey({ userId: created.userId, name: "first key" });
  return { account_id: created.userId, email: created.email, api_key: apiKey };
}

async function credit({ email, amount, reference }: CreditOptions) {
  const { getAccountId } = await import("../lib/accounts/get-account-id");
  const { creditAccount } = await import("../lib/billing/credit-account");
  const userId = await getAccountId(email);
  const available = await creditAccount({ userId, amountMicro: amount, reference });
  return { account_id: userId, balance: microToNumber(available) };
}

async function suspend({ email, lift }: { email: string; lift?: boolean }) {
  const { getAccountId } = await import("../lib/accounts/get-account-id");
  const { suspendAccount } = await import("../lib/accounts/suspend-account");
  const userId = await getAccountId(email);
  await suspendAccount(userId, !lift);
  return { account_id: userId, suspended: !lift };
}

async function makeLink(email: string, kind: "makeResetLink" | "makeSignInLink") {
  const { getAccountId } = await import("../lib/accounts/get-account-id");
  const links = await import("../lib/accounts/make-sign-in-link");
  const { publicLink } = await import("../lib/accounts/public-link");
  const userId = await getAccountId(email);
  const { url } = await links[kind](userId, publicLink());
  return { account_id: userId, link: url };
}
