"use client";

import { ExternalLink } from "lucide-react";
import { useTranslations } from "next-intl";
import { CopyButton } from "@/components/ui/copy-button";
import type { Instance } from "@/lib/client/own-instances";
import { socketAddress, webLink } from "@/lib/client/ssh-config";

/** The ports of the template, and where they are reached from outside. */
export function PortList({ instance }: { instance: Instance }) {
  const t = useTranslations("instances.connect");
  const { address, ports } = instance;
  const wanted = Object.entries(instance.actual_template.ports);
  if (wanted.length === 0) return <p className="text-sm text-subtle">{t("noPorts")}</p>;
  return (
    <table className="w-full text-left text-sm">
      <thead className="text-xs text-subtle">
        <tr>
          <th className="pb-1 font-medium">{t("portInside")}</th>
          <th className="pb-1 font-medium">{t("portOutside")}</th>
        </tr>
      </thead>
      <tbody className="tabular-nums">
        {wanted.map(([port, protocol]) => {
          const outside = ports[port];
          const reach = address && outside ? socketAddress(address, outside) : null;
          const href = protocol === "tcp" && reach ? webLink(`http://${reach}`) : null;
          return (
            <tr key={port}>
              <td className="py-1 pr-4">
                {port}/{protocol}
              </td>
              <td className="py-1">
                {reach ? (
                  <span className="flex flex-wrap items-center gap-1">
                    <code className="font-mono text-xs">{reach}</code>
                    <CopyButton text={reach} label={reach} />
                    {href && (
                      <a
                        href={href}
                        target="_blank"
                        rel="noopener noreferrer"
                        aria-label={t("portOpen", { port })}
                        className="rounded p-2 text-primary hover:bg-muted"
                      >
                        <ExternalLink className="size-4" aria-hidden="true" />
                      </a>
                    )}
                  </span>
                ) : (
                  "–"
                )}
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
