import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { FirstPaint, read } from "@/app/_visitor/first-paint";
import { requireVisitor } from "@/app/_visitor/get-visitor";
import { PageMessages } from "@/app/_visitor/page-messages";
import { EditTemplate } from "@/components/templates/edit-template";
import { Page } from "@/components/ui/page-header";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("templates.editor"))("newTitle") };
}

interface NewTemplatePageProps {
  /** `from`: the template to begin with. */
  searchParams: Promise<{ from?: string | string[] }>;
}

export default async function NewTemplatePage({ searchParams }: NewTemplatePageProps) {
  await requireVisitor("/templates/new");
  const { from } = await searchParams;
  const templateId = typeof from === "string" ? from : undefined;
  const reads = templateId ? [read("getTemplate", { params: { template_id: templateId } })] : [];
  return (
    <Page>
      <PageMessages of={["templates", "rent"]}>
        <FirstPaint reads={reads}>
          <EditTemplate key={templateId} isCopy {...(templateId ? { templateId } : {})} />
        </FirstPaint>
      </PageMessages>
    </Page>
  );
}
