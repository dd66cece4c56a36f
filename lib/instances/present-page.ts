import { getRate } from "../billing/exchange-rates";
import type { Rate } from "../kernel/money";
import { countOffersOfGpus } from "../market/count-offers-of-gpus";
import type { InstanceView } from "./list-instances";
import { offerOf, presentInstance } from "./presenter";

/** Instances as answers show them, with one query for all their GPUs' counts. */
export async function presentInstances(rows: InstanceView[], currency: Rate["currency"]) {
  const [rate, counts] = await Promise.all([
    getRate(currency),
    countOffersOfGpus(rows.map((row) => offerOf(row).gpuTranslitName)),
  ]);
  return rows.map((row) => presentInstance(row, rate, counts));
}
