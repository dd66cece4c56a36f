import type { Metadata } from "next";
import { CredentialsForm } from "../credentials-form";

export const metadata: Metadata = { title: "New password", referrer: "no-referrer" };

interface ResetPageProps {
  searchParams: Promise<{ token?: string | string[] }>;
}

export default async function ResetPage({ searchParams }: ResetPageProps) {
  const { token } = await searchParams;
  return (
    <main className="mx-auto w-full max-w-sm px-6 py-20">
      <h1 className="text-2xl font-semibold">Choose a new password</h1>
      <p className="mt-2 text-sm">It signs you out everywhere else.</p>
      <CredentialsForm
        path="/reset-password"
        extra={{ token: typeof token === "string" ? token : "" }}
        fields={[
          { name: "newPassword", label: "New password", type: "password", autoComplete: "new-password" },
        ]}
        submitLabel="Set it"
        next="/sign-in"
      />
    </main>
  );
}
