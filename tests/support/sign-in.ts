import { auth } from "@/lib/accounts/auth";
import { createAccount } from "@/lib/accounts/create-account";
import { newId } from "@/lib/kernel/ids";

/** Where the browsers of tests think the site is. */
export const BROWSER_HOST = "localhost:3000";

const PASSWORD = "correct horse battery";

/** The cookies of a new account's browser that has signed in. */
export async function signIn(): Promise<string> {
  const email = `${newId("user").toLowerCase()}@example.com`;
  await createAccount({ email, password: PASSWORD });
  const origin = `http://${BROWSER_HOST}`;
  const answer = await auth().handler(
    new Request(`${origin}/auth/sign-in/email`, {
      method: "POST",
      headers: { host: BROWSER_HOST, origin, "content-type": "application/json" },
      body: JSON.stringify({ email, password: PASSWORD }),
    }),
  );
  return answer.headers
    .getSetCookie()
    .map((line) => line.split(";")[0])
    .join("; ");
}
