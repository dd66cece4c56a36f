import { closeMeter } from "../billing/meter";
import type { Tx } from "../db/client";
import type { LockedInstance } from "./instance-row";
import { followStatus, tell } from "./move-instance";

/**
 * Nothing is metered from the host's last report on, which is `row.at`. A verb may have been metered beyond it, while the
 * host was not yet late: the silence begins where the meter ended, or a term would be extended by time that it has paid.
 */
export async function goSilent(tx: Tx, row: LockedInstance): Promise<void> {
  await closeMeter(tx, row);
  await tx.$executeRaw`
    UPDATE instance SET silent_since = greatest(${row.at}::timestamptz, initialized_at,
      (SELECT max(ended_at) FROM meter_interval WHERE instance_id = ${row.id})) WHERE id = ${row.id}`;
  const now = await tx.instance.findUniqueOrThrow({ where: { id: row.id } });
  await followStatus(tx, { ...now, at: row.at });
  await tell(tx, row, "instance.host_silent");
}

/** The host is heard again at `row.at`: it costs again, and a paid term ends later by the length of the silence. */
export async function comeBack(tx: Tx, row: LockedInstance): Promise<void> {
  if (row.silentSince === null) return;
  await tx.$executeRaw`
    UPDATE instance SET prepaid_until = prepaid_until + (${row.at}::timestamptz - silent_since), silent_since = NULL,
      status_changed_at = CASE WHEN status = 'rebooting' THEN ${row.at}::timestamptz ELSE status_changed_at END
    WHERE id = ${row.id}`;
  const now = await tx.instance.findUniqueOrThrow({ where: { id: row.id } });
  await followStatus(tx, { ...now, at: row.at });
  await tell(tx, row, "instance.host_back");
}
