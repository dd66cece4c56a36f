import { z } from "zod";
import { timestamp } from "./common";

/** A change that touches more offers names none of them. */
export const MOST_NAMED_OFFERS = 50;

export const marketState = z
  .strictObject({
    at: timestamp.nullable().meta({ description: "When an offer last changed; null where there is none" }),
  })
  .meta({ id: "MarketState" });

/** What an event of the stream carries. */
export interface MarketChangeData {
  at: string;
  /** null: more than 50, or unknown. */
  offer_ids: string[] | null;
}
