import { auth } from "@/lib/accounts/auth";
import { createAccount } from "@/lib/accounts/create-account";
import { newId } from "@/lib/kernel/ids";

/** Where the browsers of tests think the site is. */
export const BROWSER_HOST = "localhost:3000";

export const PASSWORD = "correct horse battery";

const ORIGIN = `http://${BROWSER_HOST}`;

/** The cookies of a new account's browser that has signed in. */
export async function signIn(): Promise<string> {
  return (await makeSignedIn()).cookie;
}

/** A new account whose browser has signed in by PASSWORD. */
export async function makeSignedIn(): Promise<{ userId: string; email: string; cookie: string }> {
  const account = await createAccount({
    email: `${newId("user").toLowerCase()}@example.com`,
    password: PASSWORD,
  });
  return { ...account, cookie: await signInAs(account.email, PASSWORD) };
}

/** The cookies of a browser that tried to sign in; empty where it was refused. */
export async function signInAs(email: string, password: string): Promise<string> {
  return cookiesOf(await callAuth("/sign-in/email", { email, password }));
}

/** The cookies of a browser that followed a one-time link; empty where it was refused. */
export async function followLink(link: string): Promise<string> {
  const url = new URL(link);
  return cookiesOf(await auth().handler(new Request(url, { headers: { host: url.host } })));
}

/** The cookies that an answer sets, as a browser would send them back. */
function cookiesOf(answer: Response): string {
  return answer.headers
    .getSetCookie()
    .map((line) => line.split(";")[0])
    .join("; ");
}

/** What a page of the site sends to sign-in, as its browser sends it. */
export function callAuth(
  path: string,
  body: object,
  headers: Record<string, string> = {},
): Promise<Response> {
  return auth().handler(
    new Request(`${ORIGIN}/auth${path}`, {
      method: "POST",
      headers: { host: BROWSER_HOST, origin: ORIGIN, "content-type": "application/json", ...headers },
      body: JSON.stringify(body),
    }),
  );
}

/** The headers with which the site's own page calls the API. */
export function ownPage(cookie: string): Record<string, string> {
  return { cookie, host: BROWSER_HOST, origin: ORIGIN };
}
