import { createHash } from "node:crypto";
import type { Wish, WishesAnswer } from "../contract/agent-protocol";
import { db } from "../db/client";
import { makeHints } from "../db/hints";
import { templateOf } from "../instances/presenter";
import { DomainError } from "../kernel/errors";
import { imageToPull } from "../templates/image-reference";
import type { AgentCaller } from "./authenticate-agent";

/** Told, with the agent, by triggers and where an agent is revoked. */
export const AGENT_CHANNEL = "berth_agent";

const hints = makeHints(AGENT_CHANNEL, "berth agent hints");
/** How late a wish is at most where its hint was lost. */
const LOOK_EVERY_MS = 15_000;

interface WishRow {
  instanceId: string;
  slot: number;
  wanted: Wish["wanted"];
  boot: number;
  storageGb: number;
  templateSnapshot: unknown;
  hasPassword: boolean;
  keys: string[];
}

/**
 * What is wanted of an agent's machine: the instances on its own hosts, until the agent has said that they are gone.
 * Waits, where nothing has changed since `have`, until something does.
 * @param wait seconds at most
 * @param ends each ends the wait
 * @throws DomainError invalid_api_key where the agent was revoked while it waited
 */
export async function waitForWishes(
  caller: AgentCaller,
  { have, wait }: { have?: string | undefined; wait: number },
  ends: readonly AbortSignal[],
): Promise<WishesAnswer> {
  const hint = hints.follow(caller.agentId);
  for (const signal of ends) signal.addEventListener("abort", hint.ring);
  try {
    const until = performance.now() + wait * 1000;
    for (;;) {
      const answer = await listWishes(caller);
      const left = until - performance.now();
      if (answer.revision !== have || left <= 0 || ends.some((signal) => signal.aborted)) return answer;
      await hint.waitAtMost(Math.min(left, LOOK_EVERY_MS));
      await requireUnrevoked(caller);
    }
  } finally {
    for (const signal of ends) signal.removeEventListener("abort", hint.ring);
    hint.stop();
  }
}

async function requireUnrevoked({ agentId }: AgentCaller): Promise<void> {
  const rows = await db().$queryRaw<
    unknown[]
  >`SELECT 1 FROM agent WHERE id = ${agentId} AND revoked_at IS NULL`;
  if (rows.length === 0) throw new DomainError("invalid_api_key", "The agent's secret was revoked.");
}

async function listWishes({ agentId }: AgentCaller): Promise<WishesAnswer> {
  const rows = await db().$queryRaw<WishRow[]>`
    SELECT i.id AS "instanceId", h.slot, i.wanted, i.wanted_boot AS boot, i.storage_gb AS "storageGb",
      i.template_snapshot AS "templateSnapshot", i.docker_password_sealed IS NOT NULL AS "hasPassword",
      ARRAY(SELECT s.value FROM instance_secret k JOIN secret s ON s.id = k.secret_id WHERE k.instance_id = i.id ORDER BY s.id) AS keys
    FROM host h JOIN host_container c ON c.host_id = h.id JOIN instance i ON i.id = c.instance_id
    WHERE h.agent_id = ${agentId} ORDER BY i.id`;
  const wishes = rows.map(toWish);
  return { revision: createHash("sha256").update(JSON.stringify(wishes)).digest("base64url"), wishes };
}

function toWish({ templateSnapshot, hasPassword, ...row }: WishRow): Wish {
  const template = templateOf({ templateSnapshot });
  const image = imageToPull(template);
  if ("problem" in image)
    throw new Error(`instance ${row.instanceId} was rented with an image that does not parse`);
  return {
    ...row,
    template: {
      image: image.reference,
      login: hasPassword ? template.login : null,
      registry: template.registry,
      variables: template.variables,
      command: template.command,
      ports: template.ports,
      useSsh: template.useSsh,
      sshUsername: template.sshUsername,
      useJupyter: template.useJupyter,
      useJupyterLab: template.useJupyterLab,
      jupyterDirectory: template.jupyterDirectory,
    },
  };
}

/** The keys that an instance on the agent's own machine lets in now; none where it has no such instance. */
export async function listKeys({ agentId }: AgentCaller, instanceId: string): Promise<string[]> {
  const rows = await db().$queryRaw<{ value: string }[]>`
    SELECT s.value FROM host h JOIN instance i ON i.host_id = h.id JOIN instance_secret k ON k.instance_id = i.id
      JOIN secret s ON s.id = k.secret_id
    WHERE h.agent_id = ${agentId} AND i.id = ${instanceId} AND i.runtime = 'docker' AND i.status <> 'destroyed' ORDER BY s.id`;
  return rows.map(({ value }) => value);
}
