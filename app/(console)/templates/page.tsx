import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { FirstPaint, read } from "@/app/_visitor/first-paint";
import { requireVisitor } from "@/app/_visitor/get-visitor";
import { PageMessages } from "@/app/_visitor/page-messages";
import { allTemplates } from "@/components/templates/template";
import { TemplateGallery } from "@/components/templates/template-gallery";
import { Page } from "@/components/ui/page-header";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("templates"))("title") };
}

export default async function TemplatesPage() {
  await requireVisitor("/templates");
  return (
    <Page>
      <PageMessages of={["templates", "rent"]}>
        <FirstPaint reads={[read("listTemplates", allTemplates)]}>
          <TemplateGallery />
        </FirstPaint>
      </PageMessages>
    </Page>
  );
}
