import { db } from "../db/client";
import { notFound } from "../kernel/errors";
import { auth, oneTimeTokens } from "./auth";

/**
 * A link that signs the person in, once, within a day, and goes on to `/`.
 * @param baseUrl where people reach the market, such as `http://127.0.0.1:3000`
 * @throws DomainError not_found for an unknown account
 */
export async function makeSignInLink(userId: string, baseUrl: string): Promise<string> {
  const email = await vouchForEmail(userId);
  const token = await takeToken((headers) =>
    auth().api.signInMagicLink({ body: { email, callbackURL: "/" }, headers }),
  );
  const link = new URL("/auth/magic-link/verify", baseUrl);
  link.search = new URLSearchParams({ token, callbackURL: "/", errorCallbackURL: "/sign-in" }).toString();
  return link.href;
}

/**
 * A link to the page where the person sets a new password, good once, within a day; it ends their sessions.
 * @throws DomainError not_found for an unknown account
 */
export async function makeResetLink(userId: string, baseUrl: string): Promise<string> {
  const user = await db().user.findUnique({ where: { id: userId }, select: { email: true } });
  if (!user) throw notFound("account");
  const { email } = user;
  const token = await takeToken((headers) => auth().api.requestPasswordReset({ body: { email }, headers }));
  const link = new URL("/sign-in/reset", baseUrl);
  link.search = new URLSearchParams({ token }).toString();
  return link.href;
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

async function takeToken(ask: (headers: Headers) => Promise<unknown>): Promise<string> {
  const taken: string[] = [];
  await oneTimeTokens.run(
    (token) => taken.push(token),
    () => ask(new Headers()),
  );
  const [token] = taken;
  if (!token) throw new Error("better-auth made no token");
  return token;
}
