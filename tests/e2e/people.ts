import type { BrowserContext } from "playwright/test";
import { runBerth } from "../cli/run-berth";
import { callAs, expect, type Person } from "./fixtures";
import type { RunningMarket } from "./start-market";

/** Makes an operator's account with 1,000 USD by the operator's command, and signs this browser in. */
export async function signInAsOperator(context: BrowserContext, market: RunningMarket): Promise<string> {
  const [email, password] = [`operator.${Date.now()}@example.com`, "a long enough password"];
  const made = await runBerth(
    ["account", "create", "--email", email, "--role", "operator", "--balance", "1000", "--password-stdin"],
    { DATA_DIR: market.dataDir },
    password,
  );
  expect(made.code, made.stderr).toBe(0);
  await context.clearCookies({ name: /session/ });
  const answer = await context.request.post(`${market.url}/auth/sign-in/email`, {
    data: { email, password },
    headers: { origin: market.url },
  });
  expect(answer.ok(), await answer.text()).toBe(true);
  return email;
}

export interface Joined {
  host_id: string;
  offer_id: string;
}

/** A machine that exists only in the market joins, as an agent would with the token of the pasted command. */
export async function joinMachine(
  market: RunningMarket,
  token: string,
  args: string[] = [],
): Promise<Joined> {
  const run = await runBerth(["host", "simulate", "--token", token, ...args], { DATA_DIR: market.dataDir });
  expect(run.code, run.stderr).toBe(0);
  return run.json as Joined;
}

/** A host of this person, without the pages. */
export async function addHost(
  market: RunningMarket,
  owner: Pick<Person, "context" | "origin">,
  args: string[] = [],
): Promise<Joined> {
  const { data } = await callAs(owner, "createHostToken", { body: {} });
  return joinMachine(market, data.token ?? "", args);
}
