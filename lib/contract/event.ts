import { z } from "zod";
import { pagingParameters, parameter, reference, timestamp } from "./common";
import { eventTypes } from "./words";

export const event = z
  .strictObject({
    id: z.string().meta({ description: "The cursor to go on from" }),
    type: z.enum(eventTypes),
    subject_id: z
      .string()
      .meta({ description: "What it happened to: an instance, or of `money.…` one's own account" }),
    data: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])).meta({
      description:
        "What the type has to add, amounts in USD: `reason` where it was not the renter's own wish, with an operator's words in `note`; `prepaid_until` and `auto_renew` " +
        "of `instance.term_ending`; `balance`, `burn_rate` and `grace` of `money.…`",
    }),
    at: timestamp,
  })
  .meta({ id: "Event" });

export const listEventsQuery = z.object({
  after: parameter(reference()).meta({
    type: "string",
    description: "The id of an event of one's own: only what came after it, the oldest first.",
  }),
  type: parameter(z.enum(eventTypes)).meta({ description: "Only of this type." }),
  subject_id: parameter(reference()).meta({
    type: "string",
    description: "Only of this instance; one that is not there finds nothing.",
  }),
  limit: pagingParameters.limit,
});
