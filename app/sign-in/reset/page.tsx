import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { CredentialsForm } from "@/components/sign-in/credentials-form";
import { PageMessages } from "../../_visitor/page-messages";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("sign-in"))("resetTitle"), referrer: "no-referrer" };
}

interface ResetPageProps {
  searchParams: Promise<{ token?: string | string[] }>;
}

export default async function ResetPage({ searchParams }: ResetPageProps) {
  const { token } = await searchParams;
  const t = await getTranslations("sign-in");
  return (
    <main className="mx-auto w-full max-w-sm px-6 py-16">
      <h1 className="text-2xl font-semibold">{t("resetTitle")}</h1>
      <p className="mt-2 text-sm text-subtle">{t("resetText")}</p>
      <PageMessages of={["sign-in"]}>
        <CredentialsForm
          path="/reset-password"
          extra={{ token: typeof token === "string" ? token : "" }}
          fields={[{ ask: "newPassword", name: "newPassword" }]}
          submit="set"
          next="/sign-in"
        />
      </PageMessages>
    </main>
  );
}
