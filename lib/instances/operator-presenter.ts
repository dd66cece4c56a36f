import type { z } from "zod";
import type { operatorInstance } from "../contract/operator";
import { instancePhases } from "../contract/words";
import { microToNumber } from "../kernel/money";
import { statusOf } from "./instance-row";
import { offerOf, templateOf } from "./presenter";
import type { FoundInstance } from "./search-instances";

export function presentAnyInstance(row: FoundInstance): z.output<typeof operatorInstance> {
  const [offer, template] = [offerOf(row), templateOf(row)];
  return {
    id: row.id,
    name: row.name,
    status: statusOf(row),
    phase: instancePhases.find((known) => known === row.phase) ?? "scheduling",
    owner: row.user,
    host_id: row.hostId,
    offer_id: row.offerId,
    gpu_name: offer.gpuName,
    gpu_amount: offer.gpuAmount,
    image: `${template.image}:${template.imageTag}`,
    flagged_at: row.flaggedAt?.toISOString() ?? null,
    flag_note: row.flagNote,
    created_at: row.createdAt.toISOString(),
    started_at: row.initializedAt?.toISOString() ?? null,
    cost_per_hour: microToNumber(row.prepaidUntil === null ? row.burnMicro : row.prepaidRateMicro),
  };
}
