import { getTranslations } from "next-intl/server";
import { Badge } from "@/components/ui/badge";
import { errorCodes } from "@/lib/contract/errors";
import type { Operation } from "@/lib/contract/operation";
import { type Field, fieldsOf } from "./fields-of";
import { Prose } from "./prose";
import { TryIt } from "./try-it";

/** All that a program has to know of one operation, and a form that sends it. */
export async function OperationEntry({ operation }: { operation: Operation }) {
  const t = await getTranslations("docs");
  const { id, method, path, params, query, body, scope, role } = operation;
  const { request, response } = operation.example;
  const parts = [
    { title: t("inPath"), schema: params },
    { title: t("inQuery"), schema: query },
    { title: t("inBody"), schema: body },
  ];
  return (
    <article
      id={id}
      aria-labelledby={`${id}-title`}
      className="wrap-anywhere scroll-mt-20 rounded-xl border bg-surface p-5"
    >
      <h3 id={`${id}-title`} className="flex flex-wrap items-center gap-3">
        <Badge tone="info" className="font-mono">
          {method}
        </Badge>
        <code className="break-all font-mono text-sm">{path}</code>
      </h3>
      <p className="mt-3 text-sm">{operation.summary}.</p>
      {operation.description && (
        <p className="mt-2 text-sm text-subtle">
          <Prose>{operation.description}</Prose>
        </p>
      )}
      {parts.map(
        ({ title, schema }) => schema && <Fields key={title} title={title} fields={fieldsOf(schema)} />,
      )}
      <p className="mt-4 text-xs leading-5 text-subtle">
        {scope ? t.rich("needs", { scope, code: (chunks) => <code>{chunks}</code> }) : t("needsAny")}{" "}
        {role && `${t("needsRole")} `}
        {operation.errors.length > 0 && t("errors", { errors: listErrors(operation) })}
      </p>
      {request !== undefined && <Example title={t("exampleRequest")} value={request} />}
      <Example title={t("exampleAnswer")} value={response} />
      <TryIt
        method={method}
        path={path}
        query={query ? fieldsOf(query).map(({ name }) => name) : []}
        takesBody={body !== undefined}
        example={{ params: operation.example.params, request }}
      />
    </article>
  );
}

function listErrors(operation: Operation): string {
  return operation.errors.map((code) => `${errorCodes[code].status} ${code}`).join(", ");
}

/** Long lists start folded, so that a page of operations can still be read. */
async function Fields({ title, fields }: { title: string; fields: Field[] }) {
  const t = await getTranslations("docs");
  return (
    <details className="mt-3 text-sm" open={fields.length <= 4}>
      <summary className="cursor-pointer font-medium">
        {title} <span className="font-normal text-subtle">({fields.length})</span>
      </summary>
      <dl className="mt-2 divide-y border-y">
        {fields.map((field) => (
          <div key={field.name} className="grid gap-x-4 py-2 sm:grid-cols-[14rem_1fr]">
            <dt className="break-all font-mono text-xs leading-5">
              {field.name}
              {field.required && (
                <Badge tone="warning" className="ml-2 font-sans">
                  {t("required")}
                </Badge>
              )}
            </dt>
            <dd className="min-w-0 break-words text-xs leading-5 text-subtle">
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
      <pre className="mt-2 whitespace-pre-wrap break-all rounded-lg bg-muted p-3 text-xs">
        {JSON.stringify(value, null, 2)}
      </pre>
    </details>
  );
}
