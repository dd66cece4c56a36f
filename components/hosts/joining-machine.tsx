"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { CircleCheck, LoaderCircle, TriangleAlert } from "lucide-react";
import { useFormatter, useTranslations } from "next-intl";
import { useEffect, useRef } from "react";
import { useCurrency } from "@/components/shell/currency";
import { Badge } from "@/components/ui/badge";
import { Button, ButtonLink } from "@/components/ui/button";
import { CodeBlock } from "@/components/ui/copy-button";
import { operationQuery } from "@/lib/client/operation-query";
import { type Host, isSimulated, overviewQuery } from "./host-queries";
import { HostStatus } from "./host-status";
import type { NewToken } from "./join-sheet";
import { PriceEditor } from "./price-editor";
import { useHostName } from "./use-host-name";

const EVERY_MS = 2_000;

interface JoiningMachineProps {
  token: NewToken;
  hosts: readonly Host[];
  onAgain: () => void;
}

/** The command to paste, until the machine is there; then what it became. */
export function JoiningMachine({ token, hosts, onAgain }: JoiningMachineProps) {
  const t = useTranslations("hosts.joining");
  const format = useFormatter();
  const queries = useQueryClient();
  const tokens = useQuery({ ...operationQuery("listHostTokens"), refetchInterval: EVERY_MS });
  const seen = tokens.data?.data.find(({ id }) => id === token.id);
  const joined = hosts.filter(({ id }) => seen?.hosts.includes(id));
  const arrived = seen?.status === "used";
  const missing = arrived && joined.length < Math.max(1, seen.hosts.length);
  const heading = useRef<HTMLHeadingElement>(null);
  // The button that made the token is gone, and with it the focus.
  useEffect(() => heading.current?.focus(), []);
  useEffect(() => {
    if (missing) void queries.invalidateQueries({ queryKey: ["listHosts"] });
  }, [missing, queries]);
  return (
    <>
      {!arrived && token.command !== null && (
        <section className="space-y-2">
          <h3 ref={heading} tabIndex={-1} className="font-medium outline-none">
            {t("paste")}
          </h3>
          <CodeBlock text={token.command} label={t("pasteLabel")} />
          <p className="text-xs text-subtle">
            {t("once")}{" "}
            {t("until", {
              time: format.dateTime(new Date(token.expires_at), { dateStyle: "medium", timeStyle: "short" }),
            })}
          </p>
        </section>
      )}
      <div role="status">
        {arrived ? (
          <p className="flex items-start gap-2.5 rounded-lg bg-success-soft p-3 text-on-success-soft">
            <CircleCheck className="mt-0.5 size-5 shrink-0" aria-hidden="true" />
            <span>
              <span className="block font-medium">{t("arrived")}</span>
              {joined.length === 0
                ? t("measuring")
                : joined.some(({ offer }) => offer.real_price === null) && t("next")}
            </span>
          </p>
        ) : seen?.status === "expired" ? (
          <p className="flex items-start gap-2.5 rounded-lg bg-warning-soft p-3 text-on-warning-soft">
            <TriangleAlert className="mt-0.5 size-5 shrink-0" aria-hidden="true" />
            {t("expired")}
          </p>
        ) : (
          <p className="flex items-start gap-2.5 rounded-lg bg-muted p-3">
            <LoaderCircle className="mt-0.5 size-5 shrink-0 animate-spin text-primary" aria-hidden="true" />
            {t("waiting")}
          </p>
        )}
      </div>
      {joined.map((host) => (
        <JoinedHost key={host.id} host={host} />
      ))}
      <Button onClick={onAgain}>{t("again")}</Button>
    </>
  );
}

function JoinedHost({ host }: { host: Host }) {
  const t = useTranslations("hosts");
  const overview = useQuery(overviewQuery(host.id, useCurrency())).data?.data;
  return (
    <article className="space-y-3 rounded-xl border p-4">
      <div className="flex flex-wrap items-center gap-2">
        <h3 className="font-medium">{useHostName()(host)}</h3>
        {isSimulated(host) && <Badge tone="warning">{t("simulated")}</Badge>}
      </div>
      <HostStatus host={host} rented={overview?.rented} />
      <PriceEditor host={host} startOpen={host.offer.real_price === null} />
      <ButtonLink size="sm" href={`/hosts/${host.id}`}>
        {t("joining.toHost")}
      </ButtonLink>
    </article>
  );
}
