import { Page } from "@/components/ui/page-header";
import { Skeleton } from "@/components/ui/states";

export default function Loading() {
  return (
    <Page>
      <Skeleton className="mb-2 h-5 w-32" />
      <Skeleton className="mb-4 h-8 w-72 max-w-full" />
      <Skeleton className="mb-4 h-24 w-full" />
      <Skeleton className="mb-4 h-10 w-full" />
      <Skeleton className="h-96 w-full" />
    </Page>
  );
}
