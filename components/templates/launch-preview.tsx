"use client";

import { useTranslations } from "next-intl";
import { Badge } from "@/components/ui/badge";
import { CodeBlock } from "@/components/ui/copy-button";
import { dockerRun, type Launch, openPorts, writeImage } from "@/lib/client/docker-run";

/** What will run: image, ports, ways in, and the `docker run` that comes closest. */
export function LaunchPreview({ launch, hidesEnvironment }: { launch: Launch; hidesEnvironment?: boolean }) {
  const t = useTranslations("rent.preview");
  const ports = Object.entries(openPorts(launch)).map(([port, protocol]) => `${port}/${protocol}`);
  const command = dockerRun(launch);
  return (
    <div className="space-y-3">
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1.5 text-sm">
        <dt className="text-subtle">{t("image")}</dt>
        <dd className="break-all font-mono text-xs leading-5">{writeImage(launch.image, launch.imageTag)}</dd>
        <dt className="text-subtle">{t("ports")}</dt>
        <dd className="tabular-nums">{ports.length > 0 ? ports.join(", ") : t("noPorts")}</dd>
        <dt className="text-subtle">{t("access")}</dt>
        <dd className="flex flex-wrap gap-1">
          {launch.useSsh && <Badge tone="info">SSH</Badge>}
          {launch.useJupyter && <Badge tone="info">{launch.useJupyterLab ? "JupyterLab" : "Jupyter"}</Badge>}
          {!launch.useSsh && !launch.useJupyter && <span>{t("noAccess")}</span>}
        </dd>
      </dl>
      {command === null ? (
        <p className="text-sm text-danger">{t("openQuote")}</p>
      ) : (
        <CodeBlock text={command} label="docker run" />
      )}
      <p className="text-xs text-subtle">{hidesEnvironment ? t("othersEnvironment") : t("noSecrets")}</p>
    </div>
  );
}
