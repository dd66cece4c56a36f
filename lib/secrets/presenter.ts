import type { z } from "zod";
import type { secret } from "../contract/secret";
import type { SecretRow } from "./create-secret";

/** Section 2.13. */
export function presentSecret(row: SecretRow): z.output<typeof secret> {
  return {
    id: row.id,
    user_id: row.userId,
    name: row.name,
    value: row.value,
    fingerprint: row.fingerprint,
    created_at: row.createdAt.toISOString(),
    secret_type: "ssh",
    description: row.description,
    renter_id: row.userId,
  };
}
