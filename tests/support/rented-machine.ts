import { db, type Prisma } from "@/lib/db/client";
import { rethrow } from "@/lib/worker/each-instance";
import { reconcileInstances } from "@/lib/worker/reconcile-instances";
import { joinMachine } from "./agent-machine";
import { makeAccount, makeTemplate } from "./api";
import { makeGpu, rent } from "./world";

/** A machine that has joined, and an instance on it that its agent is told of and has said nothing about yet. */
export async function makeRentedMachine(template: Partial<Prisma.TemplateUncheckedCreateInput>) {
  await makeGpu();
  const owner = await makeAccount();
  const renter = await makeAccount();
  const joined = await joinMachine(owner.userId);
  const hostId = joined.hosts[0]?.hostId ?? "";
  const offer = await db().offer.findUniqueOrThrow({ where: { hostId } });
  const { templateId } = await makeTemplate(renter.userId, template);
  const rentAgain = () => rent(renter.key, { offer_id: offer.id, template_id: templateId });
  const instanceId = await rentAgain();
  await reconcileInstances(rethrow);
  return { owner, renter, joined, hostId, offerId: offer.id, instanceId, rentAgain };
}
