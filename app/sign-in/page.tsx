import type { Metadata } from "next";
import { getSignUpRules } from "@/lib/accounts/sign-up-rules";
import { CredentialsForm } from "./credentials-form";

export const metadata: Metadata = { title: "Sign in" };
// Whether signing up is open is a setting of the running server, not of the build.
export const dynamic = "force-dynamic";

const EMAIL = { name: "email", label: "E-mail", type: "email", autoComplete: "username" } as const;
const PASSWORD = {
  name: "password",
  label: "Password",
  type: "password",
  autoComplete: "current-password",
} as const;
const NEW_PASSWORD = { ...PASSWORD, autoComplete: "new-password" } as const;
const NAME = { name: "name", label: "Name", type: "text", autoComplete: "name" } as const;

interface SignInPageProps {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default async function SignInPage({ searchParams }: SignInPageProps) {
  const { error, new: isNew } = await searchParams;
  const { open } = getSignUpRules();
  return (
    <main className="mx-auto w-full max-w-sm px-6 py-20">
      {error && (
        <p role="alert" className="mb-6 rounded-lg bg-amber-100 p-4 text-sm text-amber-950">
          That link has been used or is over a day old. Ask the operator for a new one.
        </p>
      )}
      {open && isNew !== undefined ? (
        <>
          <h1 className="text-2xl font-semibold">Make an account</h1>
          <CredentialsForm
            path="/sign-up/email"
            fields={[NAME, EMAIL, NEW_PASSWORD]}
            submitLabel="Make an account"
            next="/"
          />
          <a href="/sign-in" className="mt-6 block text-sm underline">
            I have one
          </a>
        </>
      ) : (
        <>
          <h1 className="text-2xl font-semibold">Sign in</h1>
          <CredentialsForm path="/sign-in/email" fields={[EMAIL, PASSWORD]} submitLabel="Sign in" next="/" />
          {open ? (
            <a href="/sign-in?new" className="mt-6 block text-sm underline">
              Make an account
            </a>
          ) : (
            <p className="mt-6 text-sm">The operator of this market makes accounts.</p>
          )}
        </>
      )}
    </main>
  );
}
