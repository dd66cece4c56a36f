"use client";

import { CircleAlert, CloudOff } from "lucide-react";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { ApiError } from "@/lib/client/call-operation";
import { Button } from "./button";
import { cn } from "./cn";

/** A grey block of the size of what is to come. */
export function Skeleton({ className }: { className?: string }) {
  return <div aria-hidden="true" className={cn("animate-pulse rounded-md bg-muted", className)} />;
}

/** Rows that are being loaded; says so to screen readers once. */
export function SkeletonRows({ rows = 6, className }: { rows?: number; className?: string }) {
  const t = useTranslations("common");
  return (
    <div role="status" aria-label={t("loading")} className="space-y-2">
      {Array.from({ length: rows }, (_, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike.
        <Skeleton key={i} className={cn("h-12", className)} />
      ))}
    </div>
  );
}

/** Nothing is here yet: what it is for, and the way to the first one. */
export function EmptyState({
  icon,
  title,
  children,
  action,
}: {
  icon?: ReactNode;
  title: ReactNode;
  children?: ReactNode;
  action?: ReactNode;
}) {
  return (
    <div className="flex flex-col items-center gap-3 rounded-xl border border-dashed px-6 py-12 text-center [&>svg]:size-8 [&>svg]:text-subtle">
      {icon}
      <p className="font-medium">{title}</p>
      {children && <div className="max-w-md text-sm text-subtle">{children}</div>}
      {action}
    </div>
  );
}

/** Says why something could not be loaded, and tries again. */
export function Problem({ error, retry }: { error: unknown; retry?: () => void }) {
  const t = useTranslations("common");
  const explain = useProblemText();
  const unreachable = error instanceof ApiError && error.code === "unreachable";
  return (
    <div role="alert" className="flex flex-col items-center gap-3 rounded-xl border px-6 py-10 text-center">
      {unreachable ? (
        <CloudOff className="size-8 text-subtle" aria-hidden="true" />
      ) : (
        <CircleAlert className="size-8 text-danger" aria-hidden="true" />
      )}
      <p className="font-medium">{t("problem.title")}</p>
      <p className="max-w-md text-sm text-subtle">{explain(error)}</p>
      {retry && <Button onClick={retry}>{t("actions.tryAgain")}</Button>}
    </div>
  );
}

/** A sentence for a failure: the server's own where it said one. */
export function useProblemText(): (error: unknown) => string {
  const t = useTranslations("common.problem");
  return (error) => {
    if (!(error instanceof ApiError))
      return error instanceof Error && error.message ? error.message : t("server");
    if (error.code === "unreachable") return t("unreachable");
    if (error.status === 429) return t("tooMany");
    if (error.status >= 500) return t("server");
    if (error.status === 422) return error.issues[0]?.msg ?? t("invalid");
    return error.message;
  };
}
