import { AsyncLocalStorage } from "node:async_hooks";
import { createHmac } from "node:crypto";
import { betterAuth } from "better-auth";
import { prismaAdapter } from "better-auth/adapters/prisma";
import { magicLink } from "better-auth/plugins/magic-link";
import { db } from "../db/client";
import { getEncryptionKey } from "../db/encryption-key";
import { type Env, env } from "../env";
import { type IdPrefix, newId } from "../kernel/ids";
import { CLIENT_HEADER } from "./client-header";
import { openBalance } from "./open-balance";
import { getSignUpRules } from "./sign-up-rules";

export const LINK_LIVES_S = 24 * 3600;

/** Where a one-time token goes instead of into an e-mail: to the verb that asked for it. */
export const oneTimeTokens = new AsyncLocalStorage<(token: string) => void>();

const prefixes: Record<string, IdPrefix> = {
  user: "user",
  session: "sess",
  account: "cred",
  verification: "verif",
};

function makeAuth() {
  const { PUBLIC_URL, RATE_LIMIT } = env();
  const rules = getSignUpRules();
  return betterAuth({
    appName: "Berth",
    basePath: "/auth",
    // Loopback has three names, and a cookie of one is no good at another: each request keeps to its own.
    baseURL: PUBLIC_URL ?? {
      allowedHosts: ["localhost:*", "127.0.0.1:*", "?::1?:*"], // brackets would be a pattern
      protocol: "http",
      fallback: "http://127.0.0.1",
    },
    secret: createHmac("sha256", getEncryptionKey()).update("berth sessions").digest("base64"),
    database: prismaAdapter(db(), { provider: "postgresql", transaction: true }),
    account: { modelName: "credential" },
    // What a copy of the database holds signs nobody in.
    verification: { storeIdentifier: "hashed" },
    emailAndPassword: {
      enabled: true,
      disableSignUp: !rules.open,
      minPasswordLength: 8,
      resetPasswordTokenExpiresIn: LINK_LIVES_S,
      revokeSessionsOnPasswordReset: true,
      sendResetPassword: async ({ token }) => oneTimeTokens.getStore()?.(token),
    },
    plugins: [
      magicLink({
        disableSignUp: true,
        expiresIn: LINK_LIVES_S,
        storeToken: "hashed",
        sendMagicLink: ({ token }) => oneTimeTokens.getStore()?.(token),
      }),
    ],
    // There is no mail: an operator makes these links and hands them over.
    disabledPaths: ["/sign-in/magic-link", "/request-password-reset", "/update-user", "/change-email"],
    databaseHooks: {
      user: { create: { after: ({ id }) => openBalance(db(), id, rules.creditMicro) } },
      // Again at sign-in, for the account of a process that was killed in between.
      session: { create: { after: ({ userId }) => openBalance(db(), userId, rules.creditMicro) } },
    },
    rateLimit: {
      enabled: RATE_LIMIT === "on",
      window: 10,
      max: 100,
      customRules: { "/sign-in/email": { window: 60, max: 10 }, "/sign-up/email": { window: 60, max: 5 } },
    },
    advanced: {
      disableOriginCheck: false, // its default is true where NODE_ENV is "test"
      cookiePrefix: "berth",
      useSecureCookies: PUBLIC_URL?.startsWith("https:") ?? false,
      defaultCookieAttributes: { httpOnly: true, sameSite: "lax", path: "/" },
      ipAddress: { ipAddressHeaders: [CLIENT_HEADER] },
      database: { generateId: ({ model }) => newId(prefixes[model] ?? "verif") },
    },
    telemetry: { enabled: false },
    // Its messages' arguments hold people's addresses.
    logger: { level: "error", log: (_level, message) => console.error(message) },
  });
}

type Auth = ReturnType<typeof makeAuth>;

let made: { client: ReturnType<typeof db>; settings: Env; auth: Auth } | undefined;

/** People's sign-in: e-mail and password, one-time links, sessions in the database. */
export function auth(): Auth {
  const [client, settings] = [db(), env()];
  if (made?.client !== client || made.settings !== settings) made = { client, settings, auth: makeAuth() };
  return made.auth;
}
