import { erasePerson } from "./accounts/erase-person";
import { forgetKeys } from "./accounts/known-keys";
import { vouchForDeletion } from "./accounts/vouch-for-deletion";
import { revokeAgents } from "./agents/revoke-agents";
import { type Left, sumWhatIsLeft } from "./billing/sum-what-is-left";
import { inTransaction } from "./db/client";
import { deleteHosts } from "./hosts/delete-hosts";
import { eraseInstances } from "./instances/erase-instances";
import type { Ctx } from "./kernel/ctx";
import { DomainError } from "./kernel/errors";
import { microToNumber } from "./kernel/money";

/**
 * Deletes one's own account: all of it or nothing. What it had is taken from the market, what it wrote is erased, and the
 * ledger stays under a pseudonym. Locks are taken in the order of everybody else: agents, hosts, offers, instances,
 * balance, account. What is left is judged under them, so that a rent at the same time either comes first, and is told here,
 * or finds no offer and no money.
 * @throws ValidationError for a wrong e-mail address or password · DomainError in_use, with everything that is left
 */
export async function deleteAccount(
  ctx: Ctx,
  proof: { confirm: string; password: string | undefined },
): Promise<void> {
  await vouchForDeletion(ctx, proof);
  await inTransaction(async (tx) => {
    await revokeAgents(tx, ctx.userId);
    const rentedHosts = await deleteHosts(tx, ctx.userId);
    await eraseInstances(tx, ctx.userId);
    const left = await sumWhatIsLeft(tx, ctx.userId);
    // Counted under the balance's lock, which a rent of a moment ago has held.
    const instances = await tx.instance.count({
      where: { userId: ctx.userId, status: { not: "destroyed" } },
    });
    const reasons = [...describeUse(instances, rentedHosts), ...describeMoney(left)];
    if (reasons.length > 0) {
      throw new DomainError("in_use", `The account cannot be deleted yet. ${reasons.join(" ")}`);
    }
    await erasePerson(tx, ctx.userId);
  });
  forgetKeys();
}

function describeUse(instances: number, rentedHosts: number): string[] {
  return [
    ...(instances > 0 ? [`Instances that are not destroyed: ${instances}. Destroy them.`] : []),
    ...(rentedHosts > 0
      ? [`Hosts that are rented: ${rentedHosts}. They are free once their renters' instances are gone.`]
      : []),
  ];
}

function describeMoney({ availableMicro, escrowMicro, owedMicro, unsettled }: Left): string[] {
  const usd = (micro: bigint) => `${microToNumber(micro)} USD`;
  return [
    ...(availableMicro === 0n
      ? []
      : [`The balance is ${usd(availableMicro)}: ask the operator to bring it to zero.`]),
    ...(escrowMicro === 0n ? [] : [`Paid ahead and not used: ${usd(escrowMicro)}.`]),
    ...(owedMicro === 0n
      ? []
      : [`Earned and not paid out: ${usd(owedMicro)}. Ask the operator to pay it out.`]),
    ...(unsettled ? ["The last minutes are not settled yet: try again in a minute."] : []),
  ];
}
