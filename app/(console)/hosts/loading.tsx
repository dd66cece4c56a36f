import { Page } from "@/components/ui/page-header";
import { Skeleton, SkeletonRows } from "@/components/ui/states";

export default function LoadingHosts() {
  return (
    <Page>
      <Skeleton className="mb-8 h-14 w-72" />
      <SkeletonRows rows={4} className="h-24" />
    </Page>
  );
}
