"use client";

import { useFormatter, useTranslations } from "next-intl";
import { Badge, type Tone } from "@/components/ui/badge";
import type { CatalogueImport } from "./imports-page";
import { Progress } from "./progress";
import { Row } from "./row";

const tones: Record<CatalogueImport["status"], Tone> = { running: "info", done: "good", failed: "bad" };
const counted = ["read", "added", "updated", "unchanged", "gone", "skipped"] as const;

/** An import: how far it is, or what it did and what it could not read. */
export function ImportRow({ given }: { given: CatalogueImport }) {
  const t = useTranslations("operator.imports");
  const format = useFormatter();
  const started = format.dateTime(new Date(given.started_at), { dateStyle: "medium", timeStyle: "short" });
  return (
    <Row
      heading="h3"
      title={given.name}
      badges={
        <>
          <Badge tone={tones[given.status]}>{t(`statuses.${given.status}`)}</Badge>
          <Badge>{t(`formats.${given.format}`)}</Badge>
        </>
      }
      sub={
        <>
          {given.source} ·{" "}
          {given.ended_at === null
            ? started
            : t("took", { from: started, seconds: secondsOf(given.started_at, given.ended_at) })}
        </>
      }
      facts={counted.map((name) => ({ label: t(name), value: format.number(given.counts[name]) }))}
    >
      {given.status === "running" && (
        <Progress label={t("reading", { name: given.name })} part={given.read_bytes / given.size_bytes} />
      )}
      {given.error !== null && (
        <p role="alert" className="break-words text-sm text-danger">
          {given.error}
        </p>
      )}
      {given.skipped.length > 0 && (
        <details className="text-sm">
          <summary className="cursor-pointer text-subtle">
            {t("skippedRows", { count: given.counts.skipped })}
          </summary>
          {given.counts.skipped > given.skipped.length && (
            <p className="mt-2">{t("firstOnes", { count: given.skipped.length })}</p>
          )}
          <ul className="mt-2 max-h-60 space-y-1 overflow-y-auto">
            {given.skipped.map(({ line, reason }) => (
              <li key={line} className="break-words">
                <span className="text-subtle">{t("line", { line })}:</span> {reason}
              </li>
            ))}
          </ul>
        </details>
      )}
    </Row>
  );
}

function secondsOf(from: string, to: string): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / 1000);
}
