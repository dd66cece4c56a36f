import { randomBase62 } from "./base62";

/** The closed list of id prefixes. */
export type IdPrefix =
  | "inst"
  | "offer"
  | "tmpl"
  | "key"
  | "host"
  | "user"
  | "prov"
  | "gpu"
  | "sess"
  | "cred"
  | "verif"
  | "agent"
  | "search"
  | "imp"
  | "req";

/** A new id such as `inst_3sX…`: 20 characters of base62, 119 bits. */
export function newId(prefix: IdPrefix): string {
  return `${prefix}_${randomBase62(20)}`;
}
