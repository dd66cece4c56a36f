"use client";

import { useTranslations } from "next-intl";
import { type FormEvent, useState } from "react";
import { useVisitor } from "@/components/shell/visitor";
import { Button } from "@/components/ui/button";
import { Field, Input, Textarea } from "@/components/ui/field";

interface TryItProps {
  method: string;
  path: string;
  query: readonly string[];
  takesBody: boolean;
  example: { params: unknown; request: unknown };
}

interface Answer {
  status: number;
  ms: number;
  text: string;
}

/** Sends the operation as the reader fills it in, and shows what came back. The form is made when it is opened. */
export function TryIt(props: TryItProps) {
  const t = useTranslations("docs");
  const [open, setOpen] = useState(false);
  return (
    <details className="mt-3 text-sm" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="cursor-pointer font-medium text-primary">{t("tryIt")}</summary>
      {open && <Form {...props} />}
    </details>
  );
}

function Form({ method, path, query, takesBody, example }: TryItProps) {
  const t = useTranslations("docs");
  const visitor = useVisitor();
  const [problem, setProblem] = useState<string | null>(null);
  const [answer, setAnswer] = useState<Answer | null>(null);
  const [busy, setBusy] = useState(false);
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);

  async function send(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const given = new FormData(event.currentTarget);
    const text = (name: string) => String(given.get(name) ?? "");
    const body = takesBody ? text("body") : null;
    if (body && !isJson(body)) return setProblem(t("notJson"));
    setProblem(null);
    setBusy(true);
    const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
      encodeURIComponent(text(`path-${name}`)),
    );
    const search = new URLSearchParams(
      query.flatMap((name) => (text(`query-${name}`) ? [[name, text(`query-${name}`)]] : [])),
    );
    const began = performance.now();
    try {
      const got = await fetch(search.size > 0 ? `${filled}?${search}` : filled, {
        method,
        headers: {
          ...(body ? { "content-type": "application/json" } : {}),
          ...(text("api-key") ? { "x-api-key": text("api-key") } : {}),
        },
        ...(body ? { body } : {}),
      });
      setAnswer({
        status: got.status,
        text: pretty(await got.text()),
        ms: Math.round(performance.now() - began),
      });
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
    }
    setBusy(false);
  }

  return (
    <form onSubmit={send} className="mt-3 space-y-3 rounded-lg border p-4" autoComplete="off">
      <p className="text-subtle">{visitor ? t("really") : t("signIn")}</p>
      <Field label={t("apiKey")}>
        <Input name="api-key" type="password" autoComplete="off" />
      </Field>
      <div className="grid gap-3 sm:grid-cols-2">
        {inPath.map((name) => (
          <Field key={name} label={<code>{name}</code>}>
            <Input name={`path-${name}`} defaultValue={exampleOf(example.params, name)} required />
          </Field>
        ))}
        {query.map((name) => (
          <Field key={name} label={<code>{name}</code>}>
            <Input name={`query-${name}`} />
          </Field>
        ))}
      </div>
      {takesBody && (
        <Field label={t("body")}>
          <Textarea
            name="body"
            rows={8}
            spellCheck={false}
            className="font-mono text-xs"
            defaultValue={JSON.stringify(example.request ?? {}, null, 2)}
          />
        </Field>
      )}
      {problem && (
        <p role="alert" className="text-danger">
          {problem}
        </p>
      )}
      <Button type="submit" variant="primary" busy={busy}>
        {t("send")}
      </Button>
      <div role="status">
        {answer && (
          <>
            <p className="mt-2 font-medium">
              {t("answer")}: {t("status", { status: answer.status, ms: answer.ms })}
            </p>
            <pre className="mt-1 whitespace-pre-wrap break-all rounded-lg bg-muted p-3 text-xs">
              {answer.text}
            </pre>
          </>
        )}
      </div>
    </form>
  );
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function pretty(text: string): string {
  return isJson(text) ? JSON.stringify(JSON.parse(text), null, 2) : text;
}

function exampleOf(params: unknown, name: string): string {
  const value =
    typeof params === "object" && params !== null
      ? Object.entries(params).find(([key]) => key === name)
      : null;
  return value ? String(value[1]) : "";
}
