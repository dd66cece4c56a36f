import { z } from "zod";
import { optional, text, timestamp } from "./common";
import { roles, scopes } from "./words";

export const account = z
  .strictObject({
    id: z.string(),
    name: z.string(),
    email: z.string(),
    roles: z.array(z.enum(roles)),
    created_at: timestamp,
    scopes: z.array(z.enum(scopes)).meta({ description: "What the caller may do: this key, or a browser" }),
    has_password: z.boolean().meta({ description: "False where one signs in by one-time links only" }),
  })
  .meta({ id: "Account" });

/** The name's characters are checked by the domain. */
export const updateAccountBody = z
  .object({ name: text({ min: 1, max: 100 }) })
  .meta({ id: "UpdateAccountBody" });

export const deleteAccountBody = z
  .object({
    confirm: text({ max: 254 }).meta({ description: "The account's e-mail address, typed." }),
    password: optional(text({ max: 128 })).meta({ description: "Needed where the account has one." }),
  })
  .meta({ id: "DeleteAccountBody" });
