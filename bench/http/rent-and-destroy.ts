import { z } from "zod";
import { type Latency, latencyOf } from "../percentiles";
import { type Call, mustAnswer } from "./caller";

const rented = z.object({ data: z.array(z.object({ id: z.string() })).length(1) });

export async function rentOne(call: Call, offerId: string, templateId: string): Promise<string> {
  const wish = JSON.stringify({ offer_id: offerId, template_id: templateId, disk_gb: 1 });
  const text = await mustAnswer(call, "POST", "/v0/instances/create", wish);
  return rented.parse(JSON.parse(text)).data[0]?.id ?? "";
}

export async function destroyOne(call: Call, instanceId: string): Promise<void> {
  await mustAnswer(call, "DELETE", `/v0/instances/${instanceId}`);
}

/** Rents each offer and destroys what it got, so many at once. */
export async function timeRents(
  call: Call,
  offerIds: readonly string[],
  templateId: string,
  atOnce: number,
): Promise<{ create: Latency; destroy: Latency; pairsASecond: number }> {
  const left = [...offerIds];
  const [creates, destroys]: [number[], number[]] = [[], []];
  const began = performance.now();
  const follow = async () => {
    for (let offer = left.pop(); offer !== undefined; offer = left.pop()) {
      const asked = performance.now();
      const instance = await rentOne(call, offer, templateId);
      const answered = performance.now();
      await destroyOne(call, instance);
      creates.push(answered - asked);
      destroys.push(performance.now() - answered);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, follow));
  const seconds = (performance.now() - began) / 1000;
  return { create: latencyOf(creates), destroy: latencyOf(destroys), pairsASecond: creates.length / seconds };
}
