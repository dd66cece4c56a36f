import { db } from "../db/client";
import type { ContainerSpec, Observation, Runtime } from "./runtime";

/** A report wakes the worker by itself; this is for one whose wake-up was lost. */
const LOOK_AGAIN_MS = 10_000;
const LOOK_AT_RUNNING_MS = 60_000;
const LOOK_AT_REMOVAL_MS = 1_000;
const LOST_AFTER_HOURS = 24;

interface Reported {
  boot: number;
  state: "waiting" | "pulling" | "starting" | "running" | "stopped" | "exited" | "failed";
  message: string | null;
  address: string | null;
  sshPort: number | null;
  ports: Record<string, string>;
  uiUrl: string | null;
}

/**
 * Real containers on the machines of host owners. An agent dials in, is told what is wanted and says what it sees
 * (lib/agents); what it last said stands in host_container, so any worker can drive it. A row there is the wish itself:
 * made when an instance is first to run, gone when the agent has said that nothing of it is left.
 */
export const dockerRuntime: Runtime = {
  async ensure(spec) {
    const reported = (await makeWish(spec)) ?? (await findReport(spec.instanceId));
    return reported
      ? observe(spec, reported)
      : { ...waiting("waiting until the machine has removed what was there"), againInMs: LOOK_AT_REMOVAL_MS };
  },

  async pause({ instanceId }) {
    const reported = await findReport(instanceId);
    if (!reported || reported.state === "stopped") {
      return { message: "paused: its disk is kept", againInMs: null };
    }
    return { message: "pausing", againInMs: LOOK_AGAIN_MS };
  },

  async destroy(instanceId) {
    return { againInMs: (await mayBeThere(instanceId)) ? LOOK_AGAIN_MS : null };
  },
};

/**
 * The share lock on what is wanted keeps a late worker from bringing back what another one has removed since. A slot has one
 * container: the next one waits until the agent has said that the former one is gone.
 */
async function makeWish({ instanceId }: ContainerSpec): Promise<Reported | null> {
  const [made] = await db().$queryRaw<Reported[]>`
    WITH still AS (
      SELECT id, host_id FROM instance WHERE id = ${instanceId} AND wanted = 'running' AND host_id IS NOT NULL FOR SHARE
    ) INSERT INTO host_container (instance_id, host_id) SELECT id, host_id FROM still
      WHERE NOT EXISTS (SELECT FROM host_container former WHERE former.host_id = still.host_id AND former.instance_id <> still.id)
    ON CONFLICT DO NOTHING
    RETURNING boot, state, message, address, ssh_port AS "sshPort", ports, ui_url AS "uiUrl"`;
  return made ?? null;
}

async function findReport(instanceId: string): Promise<Reported | null> {
  const [row] = await db().$queryRaw<Reported[]>`
    SELECT boot, state, message, address, ssh_port AS "sshPort", ports, ui_url AS "uiUrl"
    FROM host_container WHERE instance_id = ${instanceId}`;
  return row ?? null;
}

/**
 * Whether something of a destroyed instance may be left. A machine whose agent is revoked, or that was silent for a day, may
 * never say so; the wish stays for the case that it comes back, and the next renter's container waits for its answer.
 */
async function mayBeThere(instanceId: string): Promise<boolean> {
  const rows = await db().$queryRaw<unknown[]>`
    SELECT 1 FROM host_container c JOIN host h ON h.id = c.host_id JOIN agent a ON a.id = h.agent_id
    WHERE c.instance_id = ${instanceId} AND a.revoked_at IS NULL
      AND h.last_report_at > clock_timestamp() - make_interval(hours => ${LOST_AFTER_HOURS}::int)`;
  return rows.length > 0;
}

function observe(spec: ContainerSpec, reported: Reported): Observation {
  const { state, address, sshPort, ports, uiUrl } = reported;
  const message = reported.message ?? "waiting for the machine";
  if (state === "waiting" || state === "stopped" || reported.boot < spec.boot) return waiting(message);
  const access =
    state === "running" && address !== null ? { address, sshHost: address, sshPort, ports, uiUrl } : null;
  return {
    state,
    message,
    access,
    stats: null,
    logs: [],
    againInMs: state === "running" ? LOOK_AT_RUNNING_MS : LOOK_AGAIN_MS,
  };
}

function waiting(message: string): Observation {
  return { state: "starting", message, access: null, stats: null, logs: [], againInMs: LOOK_AGAIN_MS };
}
