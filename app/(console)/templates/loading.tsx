import { TemplatesSkeleton } from "@/components/templates/templates-skeleton";
import { Page } from "@/components/ui/page-header";

export default function Loading() {
  return (
    <Page>
      <TemplatesSkeleton />
    </Page>
  );
}
