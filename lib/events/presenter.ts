import type { z } from "zod";
import type { event } from "../contract/event";
import { microToNumber } from "../kernel/money";
import type { EventRow } from "./list-events";

/** Amounts by what they are called in answers. */
const amounts: Record<string, string> = {
  available_micro: "balance",
  burn_micro: "burn_rate",
  grace_micro: "grace",
};

export function presentEvent({ id, type, subjectId, data, at }: EventRow): z.output<typeof event> {
  return {
    id: String(id),
    type,
    subject_id: subjectId,
    data: Object.fromEntries(Object.entries(data).map(presentDatum)),
    at: at.toISOString(),
  };
}

function presentDatum([name, value]: [string, EventRow["data"][string]]): [string, EventRow["data"][string]] {
  const amount = amounts[name];
  if (amount !== undefined) return [amount, microToNumber(BigInt(value ?? 0))];
  // The database writes an instant with the offset of the session that wrote it.
  if (name === "prepaid_until" && typeof value === "string") return [name, new Date(value).toISOString()];
  return [name, value];
}
