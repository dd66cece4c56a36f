import { db, type Prisma } from "@/lib/db/client";
import { newId } from "@/lib/kernel/ids";
import { makeOffer } from "./api";

/** An instance's row on an offer of its own, as renting would leave it, for tests of what refers to instances. */
export async function makeInstance(
  userId: string,
  data: Partial<Prisma.InstanceUncheckedCreateInput> = {},
): Promise<string> {
  const id = newId("inst");
  const { offerId } = await makeOffer();
  await db().instance.create({
    data: {
      id,
      userId,
      offerId,
      offerSnapshot: {},
      templateSnapshot: {},
      storageGb: 10,
      priceMicro: 500_000n,
      uptimeMicro: 500_000n,
      pauseMicro: 100_000n,
      runtime: "simulated",
      payeeId: "prov_nobody",
      dueAt: null,
      ...data,
    },
  });
  return id;
}
