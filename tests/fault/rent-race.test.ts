import { describe, expect, it } from "vitest";
import { db } from "@/lib/db/client";
import { makeAccount, makeOffer, makeTemplate } from "../support/api";
import { useTestDatabase } from "../support/api-setup";
import { startServer } from "../support/server";

useTestDatabase();

const RENTERS = 200;

interface Outcome {
  status: number;
  code: string | undefined;
}

/** Lets renters, each with an account and key of its own, rent one offer at once over HTTP. */
async function raceForOffer(): Promise<{ outcomes: Outcome[]; offerId: string }> {
  const { url, kill } = await startServer({ DATABASE_URL: process.env.DATABASE_URL ?? "", ROLE: "web" });
  const { offerId } = await makeOffer();
  const publisher = await makeAccount();
  const { templateId } = await makeTemplate(publisher.userId, { publishedAt: new Date() });
  const renters = await Promise.all(Array.from({ length: RENTERS }, () => makeAccount()));
  const body = JSON.stringify({ offer_id: offerId, template_id: templateId });
  const outcomes = await Promise.all(
    renters.map(async ({ key }): Promise<Outcome> => {
      const headers = { "x-api-key": key, "content-type": "application/json" };
      const answer = await fetch(`${url}/v0/instances/create`, { method: "POST", headers, body });
      const { code } = await answer.json();
      return { status: answer.status, code };
    }),
  );
  await kill("SIGTERM");
  return { outcomes, offerId };
}

function countBy(outcomes: Outcome[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { status, code } of outcomes) {
    const name = code ? `${status} ${code}` : String(status);
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}

describe("200 renters at once on one offer", () => {
  // Without its guards (`rentable` in the statement of renting, and the partial unique index) this fails: see below.
  it("INST-02 one rents it, the others get 409 offer_unavailable, and nothing else happens", async () => {
    const { outcomes, offerId } = await raceForOffer();
    expect(countBy(outcomes)).toEqual({ "200": 1, "409 offer_unavailable": RENTERS - 1 });
    expect(await db().instance.count({ where: { offerId } })).toBe(1);
    expect(await db().offer.findUniqueOrThrow({ where: { id: offerId } })).toMatchObject({
      leased: true,
      rentable: false,
    });
    const [money] = await db().$queryRaw<{ debited: bigint }[]>`
      SELECT count(*) AS debited FROM balance WHERE burn_micro > 0`;
    expect(money).toEqual({ debited: 1n });
  });

  it("INST-02 holds by its guards alone: with both taken out of the database, many rent it", async () => {
    await db().$executeRaw`DROP INDEX instance_one_lease_an_offer`;
    await db().$executeRaw`ALTER TABLE offer DROP COLUMN rentable`;
    await db()
      .$executeRaw`ALTER TABLE offer ADD COLUMN rentable boolean NOT NULL GENERATED ALWAYS AS (true) STORED`;
    const { offerId } = await raceForOffer();
    expect(await db().instance.count({ where: { offerId } })).toBeGreaterThan(1);
  });
});
