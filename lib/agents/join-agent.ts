import { getSignUpRules } from "../accounts/sign-up-rules";
import type { JoinAnswer, JoinBody } from "../contract/agent-protocol";
import { db, inTransaction, type Tx } from "../db/client";
import { env } from "../env";
import { hearAgent } from "../hosts/hear-host";
import { agentIs, restateHosts } from "../hosts/restate-hosts";
import { makeToken } from "../kernel/token";
import { type AgentCaller, agentIdOf, makeAgentToken } from "./authenticate-agent";
import { findMachineGpu } from "./find-machine-gpu";
import { lockHostToken, spendHostToken } from "./host-token";
import { reachAgent } from "./reach-agents";
import { type Joining, writeHosts } from "./write-hosts";

/**
 * Registers a machine: by its own secret where it has joined before, else by a host token. Each slot becomes a host with
 * an offer. Its gateway is dialled before this answers, so that the owner is told at once what keeps it off the market.
 * @param caller null: by the token
 * @param peerAddress where the call came from
 * @throws DomainError invalid_api_key for a token that is used, expired or unknown · in_use where a rented slot would go
 */
export async function joinAgent(
  caller: AgentCaller | null,
  body: JoinBody,
  peerAddress: string,
): Promise<JoinAnswer> {
  const joining = { ...body, address: body.address ?? peerAddress };
  const failures = judge(joining);
  const joined = await inTransaction(async (tx) => {
    const agent = caller ? { ...caller, secret: null } : await takeToken(tx, joining);
    await writeAgent(tx, agent.agentId, joining, failures);
    await writeHosts(tx, agent, joining);
    await restateHosts(tx, agentIs(agent.agentId));
    return agent;
  });
  await hearAgent(joined.agentId);
  await reachAgent(joined.agentId);
  return {
    agentId: joined.agentId,
    secret: joined.secret,
    address: joining.address,
    ...(await describe(joined.agentId)),
  };
}

/** What only the market can judge, beside what the self-test found. */
function judge({ machine, failures, egressGuarded }: Joining): JoinBody["failures"] {
  const found = [...failures];
  const unknown = machine.gpus.find((gpu) => findMachineGpu(gpu) === null);
  if (unknown) {
    found.push({
      code: "gpu_unknown",
      detail: `This market does not know the GPU ${unknown.name} with ${unknown.vramGb} GB. Ask its operator to add the model.`,
    });
  }
  if (machine.gpus.length === 0 && env().ALLOW_CPU_HOSTS !== "1") {
    found.push({
      code: "cpu_only",
      detail:
        "The machine has no GPU. This market lists such machines only where its operator sets ALLOW_CPU_HOSTS=1.",
    });
  }
  if (!egressGuarded && !getSignUpRules().loopback) {
    found.push({
      code: "egress_open",
      detail:
        "Containers here could reach this machine's private network. Run the agent as root on Linux with nftables installed, so that it can keep them from it.",
    });
  }
  return found;
}

/** The token's machine: a new agent, or the one whose answer was lost. */
async function takeToken(
  tx: Tx,
  { token, fingerprint, ...body }: Joining,
): Promise<AgentCaller & { secret: string }> {
  const row = await lockHostToken(tx, token, fingerprint);
  const { userId } = row;
  if (row.agentId !== null) {
    const again = makeAgentToken(row.agentId);
    await tx.agent.update({
      where: { id: row.agentId },
      data: { secretHash: new Uint8Array(again.secretHash), previousSecretHash: null },
    });
    return { agentId: row.agentId, userId, secret: again.token };
  }
  const made = makeToken("ag");
  const agentId = agentIdOf(made.id);
  const { address, port, firstPort, lastPort, engine } = body;
  await tx.agent.create({
    data: {
      id: agentId,
      userId,
      secretHash: new Uint8Array(made.secretHash),
      address,
      port,
      firstPort,
      lastPort,
      fingerprint,
      engine,
    },
  });
  await spendHostToken(tx, row, agentId);
  return { agentId, userId, secret: made.token };
}

async function writeAgent(
  tx: Tx,
  agentId: string,
  joining: Joining,
  failures: JoinBody["failures"],
): Promise<void> {
  const { address, port, firstPort, lastPort, fingerprint, engine, egressGuarded } = joining;
  await tx.$executeRaw`
    UPDATE agent SET address = ${address}, port = ${port}, first_port = ${firstPort}, last_port = ${lastPort},
      fingerprint = ${fingerprint}, engine = ${engine}, engine_available = true, egress_guarded = ${egressGuarded},
      failures = ${JSON.stringify(failures)}::jsonb, report_number = NULL, joined_at = clock_timestamp(), reach_due_at = clock_timestamp(),
      reachable = CASE WHEN address = ${address} AND port = ${port} AND fingerprint = ${fingerprint} THEN reachable END
    WHERE id = ${agentId}`;
}

/** What keeps each host off the market, in words. */
async function describe(agentId: string): Promise<Pick<JoinAnswer, "hosts" | "problems">> {
  const [hosts, agent] = await Promise.all([
    db().host.findMany({
      where: { agentId, deletedAt: null },
      select: { id: true, slot: true, statusReason: true },
      orderBy: { slot: "asc" },
    }),
    db().agent.findUniqueOrThrow({ where: { id: agentId }, select: { failures: true, reachProblem: true } }),
  ]);
  const failures = agent.failures as JoinBody["failures"]; // this file alone writes the column
  return {
    hosts: hosts.map(({ id, slot, statusReason }) => ({ hostId: id, slot, statusReason })),
    problems: [
      ...failures.map(({ detail }) => detail),
      ...(agent.reachProblem === null ? [] : [agent.reachProblem]),
    ],
  };
}
