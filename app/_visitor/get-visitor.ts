import { headers } from "next/headers";
import { redirect } from "next/navigation";
import { cache } from "react";
import type { Visitor } from "@/components/shell/visitor";
import { ApiError } from "@/lib/client/call-operation";
import { callAsVisitor } from "./call-as-visitor";

/** Who is looking; null where nobody is signed in, or the account is suspended. */
export const getVisitor = cache(async (): Promise<Visitor | null> => {
  if (!(await headers()).has("cookie")) return null;
  try {
    const { data } = await callAsVisitor("getAccount");
    return { id: data.id, name: data.name, email: data.email, roles: data.roles };
  } catch (error) {
    if (error instanceof ApiError && [401, 403].includes(error.status)) return null;
    throw error;
  }
});

/** The same for a page that is for signed-in people: others go and sign in, and come back to `path`. */
export async function requireVisitor(path: string): Promise<Visitor> {
  const visitor = await getVisitor();
  return visitor ?? redirect(`/sign-in?next=${encodeURIComponent(path)}`);
}
