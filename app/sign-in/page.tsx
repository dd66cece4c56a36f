import type { Metadata } from "next";
import Link from "next/link";
import { getTranslations } from "next-intl/server";
import { CredentialsForm } from "@/components/sign-in/credentials-form";
import { getSignUpRules } from "@/lib/accounts/sign-up-rules";
import { PageMessages } from "../_visitor/page-messages";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("sign-in"))("title") };
}

interface SignInPageProps {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default async function SignInPage({ searchParams }: SignInPageProps) {
  const { error, new: isNew, next } = await searchParams;
  const t = await getTranslations("sign-in");
  const { open } = getSignUpRules();
  const after = ownPath(next);
  const keep = after === "/" ? {} : { next: after };
  return (
    <main className="mx-auto w-full max-w-sm px-6 py-16">
      <PageMessages of={["sign-in"]}>
        {error && (
          <p role="alert" className="mb-6 rounded-lg bg-warning-soft p-4 text-sm text-on-warning-soft">
            {t("usedLink")}
          </p>
        )}
        {open && isNew !== undefined ? (
          <>
            <h1 className="text-2xl font-semibold">{t("signUpTitle")}</h1>
            <CredentialsForm
              path="/sign-up/email"
              fields={[
                { ask: "name", name: "name" },
                { ask: "email", name: "email" },
                { ask: "newPassword", name: "password" },
              ]}
              submit="signUp"
              next={after}
            />
            <Link href={{ pathname: "/sign-in", query: keep }} className="mt-6 block text-sm underline">
              {t("haveOne")}
            </Link>
          </>
        ) : (
          <>
            <h1 className="text-2xl font-semibold">{t("title")}</h1>
            <CredentialsForm
              path="/sign-in/email"
              fields={[
                { ask: "email", name: "email" },
                { ask: "password", name: "password" },
              ]}
              submit="signIn"
              next={after}
            />
            {open ? (
              <Link
                href={{ pathname: "/sign-in", query: { new: "", ...keep } }}
                className="mt-6 block text-sm underline"
              >
                {t("signUp")}
              </Link>
            ) : (
              <p className="mt-6 text-sm text-subtle">{t("invite")}</p>
            )}
          </>
        )}
      </PageMessages>
    </main>
  );
}

/** A page of this site, whatever the address asks for: no link may lead people elsewhere after they signed in. */
function ownPath(next: string | string[] | undefined): string {
  if (typeof next !== "string") return "/";
  const base = "http://own.invalid";
  if (!next.startsWith("/") || !URL.canParse(next, base)) return "/";
  const url = new URL(next, base);
  return url.origin === base ? `${url.pathname}${url.search}` : "/";
}
