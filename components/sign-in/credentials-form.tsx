"use client";

import { useTranslations } from "next-intl";
import { type FormEvent, useState } from "react";
import { Button } from "@/components/ui/button";
import { Field, Input } from "@/components/ui/field";

const inputs = {
  name: { type: "text", autoComplete: "name" },
  email: { type: "email", autoComplete: "username" },
  password: { type: "password", autoComplete: "current-password" },
  newPassword: { type: "password", autoComplete: "new-password" },
} as const;

interface CredentialsFormProps {
  /** Of /auth, such as `/sign-in/email`. */
  path: string;
  /** What to ask for, and under which name it is sent. */
  fields: readonly { ask: keyof typeof inputs; name: string }[];
  /** Sent beside the fields. */
  extra?: Record<string, string>;
  submit: "signIn" | "signUp" | "set";
  /** Where to go once it worked. */
  next: string;
}

/** What better-auth calls the failures that people can do something about. */
const known: Record<string, "wrong" | "taken" | "usedLink"> = {
  INVALID_EMAIL_OR_PASSWORD: "wrong",
  USER_ALREADY_EXISTS: "taken",
  USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL: "taken",
  INVALID_TOKEN: "usedLink",
};

/** A form that posts to better-auth and goes on, or says why not. */
export function CredentialsForm({ path, fields, extra, submit, next }: CredentialsFormProps) {
  const t = useTranslations("sign-in");
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);

  async function send(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    setBusy(true);
    setProblem(null);
    const given = Object.fromEntries(new FormData(event.currentTarget));
    try {
      const answer = await fetch(`/auth${path}`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ ...given, ...extra }),
      });
      if (answer.ok) return window.location.assign(next);
      const { code, message }: { code?: string; message?: string } = await answer.json().catch(() => ({}));
      const key = known[code ?? ""];
      setProblem(key ? t(key) : (message ?? t("failed")));
    } catch {
      setProblem(t("unreachable"));
    }
    setBusy(false);
  }

  return (
    <form onSubmit={send} className="mt-6 space-y-4">
      {fields.map(({ ask, name }) => (
        <Field key={name} label={t(ask)} {...(ask === "newPassword" ? { hint: t("atLeast") } : {})}>
          <Input name={name} {...inputs[ask]} {...(ask === "newPassword" ? { minLength: 8 } : {})} required />
        </Field>
      ))}
      {problem && (
        <p role="alert" className="text-sm text-danger">
          {problem}
        </p>
      )}
      <Button type="submit" variant="primary" size="lg" busy={busy} className="w-full">
        {t(submit)}
      </Button>
    </form>
  );
}
