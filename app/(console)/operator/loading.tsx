import { Skeleton, SkeletonRows } from "@/components/ui/states";

export default function Loading() {
  return (
    <>
      <Skeleton className="mb-2 h-8 w-48" />
      <Skeleton className="mb-6 h-5 w-full max-w-xl" />
      <Skeleton className="mb-4 h-9 w-full max-w-md" />
      <SkeletonRows rows={8} className="h-16" />
    </>
  );
}
