import { Page } from "@/components/ui/page-header";
import { Skeleton, SkeletonRows } from "@/components/ui/states";

export default function LoadingHost() {
  return (
    <Page>
      <Skeleton className="mb-8 h-14 w-72" />
      <SkeletonRows rows={3} className="h-48" />
    </Page>
  );
}
