import { Page } from "@/components/ui/page-header";
import { Skeleton, SkeletonRows } from "@/components/ui/states";

export default function Loading() {
  return (
    <Page>
      <Skeleton className="mb-3 h-8 w-48" />
      <Skeleton className="mb-6 h-5 w-full max-w-xl" />
      <SkeletonRows className="h-20" />
    </Page>
  );
}
