import type { Metadata } from "next";
import { OperationEntry } from "@/components/docs/operation-entry";
import type { Operation } from "@/lib/contract/operation";
import { tags } from "@/lib/contract/operation";
import { operations } from "@/lib/contract/operations";

export const metadata: Metadata = { title: "API" };

export default function DocsPage() {
  const all: Operation[] = Object.values(operations);
  return (
    <div className="mx-auto w-full max-w-4xl px-6 pb-20">
      <main>
        <h1 className="mt-6 text-3xl font-semibold tracking-tight">The API</h1>
        <p className="mt-4 text-slate-600 dark:text-slate-300">
          Send your key in <code>X-Api-Key</code>. Clients in any language can be generated from the{" "}
          <a href="/v0/openapi.json" className="font-medium text-sky-700 underline dark:text-sky-400">
            OpenAPI document
          </a>
          .
        </p>
        <nav aria-label="Parts of the API" className="mt-6 flex flex-wrap gap-2 text-sm">
          {Object.keys(tags).map((tag) => (
            <a
              key={tag}
              href={`#tag-${tag}`}
              className="rounded-full border border-slate-300 px-3 py-1 hover:bg-slate-100 dark:border-slate-700 dark:hover:bg-slate-900"
            >
              {tag}
            </a>
          ))}
        </nav>
        {Object.entries(tags).map(([tag, description]) => (
          <section key={tag} className="mt-12" aria-labelledby={`tag-${tag}`}>
            <h2 id={`tag-${tag}`} className="scroll-mt-6 text-xl font-semibold">
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
    </div>
  );
}
