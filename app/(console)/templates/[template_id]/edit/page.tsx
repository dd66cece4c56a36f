import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { FirstPaint, read } from "@/app/_visitor/first-paint";
import { requireVisitor } from "@/app/_visitor/get-visitor";
import { PageMessages } from "@/app/_visitor/page-messages";
import { EditTemplate } from "@/components/templates/edit-template";
import { Page } from "@/components/ui/page-header";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("templates"))("title") };
}

export default async function EditTemplatePage({ params }: { params: Promise<{ template_id: string }> }) {
  const { template_id } = await params;
  await requireVisitor(`/templates/${template_id}/edit`);
  return (
    <Page>
      <PageMessages of={["templates", "rent"]}>
        <FirstPaint reads={[read("getTemplate", { params: { template_id } })]}>
          <EditTemplate templateId={template_id} />
        </FirstPaint>
      </PageMessages>
    </Page>
  );
}
