import { z } from "zod";
import { number, optional, pagingParameters, reference, text, timestamp, withDefault } from "./common";
import { scopes } from "./words";

const scopeList = z.array(z.enum(scopes));

export const apiKey = z
  .strictObject({
    id: z.string().meta({ description: "The part of the key between `ak-` and `_`" }),
    name: z.string(),
    scopes: scopeList,
    created_at: timestamp,
    expires_at: timestamp.nullable(),
    last_used_at: timestamp.nullable().meta({ description: "To the minute; null where it never was" }),
    revoked_at: timestamp.nullable(),
  })
  .meta({ id: "ApiKey" });

export const newApiKey = apiKey
  .extend({
    api_key: z.string().nullable().meta({
      description:
        "The key itself, for `X-Api-Key`. It is shown this once: where an Idempotency-Key repeats the answer it is null",
    }),
  })
  .meta({ id: "NewApiKey" });

export const apiKeyParams = z.object({ key_id: reference() });

export const listApiKeysQuery = z.object(pagingParameters);

/** The name's characters are checked by the domain. */
export const createApiKeyBody = z
  .object({
    name: text({ min: 1, max: 100 }),
    scopes: optional(scopeList.min(1).max(100)).meta({
      description: "What it may do; absent: all that the caller may.",
    }),
    expires_in_days: optional(number().int().min(1).max(3650)).meta({
      description: "Days from now; absent: it does not expire.",
    }),
  })
  .meta({ id: "CreateApiKeyBody" });

export const rollApiKeyBody = z
  .object({
    grace_hours: withDefault(number().int().min(0).max(168), 0).meta({
      description: "For how many hours the old key stays good beside the new one.",
    }),
  })
  .meta({ id: "RollApiKeyBody" });
