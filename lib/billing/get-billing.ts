import type { balanceStages } from "../contract/words";
import { db } from "../db/client";
import type { Ctx } from "../kernel/ctx";
import { owedMicro } from "./meter";
import { type Earned, getEarned } from "./payouts";

/** What one has, owes and earns at an instant: micro-units of USD. */
export interface BillingState extends Earned {
  at: Date;
  availableMicro: bigint;
  burnMicro: bigint;
  stage: (typeof balanceStages)[number];
  graceMicro: bigint;
  /** Used by the hour and not settled yet. */
  accruedMicro: bigint;
  escrowMicro: bigint;
}

/** What one has, owes and earns now. */
export async function getBilling(ctx: Ctx): Promise<BillingState> {
  const [[state], earned] = await Promise.all([readState(ctx.userId), getEarned(ctx.userId)]);
  if (!state) throw new Error("an account without a row");
  return { ...state, ...earned };
}

/** Escrow is asked of instances with a running term only: all others hold none, and would be as many movements as there ever were. */
function readState(userId: string) {
  return db().$queryRaw<Omit<BillingState, keyof Earned>[]>`
    SELECT clock_timestamp() AS at, coalesce(b.available_micro, 0) AS "availableMicro", coalesce(b.burn_micro, 0) AS "burnMicro",
      coalesce(b.stage, 'fine') AS stage, coalesce(b.grace_micro, 0) AS "graceMicro",
      (SELECT coalesce(sum(${owedMicro} - m.settled_micro), 0)::bigint
        FROM instance i JOIN meter_interval m ON m.instance_id = i.id LEFT JOIN host h ON h.id = i.host_id
        WHERE i.user_id = u.id AND NOT m.settled AND m.term IS NULL) AS "accruedMicro",
      (SELECT coalesce(sum(l.escrow_micro), 0)::bigint FROM instance i JOIN ledger_movement l ON l.instance_id = i.id
        WHERE i.user_id = u.id AND i.prepaid_until IS NOT NULL) AS "escrowMicro"
    FROM "user" u LEFT JOIN balance b ON b.user_id = u.id WHERE u.id = ${userId}`;
}
