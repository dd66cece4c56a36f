"use client";

import { type FormEvent, useState } from "react";

interface Field {
  name: string;
  label: string;
  type: "email" | "password" | "text";
  autoComplete: string;
}

interface CredentialsFormProps {
  /** Of /auth, such as `/sign-in/email`. */
  path: string;
  fields: Field[];
  /** Sent beside the fields. */
  extra?: Record<string, string>;
  submitLabel: string;
  /** Where to go once it worked. */
  next: string;
}

const inputClass =
  "mt-1 w-full rounded-lg border border-slate-300 bg-white px-3 py-2 focus-visible:outline-2 focus-visible:outline-sky-600 dark:border-slate-700 dark:bg-slate-900";

/** A form that posts to better-auth and goes on, or says why not. */
export function CredentialsForm({ path, fields, extra, submitLabel, next }: CredentialsFormProps) {
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);

  async function submit(event: FormEvent<HTMLFormElement>) {
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
      const { message }: { message?: string } = await answer.json().catch(() => ({}));
      setProblem(message ?? "That did not work. Try again in a moment.");
    } catch {
      setProblem("The server does not answer. Try again in a moment.");
    }
    setBusy(false);
  }

  return (
    <form onSubmit={submit} className="mt-6 space-y-4">
      {fields.map(({ name, label, type, autoComplete }) => (
        <label key={name} className="block text-sm font-medium">
          {label}
          <input
            name={name}
            type={type}
            autoComplete={autoComplete}
            minLength={autoComplete === "new-password" ? 8 : undefined}
            required
            className={inputClass}
          />
        </label>
      ))}
      {problem && (
        <p role="alert" className="text-sm text-red-700 dark:text-red-400">
          {problem}
        </p>
      )}
      <button
        type="submit"
        disabled={busy}
        className="w-full rounded-lg bg-sky-700 px-5 py-2.5 font-medium text-white hover:bg-sky-800 focus-visible:outline-2 focus-visible:outline-offset-2 focus-visible:outline-sky-600 disabled:opacity-60"
      >
        {submitLabel}
      </button>
    </form>
  );
}
