import { errorCodes } from "@/lib/contract/errors";
import type { Operation } from "@/lib/contract/operation";
import { type Field, fieldsOf } from "./fields-of";
import { Prose } from "./prose";

/** All that a program has to know of one operation. */
export function OperationEntry({ operation }: { operation: Operation }) {
  const { request, response } = operation.example;
  const parts = [
    { title: "In the path", schema: operation.params },
    { title: "In the query", schema: operation.query },
    { title: "In the body", schema: operation.body },
  ];
  return (
    <article
      id={operation.id}
      aria-labelledby={`${operation.id}-title`}
      className="scroll-mt-6 rounded-xl border border-slate-200 bg-white p-5 wrap-anywhere dark:border-slate-800 dark:bg-slate-900"
    >
      <h3 id={`${operation.id}-title`} className="flex flex-wrap items-center gap-3">
        <span className="rounded bg-sky-100 px-2 py-0.5 font-mono text-xs font-semibold text-sky-950">
          {operation.method}
        </span>
        <code className="break-all font-mono text-sm">{operation.path}</code>
      </h3>
      <p className="mt-3 text-sm">{operation.summary}.</p>
      {operation.description && (
        <p className="mt-2 text-sm text-slate-600 dark:text-slate-300">
          <Prose>{operation.description}</Prose>
        </p>
      )}
      {parts.map(
        ({ title, schema }) => schema && <Fields key={title} title={title} fields={fieldsOf(schema)} />,
      )}
      <p className="mt-4 text-xs leading-5 text-slate-600 dark:text-slate-400">
        Needs {operation.scope ? <code>{operation.scope}</code> : "any valid key"}.
        {operation.errors.length > 0 && ` Of its own it can answer ${listErrors(operation)}.`}
      </p>
      {request !== undefined && <Example title="Example of a request" value={request} />}
      <Example title="Example of an answer" value={response} />
    </article>
  );
}

function listErrors(operation: Operation): string {
  return operation.errors.map((code) => `${errorCodes[code].status} ${code}`).join(", ");
}

/** Long lists start folded, so that a page of operations can still be read. */
function Fields({ title, fields }: { title: string; fields: Field[] }) {
  return (
    <details className="mt-3 text-sm" open={fields.length <= 4}>
      <summary className="cursor-pointer font-medium">
        {title} <span className="font-normal text-slate-600 dark:text-slate-400">({fields.length})</span>
      </summary>
      <dl className="mt-2 divide-y divide-slate-100 border-y border-slate-100 dark:divide-slate-800 dark:border-slate-800">
        {fields.map((field) => (
          <div key={field.name} className="grid gap-x-4 py-2 sm:grid-cols-[14rem_1fr]">
            <dt className="break-all font-mono text-xs leading-5">
              {field.name}
              {field.required && (
                <span className="ml-2 font-sans text-amber-700 dark:text-amber-400">required</span>
              )}
            </dt>
            <dd className="min-w-0 break-words text-xs leading-5 text-slate-600 dark:text-slate-300">
              {field.type}
              {field.description && (
                <>
                  {". "}
                  <Prose>{field.description}</Prose>
                </>
              )}
            </dd>
          </div>
        ))}
      </dl>
    </details>
  );
}

function Example({ title, value }: { title: string; value: unknown }) {
  return (
    <details className="mt-3 text-sm">
      <summary className="cursor-pointer font-medium">{title}</summary>
      <section
        aria-label={title}
        className="mt-2 max-h-96 overflow-auto rounded-lg bg-slate-100 dark:bg-slate-950"
      >
        <pre className="p-3 text-xs">{JSON.stringify(value, null, 2)}</pre>
      </section>
    </details>
  );
}
