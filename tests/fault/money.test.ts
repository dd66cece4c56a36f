import { describe, expect, it } from "vitest";
import { useTestDatabase } from "../support/api-setup";
import { expectSoundLedger } from "../support/audit-ledger";
import { HOUR, MONTH, OFFERS, type RushResult, rush } from "../support/rush";
import { startServer } from "../support/server";

useTestDatabase();

const startWeb = () => startServer({ DATABASE_URL: process.env.DATABASE_URL ?? "", ROLE: "web" });

function expectWholeRush(result: RushResult): void {
  const { won, lost, seen, instances, leased } = result;
  expect(lost).toEqual(Array(OFFERS - won.length).fill("402 insufficient_funds"));
  expect({ instances, leased }).toEqual({ instances: won.length, leased: won.length });
  expect(seen.filter(({ available, burn }) => available < 0n || available < burn)).toEqual([]);
}

describe("one balance and 20 rents at once", () => {
  it("FLT-20 money for one month rents one of 20 offers by the month at once, and the balance is never below zero", async () => {
    const nodes = [(await startWeb()).url, (await startWeb()).url];
    for (let round = 0; round < 8; round += 1) {
      const urls = nodes.slice(0, 1 + (round % 2));
      const result = await rush({ urls, balanceMicro: MONTH, periodOf: () => "month" });
      expectWholeRush(result);
      expect(result).toMatchObject({ won: ["month"], prepaid: [-MONTH] });
      expect(result.seen.at(-1)).toEqual({ available: 0n, burn: 0n });
    }
    await expectSoundLedger("after months");
  }, 60_000);

  it("FLT-21 money for an hour of so many rents so many by the hour, also where terms paid ahead take from it", async () => {
    const nodes = [(await startWeb()).url, (await startWeb()).url];
    for (const most of [1, 2, 7, 19]) {
      const balanceMicro = HOUR * BigInt(most) + HOUR - 1n;
      const result = await rush({ urls: nodes, balanceMicro, periodOf: () => "hour" });
      expectWholeRush(result);
      expect(result.won).toHaveLength(most);
      expect(result.seen.at(-1)).toEqual({ available: balanceMicro, burn: HOUR * BigInt(most) });
      const mixed = await rush({
        urls: nodes,
        balanceMicro: MONTH + balanceMicro,
        periodOf: (index) => (index % 2 ? "month" : "hour"),
      });
      expectWholeRush(mixed);
      expect(mixed.prepaid).toHaveLength(mixed.won.filter((period) => period === "month").length);
    }
    await expectSoundLedger("after hours and months");
  }, 60_000);
});
