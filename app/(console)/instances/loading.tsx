import { Page } from "@/components/ui/page-header";
import { Skeleton, SkeletonRows } from "@/components/ui/states";

export default function Loading() {
  return (
    <Page>
      <Skeleton className="mb-2 h-8 w-48" />
      <Skeleton className="mb-6 h-5 w-80 max-w-full" />
      <Skeleton className="mb-3 h-9 w-full" />
      <SkeletonRows rows={6} className="h-16" />
    </Page>
  );
}
