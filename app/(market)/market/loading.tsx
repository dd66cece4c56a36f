import { Skeleton, SkeletonRows } from "@/components/ui/states";

export default function Loading() {
  return (
    <main className="flex grow lg:h-[calc(100dvh-57px)]">
      <div className="hidden w-68 shrink-0 space-y-4 border-r bg-surface p-4 lg:block">
        {[36, 24, 20, 36, 36, 12, 12].map((height, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: they never move.
          <Skeleton key={i} className={height > 30 ? "h-24" : "h-12"} />
        ))}
      </div>
      <div className="grow">
        <Skeleton className="mx-4 my-2.5 h-8" />
        <SkeletonRows rows={14} className="mx-4 h-11" />
      </div>
    </main>
  );
}
