import { z } from "zod";
import { number, pagingParameters, reference, timestamp, withDefault } from "./common";

export const hostTokenStatuses = ["waiting", "used", "expired"] as const;

/** A host token as its owner sees it later: without what it lets in by. */
export const hostToken = z
  .strictObject({
    id: z.string(),
    created_at: timestamp,
    expires_at: timestamp,
    used_at: timestamp.nullable(),
    agent_id: z.string().nullable().meta({ description: "The agent of the machine that joined by it" }),
    hosts: z.array(z.string()).meta({ description: "The ids of the hosts of that machine" }),
    status: z.enum(hostTokenStatuses),
  })
  .meta({ id: "HostToken" });

export const newHostToken = z
  .strictObject({
    id: z.string(),
    token: z.string().nullable().meta({
      description: "Shown this once: null where an Idempotency-Key repeats the answer",
    }),
    expires_at: timestamp,
    command: z.string().nullable().meta({
      description:
        "The line to paste on the machine, in a clone of Berth; it has the token, and is null with it",
    }),
  })
  .meta({ id: "NewHostToken" });

export const createHostTokenBody = z
  .object({
    expires_in_hours: withDefault(number().int().min(1).max(168), 24).meta({
      description: "For how long a machine can join by it.",
    }),
  })
  .meta({ id: "CreateHostTokenBody" });

export const listHostTokensQuery = z.object(pagingParameters);

export const hostTokenParams = z.object({ token_id: reference() });
