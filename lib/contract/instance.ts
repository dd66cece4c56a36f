import { z } from "zod";
import {
  choice,
  currencyParameter,
  flag,
  localeParameters,
  number,
  optional,
  pagingParameters,
  parameter,
  reference,
  text,
  timestamp,
  withDefault,
  withLocale,
} from "./common";
import { fullOffer } from "./offer";
import { templateSnapshot } from "./template";
import { currencies, instanceActions, instancePhases, instanceStatuses, reservePeriods } from "./words";

const percent = z.number().min(0).max(100);
const price = z.number().nonnegative();

const attachedKey = z
  .strictObject({ id: z.string(), name: z.string(), value: z.string() })
  .meta({ id: "AttachedKey" });

/** Section 2.11, with the additions `actions`, `phase`, `name`, `reserve_period`, `auto_renew` and `fingerprint`. */
export const instance = z
  .strictObject({
    id: z.string(),
    user_id: z.string(),
    name: z.string().nullable(),
    created_at: timestamp,
    actual_offer: fullOffer,
    actual_template: templateSnapshot,
    hoster_id: z.string().nullable().meta({ description: "The host owner's account" }),
    host_id: z.string().nullable(),
    third_party_id: z.string().nullable(),
    cloud_id: z.string().nullable(),
    total_cost: price,
    total_uptime: z.number().nonnegative().meta({ description: "Seconds of running" }),
    storage_gb: z.number().nonnegative(),
    initialized_at: timestamp.nullable().meta({ description: "When it first ran" }),
    prepaid_until: timestamp.nullable(),
    is_prepaid: z.boolean(),
    reserve_period: z.enum(reservePeriods),
    auto_renew: z.boolean(),
    uptime_price: price.meta({ description: "For an hour of running, disk included" }),
    pause_price: price.meta({ description: "For an hour of pause, disk included" }),
    gpu_util: percent,
    cpu_util: percent,
    ram_util: percent,
    mem_util: percent,
    inet_in: z.number().nonnegative().meta({ description: "Bytes" }),
    inet_out: z.number().nonnegative().meta({ description: "Bytes" }),
    status: z.enum(instanceStatuses),
    phase: z.enum(instancePhases).meta({ description: "Finer than the status" }),
    message: z.string().nullable().meta({ description: "What is happening, in words" }),
    actions: z.array(z.enum(instanceActions)).meta({ description: "What may be called now" }),
    logs: z.string().nullable(),
    ports: z.record(z.string(), z.string()).meta({ description: "Container port → port on `address`" }),
    address: z.string().nullable(),
    ssh_enabled: z.boolean(),
    ssh_port: z.number().int().nullable(),
    ssh_host: z.string().nullable(),
    ssh_username: z.string().nullable(),
    ssh_password: z.string().nullable().meta({ description: "Never sent: null" }),
    fingerprint: z.string().nullable().meta({ description: "Of the SSH host key, as `ssh` shows it" }),
    ssh_keys: z.array(attachedKey),
    ui_available: z.boolean(),
    ui_url: z.string().nullable(),
    tunnel_host: z.string().nullable(),
    tunnel_token: z.string().nullable(),
    red_flagged: z.boolean().meta({ description: "Set by an operator" }),
    label: z.boolean().meta({ description: "The renter's own mark" }),
    deployment_data: z.strictObject({ base_url: z.string().nullable() }).nullable(),
    deployment_type: z.string().nullable(),
    is_raw: z.boolean().meta({ description: "Nothing of the template was added to the image" }),
  })
  .meta({ id: "Instance" });

export const instanceParams = z.object({ instance_id: reference() });

export const listInstancesQuery = z
  .object({ currency: currencyParameter, ...localeParameters, ...pagingParameters })
  .transform(withLocale);

export const createInstanceBody = z
  .object({
    offer_id: reference(),
    template_id: reference(),
    reserve_period: withDefault(choice(reservePeriods), "hour").meta({
      description: "`hour` is billed by the second; any other is paid ahead.",
    }),
    disk_gb: optional(number().positive().max(1_000_000)).meta({
      description: "Absent: what the template recommends, else 10.",
    }),
    secret_ids: optional(z.array(reference()).max(100)).meta({ description: "SSH keys to attach." }),
    name: optional(text({ max: 120 })),
    label: withDefault(flag(), false),
    auto_renew: withDefault(flag(), false).meta({ description: "Renew a prepaid term at its end." }),
    expected_price: optional(number().min(0)).meta({
      description:
        "The hourly price that was seen; if it differs now, nothing is rented (409 price_changed).",
    }),
    currency: withDefault(choice(currencies), "USD").meta({
      description: "The currency of `expected_price` and of the answer.",
    }),
  })
  .meta({ id: "CreateInstanceBody" });

export const controlActions = ["start", "pause"] as const;
export type ControlAction = (typeof controlActions)[number];

export const controlInstanceQuery = z.object({
  action: parameter(z.enum(controlActions)).meta({
    description:
      "Names the wish, so that repeating is safe. Absent: a running instance pauses, a paused one starts.",
  }),
});

export const attachSecretBody = z.object({ secret_id: reference() }).meta({ id: "AttachSecretBody" });

/** The id comes in the body or in the query; the domain asks for exactly one. */
export const detachSecretBody = z
  .object({ secret_id: optional(reference()) })
  .meta({ id: "DetachSecretBody" });

export const detachSecretQuery = z.object({
  secret_id: parameter(reference()).meta({
    description: "For clients and proxies that drop the body of a DELETE.",
  }),
});
