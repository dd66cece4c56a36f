import { headers } from "next/headers";
import { redirect } from "next/navigation";
import { cache } from "react";
import type { Visitor } from "@/components/shell/visitor";
import { auth } from "@/lib/accounts/auth";
import { authenticateSession } from "@/lib/accounts/caller";

/** Who is looking; null where nobody is signed in, or the account is suspended. */
export const getVisitor = cache(async (): Promise<Visitor | null> => {
  const given = await headers();
  if (!given.has("cookie")) return null;
  const caller = await authenticateSession(given);
  if (!caller || caller.suspended) return null;
  const session = await auth().api.getSession({ headers: given });
  return (
    session && { id: caller.userId, name: session.user.name, email: session.user.email, roles: caller.roles }
  );
});

/** The same for a page that is for signed-in people: others go and sign in, and come back to `path`. */
export async function requireVisitor(path: string): Promise<Visitor> {
  const visitor = await getVisitor();
  return visitor ?? redirect(`/sign-in?next=${encodeURIComponent(path)}`);
}
