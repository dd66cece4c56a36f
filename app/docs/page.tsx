import type { Metadata } from "next";
import type { Operation } from "@/lib/contract/operation";
import { tags } from "@/lib/contract/operation";
import { operations } from "@/lib/contract/operations";

export const metadata: Metadata = { title: "API" };

function OperationEntry({ operation }: { operation: Operation }) {
  const { request, response } = operation.example;
  return (
    <article
      id={operation.id}
      className="rounded-xl border border-slate-200 bg-white p-5 dark:border-slate-800 dark:bg-slate-900"
    >
      <h3 className="flex flex-wrap items-center gap-3">
        <span className="rounded bg-sky-100 px-2 py-0.5 font-mono text-xs font-semibold text-sky-950">
          {operation.method}
        </span>
        <code className="break-all font-mono text-sm">{operation.path}</code>
      </h3>
      <p className="mt-3 text-sm">{operation.summary}.</p>
      {operation.description && (
        <p className="mt-2 text-sm text-slate-600 dark:text-slate-300">{operation.description}</p>
      )}
      <p className="mt-2 text-xs text-slate-600 dark:text-slate-400">
        Needs {operation.scope ? <code>{operation.scope}</code> : "any valid key"}
      </p>
      {request !== undefined && <Example title="Request" value={request} />}
      <Example title="Answer" value={response} />
    </article>
  );
}

function Example({ title, value }: { title: string; value: unknown }) {
  return (
    <details className="mt-3 text-sm">
      <summary className="cursor-pointer font-medium">{title}</summary>
      <pre className="mt-2 max-h-96 overflow-auto rounded-lg bg-slate-100 p-3 text-xs dark:bg-slate-950">
        {JSON.stringify(value, null, 2)}
      </pre>
    </details>
  );
}

export default function DocsPage() {
  const all: Operation[] = Object.values(operations);
  return (
    <main className="mx-auto w-full max-w-4xl px-6 py-12">
      <h1 className="text-3xl font-semibold tracking-tight">The API</h1>
      <p className="mt-4 text-slate-600 dark:text-slate-300">
        Send your key in <code>X-Api-Key</code>. Programs in any language can be generated from the{" "}
        <a href="/v0/openapi.json" className="font-medium text-sky-700 underline dark:text-sky-400">
          OpenAPI document
        </a>
        .
      </p>
      {Object.entries(tags).map(([tag, description]) => (
        <section key={tag} className="mt-12" aria-labelledby={`tag-${tag}`}>
          <h2 id={`tag-${tag}`} className="text-xl font-semibold">
            {tag}
          </h2>
          <p className="mt-1 text-sm text-slate-600 dark:text-slate-400">{description}</p>
          <div className="mt-5 grid gap-4">
            {all
              .filter((operation) => operation.tag === tag)
              .map((operation) => (
                <OperationEntry key={operation.id} operation={operation} />
              ))}
          </div>
        </section>
      ))}
    </main>
  );
}
