import { db } from "../db/client";
import { notFound } from "../kernel/errors";
import { auth, LINK_LIVES_S, oneTimeTokens } from "./auth";

/** Good once and until then. */
export interface OneTimeLink {
  url: string;
  expiresAt: Date;
}

/**
 * A link that signs the person in, once, within a day, and goes on to `/`.
 * @param baseUrl where people reach the market, such as `http://127.0.0.1:3000`
 * @throws DomainError not_found for an unknown account
 */
export async function makeSignInLink(userId: string, baseUrl: string): Promise<OneTimeLink> {
  const email = await vouchForEmail(userId);
  const { token, expiresAt } = await takeToken((headers) =>
    auth().api.signInMagicLink({ body: { email, callbackURL: "/" }, headers }),
  );
  const link = new URL("/auth/magic-link/verify", baseUrl);
  link.search = new URLSearchParams({ token, callbackURL: "/", errorCallbackURL: "/sign-in" }).toString();
  return { url: link.href, expiresAt };
}

/**
 * A link to the page where the person sets a new password, good once, within a day; it ends their sessions.
 * @throws DomainError not_found for an unknown account
 */
export async function makeResetLink(userId: string, baseUrl: string): Promise<OneTimeLink> {
  const user = await db().user.findUnique({ where: { id: userId }, select: { email: true } });
  if (!user) throw notFound("account");
  const { email } = user;
  const { token, expiresAt } = await takeToken((headers) =>
    auth().api.requestPasswordReset({ body: { email }, headers }),
  );
  const link = new URL("/sign-in/reset", baseUrl);
  link.search = new URLSearchParams({ token }).toString();
  return { url: link.href, expiresAt };
}

/** An unverified address would lose its password to the link; the operator who makes it answers for the address. */
async function vouchForEmail(userId: string): Promise<string> {
  const [user] = await db().user.updateManyAndReturn({
    where: { id: userId },
    data: { emailVerified: true },
    select: { email: true },
  });
  if (!user) throw notFound("account");
  return user.email;
}

async function takeToken(ask: (headers: Headers) => Promise<unknown>) {
  const expiresAt = new Date(Date.now() + LINK_LIVES_S * 1000); // by better-auth's clock, which is the process's
  const taken: string[] = [];
  await oneTimeTokens.run(
    (token) => taken.push(token),
    () => ask(new Headers()),
  );
  const [token] = taken;
  if (!token) throw new Error("better-auth made no token");
  return { token, expiresAt };
}
