/** Words of the API that pages need too: a browser that loads these does not load the schemas. */

export const currencies = ["USD", "RUB", "QOIN"] as const;
export type Currency = (typeof currencies)[number];

export const locales = ["en", "ru"] as const;
export type Locale = (typeof locales)[number];

export const reservePeriods = ["hour", "day", "week", "month", "quarter", "half_year", "year"] as const;
export type ReservePeriod = (typeof reservePeriods)[number];

/** How many hours each takes; a month has 30 days. */
export const reservePeriodHours = {
  hour: 1,
  day: 24,
  week: 168,
  month: 720,
  quarter: 2160,
  half_year: 4320,
  year: 8760,
} as const satisfies Record<ReservePeriod, number>;

const sortFields = [
  "price",
  "score",
  "vram",
  "ram",
  "disk",
  "vcpu",
  "cpu_cores",
  "cpu_freq",
  "memory_speed",
  "ethernet_in",
  "ethernet_out",
  "capacity",
  "gpu_amount",
  "price_per_gpu",
] as const;
export type OfferSort = `${(typeof sortFields)[number]}_${"asc" | "desc"}`;
const firstSort: OfferSort = "price_asc";
export const offerSorts: readonly [OfferSort, ...OfferSort[]] = [
  firstSort,
  ...sortFields
    .flatMap((field): OfferSort[] => [`${field}_asc`, `${field}_desc`])
    .filter((sort) => sort !== firstSort),
];

export const scopeAreas = [
  "market",
  "templates",
  "instances",
  "secrets",
  "hosts",
  "billing",
  "keys",
  "operator",
] as const;
export type Scope = `${(typeof scopeAreas)[number]}:${"read" | "write"}`;

/** Every scope that a key can have. */
export const scopes: readonly Scope[] = scopeAreas.flatMap((area): Scope[] => [
  `${area}:read`,
  `${area}:write`,
]);

export const instanceStatuses = ["pending", "running", "paused", "rebooting", "error", "destroyed"] as const;
export type InstanceStatus = (typeof instanceStatuses)[number];

export const instancePhases = [
  "scheduling",
  "pulling",
  "starting",
  "running",
  "pausing",
  "paused",
  "resuming",
  "rebooting",
  "stopping",
  "stopped",
  "failed",
] as const;
export type InstancePhase = (typeof instancePhases)[number];

export const instanceActions = [
  "start",
  "pause",
  "reboot",
  "destroy",
  "attach_secret",
  "detach_secret",
] as const;
export type InstanceAction = (typeof instanceActions)[number];

export const hostStatuses = ["inactive", "active", "maintenance", "error"] as const;
export type HostStatus = (typeof hostStatuses)[number];

export const hostStatusReasons = [
  "agent_unavailable",
  "engine_unavailable",
  "not_reachable",
  "price_not_set",
  "not_verified",
  "self_test_failed",
  "server_fail",
  "maintenance",
  "withdrawn",
  "banned",
] as const;
export type HostStatusReason = (typeof hostStatusReasons)[number];

/** Everything that the timeline of an instance can say. */
const instanceEvents = [
  "instance.created",
  "instance.running",
  "instance.paused",
  "instance.started",
  "instance.resumed",
  "instance.rebooted",
  "instance.failed",
  "instance.destroyed",
  "instance.term_ending",
  "instance.term_renewed",
  "instance.term_ended",
  "instance.host_silent",
  "instance.host_back",
] as const;
export type InstanceEvent = (typeof instanceEvents)[number];

const moneyEvents = ["money.low", "money.ended", "money.grace_ended"] as const;

export const eventTypes = [...instanceEvents, ...moneyEvents] as const;
export type EventType = (typeof eventTypes)[number];

export const balanceStages = ["fine", "low", "empty", "over"] as const;
export const movementKinds = ["credit", "debit", "usage", "prepay", "accrual", "refund", "payout"] as const;
export const ownAccounts = ["balance", "escrow", "earnings"] as const;
export type OwnAccount = (typeof ownAccounts)[number];

/** What an account is. Everyone is a renter. */
export const roles = ["renter", "host", "operator"] as const;
export type Role = (typeof roles)[number];

/** The facts of an offer that a search bounds, by the names of its filters without `_gt` and `_lt`. */
export const rangeNames = [
  "price",
  "vram",
  "ram",
  "disk",
  "vcpu",
  "cpu_cores",
  "cpu_freq",
  "memory_speed",
  "ethernet_in",
  "ethernet_out",
  "capacity",
  "score",
] as const;
export type RangeName = (typeof rangeNames)[number];

/** What can be set in a search; both bounds of one fact are one filter. */
export const filterNames = [
  "location",
  "gpu_translit_name",
  "provider",
  "cpu_name",
  "in_stock",
  "rentable",
  "gpu_amount",
  ...rangeNames,
] as const;
export type FilterName = (typeof filterNames)[number];

/** The catalogue files that can be read. */
export const catalogueFormats = ["skypilot-csv", "prime-json", "berth-jsonl"] as const;

/** What can stand behind the offers of a catalogue. */
export const importRuntimes = ["none", "simulated"] as const;
