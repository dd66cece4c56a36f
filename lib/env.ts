import { z } from "zod";

const whole = (fallback: number, max: number) => z.coerce.number().int().min(0).max(max).default(fallback);

const settings = z.object({
  DATA_DIR: z.string().default(".data"),
  DATABASE_URL: z.string().optional(),
  HOST: z.string().default("127.0.0.1"),
  PORT: whole(3000, 65_535),
  PUBLIC_URL: z.url().optional(),
  /** How many proxies in front append to X-Forwarded-For; 0: the header is not believed. */
  TRUST_PROXY: whole(0, 10),
  SIGNUP: z.enum(["open", "invite", "closed"]).optional(),
  /** USD that a new account starts with. */
  SIGNUP_CREDIT: z
    .string()
    .regex(/^\d{1,9}(\.\d{1,6})?$/)
    .optional(),
  RATE_LIMIT: z.enum(["on", "off"]).default("on"),
  /** 32 bytes in base64 or hex; absent: a file in DATA_DIR. */
  ENCRYPTION_KEY: z.string().optional(),
  /** The part of the GPU price that a paused instance pays for its machine. */
  PAUSE_SHARE_PERCENT: whole(25, 100),
  /** The operator's part of what rentals earn; later rentals lock it. */
  FEE_PERCENT: z
    .string()
    .regex(/^(100|\d{1,2}(\.\d{1,2})?)$/)
    .default("0"),
  /** 1: only hosts that the operator has verified can be rented. */
  REQUIRE_VERIFIED_HOSTS: z.enum(["0", "1"]).default("0"),
  /** 1: machines without a GPU can be rented too. */
  ALLOW_CPU_HOSTS: z.enum(["0", "1"]).default("0"),
  /** auto: the demo offers this machine too where a container engine answers. */
  LOCAL_AGENT: z.enum(["auto", "off"]).default("auto"),
  PENDING_TIMEOUT_MINUTES: whole(30, 10_000),
  SIMULATED_BOOT_MS: whole(3000, 3_600_000),
  /** Connections of one process's pool. */
  DATABASE_POOL: whole(10, 1000).pipe(z.number().min(1)),
  LOG_LEVEL: z.string().default("info"),
});

export type Env = z.output<typeof settings>;

// Next bundles this module apart from the server around it.
const shared = globalThis as typeof globalThis & { berthEnv?: Env };

/** From now on the settings are what they are now: they are read for every request, and the environment is slow to ask. */
export function settleEnv(): void {
  shared.berthEnv = readEnv();
}

let cached: { source: string; value: Env } | undefined;

/**
 * The settings of this process; an empty variable counts as absent.
 * @throws Error that names the setting which is not usable
 */
export function env(): Env {
  return shared.berthEnv ?? readEnv();
}

function readEnv(): Env {
  const given = Object.keys(settings.shape).flatMap((name) => {
    const value = process.env[name];
    return value ? [[name, value] as const] : [];
  });
  const source = given.flat().join("\u0000");
  if (cached?.source === source) return cached.value;
  const parsed = settings.safeParse(Object.fromEntries(given));
  if (!parsed.success) {
    const names = [...new Set(parsed.error.issues.map((issue) => String(issue.path[0])))];
    throw new Error(
      `Not usable: ${names.join(", ")}. The README's configuration table says what they may be.`,
    );
  }
  cached = { source, value: parsed.data };
  return parsed.data;
}
