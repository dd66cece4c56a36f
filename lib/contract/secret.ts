import { z } from "zod";
import { choice, optional, pagingParameters, reference, text, timestamp, withDefault } from "./common";

export const secretTypes = ["ssh"] as const;

/** Section 2.13, with the addition `fingerprint`. */
export const secret = z
  .strictObject({
    id: z.string(),
    user_id: z.string(),
    name: z.string(),
    value: z.string().meta({ description: "One OpenSSH public key line" }),
    fingerprint: z.string().meta({ description: "SHA256, as ssh-keygen -lf prints it" }),
    created_at: timestamp,
    secret_type: z.enum(secretTypes),
    description: z.string().nullable(),
    renter_id: z.string().nullable(),
  })
  .meta({ id: "Secret" });

export const secretParams = z.object({ secret_id: reference() });

export const listSecretsQuery = z.object(pagingParameters);

/** The key line itself is checked by the domain. */
export const createSecretBody = z
  .object({
    secret_type: withDefault(choice(secretTypes), "ssh"),
    value: text({ min: 1, max: 16_384 }).meta({ description: "One OpenSSH public key line." }),
    name: text({ min: 1, max: 120 }),
    description: optional(text({ max: 10_000 })),
  })
  .meta({ id: "CreateSecretBody" });
