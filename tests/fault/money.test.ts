import { describe, expect, it } from "vitest";
import { createSeededRandom } from "@/lib/catalogue/seeded-random";
import { useTestDatabase } from "../support/api-setup";
import { countSettled, expectSoundLedger } from "../support/audit-ledger";
import { crowd } from "../support/crowd";
import { endAll, makeDebts } from "../support/debts";
import { makePerson, raceReprice } from "../support/race-reprice";
import { HOUR, MONTH, OFFERS, type RushResult, rush } from "../support/rush";
import { startServer } from "../support/server";
import {
  connectBlocker,
  makeCommitsWait,
  standInTheWay,
  urlOf,
  waitUntilGone,
  waitUntilStopped,
} from "../support/settling-victim";
import { waitUntil } from "../support/wait-until";
import { makeGpu, makeHost } from "../support/world";

useTestDatabase();

const RACES = 1_000;
const RACES_AT_ONCE = 20;

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
    await endAll();
  });

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
    await endAll();
  });
});

describe("kill -9 while it settles", () => {
  it("FLT-22 of workers and servers, 20 times, in a settlement, at its commit and after it: each is there once or not at all", async () => {
    await makeDebts();
    const blocker = await connectBlocker();
    await makeCommitsWait();
    for (let round = 0; round < 20; round += 1) {
      const victim = `victim-${round}`;
      const moment = (["in its statement", "at its commit", "after it"] as const)[round % 3] ?? "after it";
      const before = await countSettled();
      const stopped = moment === "after it" ? null : await standInTheWay(blocker, moment);
      const starting = startServer({ DATABASE_URL: urlOf(victim), ROLE: round % 2 ? "both" : "worker" });
      if (moment === "after it")
        await waitUntil("it has settled", async () => (await countSettled()).micro > before.micro);
      else await waitUntilStopped(victim, moment);
      await (await starting).kill("SIGKILL");
      await stopped?.();
      await waitUntilGone(victim);
      const after = await countSettled();
      expect(after.micro > before.micro, `round ${round}, killed ${moment}`).toBe(
        moment !== "in its statement",
      );
      await expectSoundLedger(`after round ${round}, killed ${moment}`);
    }
    await endAll();
  }, 300_000);
});

describe("all at once", () => {
  it("FLT-24 settlers, verbs, reconcilers and payouts never wait for each other in a circle, and never fail", async () => {
    const debts = await makeDebts();
    expect(await crowd(debts, createSeededRandom("crowd"))).toEqual([]);
    await expectSoundLedger("after the crowd");
    await endAll();
  });
});

describe("a reprice racing a rent", () => {
  it("FLT-23 1,000 times: the locked price is the old or the new one, never another than the renter expected", async () => {
    await makeGpu();
    const people = { owner: await makePerson(0), renter: await makePerson(1_000_000) };
    await makeHost(people.owner.userId);
    const random = createSeededRandom("reprice");
    const outcomes: Record<string, number> = {};
    for (let done = 0; done < RACES; done += RACES_AT_ONCE) {
      const races = Array.from({ length: RACES_AT_ONCE }, () =>
        raceReprice(people, random.pick(["old", "new", "none"]), Math.round(random.between(-20, 20))),
      );
      for (const outcome of await Promise.all(races)) outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
    }
    expect(Object.keys(outcomes).sort()).toEqual([
      "new: price_changed at the old",
      "new: rented at the new",
      "none: rented at the new",
      "none: rented at the old",
      "old: price_changed at the new",
      "old: rented at the old",
    ]);
    await expectSoundLedger("after the races");
  });
});
