import { lookup } from "node:dns/promises";
import ipaddr from "ipaddr.js";
import { Client } from "ssh2";
import { getSignUpRules } from "../accounts/sign-up-rules";
import { db, inTransaction } from "../db/client";
import { agentIs, restateHosts } from "../hosts/restate-hosts";
import { sshFingerprint } from "../kernel/ssh-fingerprint";

const DIAL_TIMEOUT_MS = 5_000;
/** Of a round each ten seconds: 20,000 machines an hour for each worker, and one that stops waits for few seconds. */
const AT_ONCE = 60;

interface Target {
  id: string;
  address: string;
  port: number;
  firstPort: number;
  lastPort: number;
  fingerprint: string;
}

/**
 * Dials the gateways of agents whose hour has come; one that could not be reached is tried again each minute. Any worker.
 * @returns how many were dialled
 */
export async function reachAgents(): Promise<number> {
  const due = await db().$queryRaw<{ id: string }[]>`
    UPDATE agent SET reach_due_at = clock_timestamp() + interval '1 minute' WHERE id IN (
      SELECT a.id FROM agent a WHERE a.reach_due_at <= clock_timestamp() AND a.revoked_at IS NULL
        AND EXISTS (SELECT FROM host h WHERE h.agent_id = a.id AND h.deleted_at IS NULL AND h.last_report_at > clock_timestamp() - interval '1 minute')
      ORDER BY a.reach_due_at LIMIT ${AT_ONCE} FOR UPDATE SKIP LOCKED) RETURNING id`;
  await Promise.all(due.map(({ id }) => reachAgent(id)));
  return due.length;
}

/**
 * Dials an agent's gateway and lets its hosts follow. What answers must prove in the handshake of SSH, whose signature covers
 * random bytes of both ends, that it has the agent's own host key: no other machine can answer in its place.
 */
export async function reachAgent(agentId: string): Promise<void> {
  const target = await db().agent.findUniqueOrThrow({ where: { id: agentId } });
  const problem = await dial(target).then(
    () => null,
    (error: Error) => error.message,
  );
  await inTransaction(async (tx) => {
    const written = await tx.$executeRaw`
      UPDATE agent SET reachable = ${problem === null}, reach_problem = ${problem},
        reach_due_at = clock_timestamp() + make_interval(mins => ${problem === null ? 60 : 1}::int)
      WHERE id = ${agentId} AND address = ${target.address} AND port = ${target.port} AND fingerprint = ${target.fingerprint}`;
    if (written > 0) await restateHosts(tx, agentIs(agentId));
  });
}

async function dial(target: Target): Promise<void> {
  const address = await resolve(target);
  await new Promise<void>((resolve, reject) => {
    const client = new Client();
    const end = (error?: Error) => {
      client.removeAllListeners().on("error", () => undefined);
      client.end();
      client.destroy();
      if (error) reject(error);
      else resolve();
    };
    let isAnother = false;
    client.on("handshake", () => end());
    client.on("error", () => end(new Error(isAnother ? anotherAnswers(target) : noAnswer(target))));
    client.on("close", () => end(new Error(noAnswer(target))));
    client.connect({
      host: address,
      port: target.port,
      username: "berth",
      readyTimeout: DIAL_TIMEOUT_MS,
      hostVerifier: (key: Buffer) => {
        isAnother = sshFingerprint(key) !== target.fingerprint;
        return !isAnother;
      },
    });
  });
}

/** A market that others can reach must not be made to dial into its own network. */
async function resolve({ address }: Target): Promise<string> {
  const found = await lookup(address).catch(() => {
    throw new Error(
      `The name ${address} cannot be resolved. Start the agent with --address and this machine's public address.`,
    );
  });
  if (getSignUpRules().loopback || ipaddr.process(found.address).range() === "unicast") return found.address;
  throw new Error(
    `${address} is not a public address, so renters cannot reach it. Start the agent with --address and this machine's public address.`,
  );
}

function noAnswer({ address, port, firstPort, lastPort }: Target): string {
  return `Nothing answers at ${address}:${port}. Open TCP port ${port} and TCP and UDP ports ${firstPort} to ${lastPort} to this machine, in its firewall and its router; it is tried again each minute.`;
}

function anotherAnswers({ address, port }: Target): string {
  return `Another machine answers at ${address}:${port}. Forward that port to this machine, or start the agent with the right --address.`;
}
