import type { ReservePeriod } from "@/lib/contract/words";

/** What the sheet asks for. `diskGb` null: what the template recommends. */
export interface RentValues {
  templateId: string;
  period: ReservePeriod;
  secretIds: string[];
  diskGb: string | null;
  name: string;
  autoRenew: boolean;
}

const DEFAULT_DISK_GB = 10;

/** The disk that would be rented, as the API would choose it; NaN where what was typed is no number. */
export function diskOf(typed: string | null, recommended: number | null | undefined): number {
  if (typed === null || typed.trim() === "") return recommended ?? DEFAULT_DISK_GB;
  return Number(typed.replace(",", "."));
}

/** Which of the fields an issue of the API is about. */
export const fieldOf: Record<string, keyof RentValues> = {
  template_id: "templateId",
  reserve_period: "period",
  secret_ids: "secretIds",
  disk_gb: "diskGb",
  name: "name",
  auto_renew: "autoRenew",
};
