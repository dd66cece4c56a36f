import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { OperationEntry } from "@/components/docs/operation-entry";
import { OperationFilter } from "@/components/docs/operation-filter";
import { Page, PageHeader } from "@/components/ui/page-header";
import { type Operation, tags } from "@/lib/contract/operation";
import { operations } from "@/lib/contract/operations";
import { PageMessages } from "../_visitor/page-messages";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("docs"))("title") };
}

const all: Operation[] = Object.values(operations);

export default async function DocsPage() {
  const t = await getTranslations("docs");
  return (
    <Page>
      <PageHeader
        title={t("title")}
        description={t.rich("description", {
          code: (chunks) => <code>{chunks}</code>,
          document: (chunks) => (
            <a href="/v0/openapi.json" className="font-medium text-primary underline underline-offset-4">
              {chunks}
            </a>
          ),
        })}
      />
      <PageMessages of={["docs"]}>
        <OperationFilter
          groups={Object.keys(tags).map((tag) => ({
            tag,
            operations: all
              .filter((operation) => operation.tag === tag)
              .map(({ id, method, path, summary, scope }) => ({ id, method, path, summary, scope })),
          }))}
        >
          {Object.entries(tags).map(([tag, description]) => (
            <section key={tag} className="mb-12" aria-labelledby={`tag-${tag}`}>
              <h2 id={`tag-${tag}`} className="scroll-mt-20 text-xl font-semibold">
                {tag}
              </h2>
              <p className="mt-1 text-sm text-subtle">{description}</p>
              <div className="mt-4 grid gap-4">
                {all
                  .filter((operation) => operation.tag === tag)
                  .map((operation) => (
                    <OperationEntry key={operation.id} operation={operation} />
                  ))}
              </div>
            </section>
          ))}
        </OperationFilter>
      </PageMessages>
    </Page>
  );
}
