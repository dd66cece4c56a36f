import { reachAgents } from "../agents/reach-agents";
import { settleUsage } from "../billing/settle-usage";
import { verifyLedger } from "../billing/verify-ledger";
import { db } from "../db/client";
import { pause } from "../kernel/pause";
import { forgetOldPrices } from "../market/forget-old-prices";
import { recordPrices } from "../market/record-prices";
import { forgetOldTelemetry } from "../telemetry/forget-old-telemetry";
import { nextDueInMs } from "./claim-instances";
import { followBalances } from "./follow-balances";
import { followTime } from "./follow-time";
import { listenForWork } from "./listen-for-work";
import { reconcileInstances } from "./reconcile-instances";

const LOOK_EVERY_MS = 1_000;
const LOOK_AT_MOST_EVERY_MS = 20;
const METER_EVERY_MS = 60_000;
const REACH_EVERY_MS = 10_000;
const VERIFY_EVERY_MS = 3_600_000;
const PRICES_EVERY_MS = 300_000;
const CLEAN_EVERY_MS = 600_000;
const AFTER_A_FAILURE_MS = 1_000;

type Report = (error: unknown, doing: string) => void;

export interface Worker {
  /** Resolves when the rounds that run have ended. */
  stop(): Promise<void>;
}

/**
 * Runs the loops of a worker: reconcile, meter, clean-up. Any number may run on any number of nodes. A database that
 * goes away is reported and waited for.
 */
export function startWorker(report: Report): Worker {
  const abort = new AbortController();
  const hint = listenForWork(abort.signal);
  const loops = [
    loop(abort.signal, report, "reconcile", async () => {
      const claimed = await reconcileInstances((error, id) => report(error, `reconcile ${id}`));
      const due = claimed > 0 ? 0 : await nextDueInMs();
      const wait = Math.min(LOOK_EVERY_MS, Math.max(LOOK_AT_MOST_EVERY_MS, due ?? LOOK_EVERY_MS));
      await hint.waitAtMost(wait);
    }),
    loop(abort.signal, report, "meter", async () => {
      await followTime((error, id) => report(error, `time of ${id}`));
      await settleUsage();
      await followBalances((error, id) => report(error, `money of ${id}`));
      await pause(METER_EVERY_MS, abort.signal);
    }),
    loop(abort.signal, report, "reachability", async () => {
      await reachAgents();
      await pause(REACH_EVERY_MS, abort.signal);
    }),
    loop(abort.signal, report, "ledger check", async () => {
      await checkLedger(report);
      await pause(VERIFY_EVERY_MS, abort.signal);
    }),
    loop(abort.signal, report, "price history", async () => {
      await recordPrices();
      await pause(PRICES_EVERY_MS, abort.signal);
    }),
    loop(abort.signal, report, "clean-up", async () => {
      await cleanUp();
      await pause(CLEAN_EVERY_MS, abort.signal);
    }),
  ];
  return {
    async stop() {
      abort.abort();
      await Promise.all(loops);
      await hint.stop();
    },
  };
}

/** A fault in the ledger is nothing that a program mends; an operator is told, each hour until it is. */
async function checkLedger(report: Report): Promise<void> {
  const { ok, findings } = await verifyLedger();
  if (ok) return;
  const [first] = findings;
  const text = `the ledger check found ${findings.length} faults, first ${first?.rule} of ${first?.subject}: run berth ledger verify`;
  report(new Error(text), "ledger check");
}

async function loop(signal: AbortSignal, report: Report, name: string, round: () => Promise<void>) {
  while (!signal.aborted) {
    try {
      await round();
    } catch (error) {
      report(error, name);
      await pause(AFTER_A_FAILURE_MS, signal);
    }
  }
}

/** What nobody can ask for any more. */
async function cleanUp(): Promise<void> {
  await db().$executeRaw`DELETE FROM idempotent_request WHERE created_at < now() - interval '24 hours'`;
  await db().$executeRaw`DELETE FROM verification WHERE expires_at < now()`;
  await db()
    .$executeRaw`DELETE FROM host_token WHERE expires_at < now() - interval '24 hours' AND used_at IS NULL`;
  await db().$executeRaw`DELETE FROM session WHERE expires_at < now()`;
  await forgetOldPrices();
  await forgetOldTelemetry();
}
