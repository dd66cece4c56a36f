import { describe, expect, it } from "vitest";
import { costAt, costBy, hourlyCost } from "@/lib/client/instance-cost";
import { gapAt, toLoadPoints } from "@/lib/client/metric-points";
import { examples } from "@/lib/contract/examples";

const HOUR = 3_600_000;
const now = Date.parse("2026-03-02T12:00:00Z");
const running = { ...examples.instance, total_cost: 2, uptime_price: 1, pause_price: 0.25 };

describe("what an instance costs", () => {
  it("WEB-46 ticks on by its rate: running, paused, and nothing while it boots", () => {
    expect(costAt(running, now, now + HOUR / 2)).toBeCloseTo(2.5);
    expect(costAt({ ...running, status: "paused" }, now, now + HOUR)).toBeCloseTo(2.25);
    expect(costAt({ ...running, status: "rebooting" }, now, now + HOUR)).toBe(2);
    expect(hourlyCost({ ...running, status: "error" })).toBe(0.25);
    expect(hourlyCost({ ...running, status: "error", initialized_at: null })).toBe(0);
    expect(costAt(running, now, now - HOUR)).toBe(2); // a clock that is late takes nothing back
  });

  it("WEB-47 foresees the end of a month, with time paid ahead and its renewals", () => {
    const prices = [
      { currency: "USD", period: "day", price: 0.8, price_per_gpu: 0.8, discount: 20 },
    ] as const;
    const paid = {
      ...running,
      is_prepaid: true,
      reserve_period: "day" as const,
      prepaid_until: "2026-03-02T14:00:00Z",
      actual_offer: { ...running.actual_offer, prices: [...prices] },
    };
    expect(costBy(running, now, now + 10 * HOUR)).toBeCloseTo(12);
    expect(hourlyCost(paid)).toBe(0);
    expect(costBy(paid, now, now + HOUR)).toBe(2);
    expect(costBy(paid, now, now + 10 * HOUR)).toBeCloseTo(10);
    expect(costBy({ ...paid, auto_renew: true }, now, now + 27 * HOUR)).toBeCloseTo(2 + 2 * 24 * 0.8);
  });
});

describe("points of charts", () => {
  const metric = { gpu_util: 50, cpu_util: 1, ram_util: 2, mem_util: 3, inet_out: 0 };
  const at = (seconds: number, inet_in: number) => ({
    ...metric,
    inet_in,
    at: new Date(now + seconds * 1000).toISOString(),
  });

  it("WEB-48 leaves a gap where nothing was measured, and makes rates of counters", () => {
    const points = toLoadPoints([at(0, 100), at(10, 1100), at(60, 5000), at(70, 10)], 10);
    expect(points.map((point) => point.inetIn)).toEqual([null, 100, null, null, null]);
    expect(points[2]).toEqual(gapAt(now + 20_000));
    expect(points.filter((point) => point.gpuUtil === null)).toHaveLength(1);
  });
});
