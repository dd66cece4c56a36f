import { Skeleton } from "@/components/ui/states";

/** A gallery that is being loaded. */
export function TemplatesSkeleton() {
  return (
    <div className="space-y-5">
      <Skeleton className="h-14 w-64" />
      <Skeleton className="h-9" />
      <div className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
        {["a", "b", "c", "d", "e", "f"].map((each) => (
          <Skeleton key={each} className="h-44 rounded-xl" />
        ))}
      </div>
    </div>
  );
}
