"use client";

import { useQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import dynamic from "next/dynamic";
import { useTranslations } from "next-intl";
import { useQueryState } from "nuqs";
import { useState } from "react";
import { useCurrency } from "@/components/shell/currency";
import { Button } from "@/components/ui/button";
import { CurlButton } from "@/components/ui/curl-button";
import { PageHeader } from "@/components/ui/page-header";
import { Problem, SkeletonRows } from "@/components/ui/states";
import { hostsCall, hostsQuery } from "./host-queries";
import { HostsEmpty } from "./hosts-empty";
import { HostsList } from "./hosts-list";
import type { NewToken } from "./join-sheet";

const JoinSheet = dynamic(() => import("./join-sheet").then((file) => file.JoinSheet));

/** All that an owner has on the market, and the way to more. */
export function HostsBoard() {
  const t = useTranslations("hosts");
  const currency = useCurrency();
  const hosts = useQuery(hostsQuery(currency));
  const [joining, setJoining] = useQueryState("join");
  // Kept while the page is open: the token is shown once, and a closed sheet must not lose it.
  const [token, setToken] = useState<NewToken | null>(null);
  const join = () => setJoining("");
  return (
    <>
      <PageHeader
        title={t("title")}
        description={t("lead")}
        actions={
          <>
            <CurlButton name="listHosts" call={hostsCall(currency)} />
            <Button variant="primary" onClick={join}>
              <Plus aria-hidden="true" />
              {t("join")}
            </Button>
          </>
        }
      />
      {hosts.isPending ? (
        <SkeletonRows rows={4} className="h-24" />
      ) : !hosts.data ? (
        <Problem error={hosts.error} retry={() => hosts.refetch()} />
      ) : hosts.data.data.length === 0 ? (
        <HostsEmpty onJoin={join} />
      ) : (
        <HostsList hosts={hosts.data.data} />
      )}
      {joining !== null && (
        <JoinSheet
          token={token}
          onToken={setToken}
          onClose={() => setJoining(null)}
          hosts={hosts.data?.data ?? []}
        />
      )}
    </>
  );
}
