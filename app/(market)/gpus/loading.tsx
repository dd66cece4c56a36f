import { Page } from "@/components/ui/page-header";
import { Skeleton, SkeletonRows } from "@/components/ui/states";

export default function Loading() {
  return (
    <Page>
      <Skeleton className="mb-5 h-14 max-w-md" />
      <SkeletonRows rows={8} className="h-24" />
    </Page>
  );
}
