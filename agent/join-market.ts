import type { Logger } from "pino";
import { AGENT_PROTOCOL, type JoinAnswer, type JoinBody } from "../lib/contract/agent-protocol";
import type { AgentConfig } from "./config";
import { type ControlPlane, RefusedError } from "./control-plane";
import { StartError } from "./start-error";
import type { Identity, StateFolder } from "./state-folder";

const JOIN_WITHIN_MS = 5_000;

/** What was found out about the machine before it joins. */
export type Found = Pick<JoinBody, "machine" | "failures" | "engine" | "egressGuarded">;

export interface Joined {
  identity: Identity;
  /** null where the market does not answer one that it knows: the agent goes on with what was wanted last. */
  answer: JoinAnswer | null;
}

/** What a machine says of itself. */
export function describeMachine(config: AgentConfig, fingerprint: string, found: Found): JoinBody {
  const { token, address, ports, split, price, diskPrice, place } = config;
  return {
    protocol: AGENT_PROTOCOL,
    token,
    address,
    port: ports.first,
    firstPort: ports.first,
    lastPort: ports.last,
    fingerprint,
    slots: split,
    price,
    diskPrice,
    place,
    ...found,
  };
}

/**
 * Joins by the secret of an earlier time where there is one, else by the token.
 * @throws StartError in the market's own words
 */
export async function joinMarket(
  { server, market }: AgentConfig,
  state: StateFolder,
  controlPlane: ControlPlane,
  body: JoinBody,
): Promise<Joined> {
  const known = state.identity();
  if (known && known.market !== market) {
    throw new StartError(
      `This data folder belongs to the market ${known.market}. Start the agent for ${market} with another --data-dir.`,
    );
  }
  const again = known ? await joinAgain(controlPlane, body, known) : null;
  if (known && again) {
    if (again.answer) await state.keepIdentity({ ...known, address: again.answer.address });
    return { identity: state.identity() ?? known, answer: again.answer };
  }
  if (!body.token) {
    throw new StartError(
      "This machine has not joined yet. Make a host token (`berth host token create`), and give it as BERTH_HOST_TOKEN or by --token-file.",
    );
  }
  const answer = await controlPlane.join(body, true).catch((error: Error) => {
    throw new StartError(
      error instanceof RefusedError
        ? error.message
        : `${server} does not answer. Check the address, and that this machine can reach it.`,
    );
  });
  const identity = { market, agentId: answer.agentId, address: answer.address, secret: answer.secret ?? "" };
  await state.keepIdentity(identity);
  return { identity, answer };
}

/** @returns null where the market does not know the agent any more, and a token may join it anew */
async function joinAgain(
  controlPlane: ControlPlane,
  body: JoinBody,
  identity: Identity,
): Promise<Joined | null> {
  try {
    return { identity, answer: await controlPlane.join(body, false) };
  } catch (error) {
    if (!(error instanceof RefusedError) || error.status >= 500) return { identity, answer: null };
    if (body.token && (error.status === 401 || error.status === 404)) return null;
    throw new StartError(error.message);
  }
}

/**
 * Tries until the market has heard what this machine is, at odd moments, so that a market that comes back does not hear all
 * its agents at once. The function it gives ends that.
 */
export function keepJoining(controlPlane: ControlPlane, body: JoinBody, log: Logger): () => void {
  const later = () => setTimeout(() => void attempt(), Math.random() * JOIN_WITHIN_MS);
  const attempt = async () => {
    try {
      const { hosts, problems } = await controlPlane.join(body, false);
      log.info({ hosts, problems }, "joined");
    } catch {
      timer = later();
    }
  };
  let timer = later();
  return () => clearTimeout(timer);
}

/** What a machine's owner should read, line by line. */
export function describeJoin(answer: JoinAnswer | null): string[] {
  if (!answer) return ["the market does not answer: going on with what was wanted last, and trying again"];
  const { agentId, hosts, problems } = answer;
  const reasons = new Set(hosts.flatMap(({ statusReason }) => statusReason ?? []));
  if (reasons.size === 0)
    return [`on the market as ${hosts.map(({ hostId }) => hostId).join(", ")}`, ...problems];
  return [`joined as ${agentId}, not on the market yet: ${[...reasons].join(", ")}`, ...problems];
}
