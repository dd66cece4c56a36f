"use client";

import { useQuery } from "@tanstack/react-query";
import { SearchX } from "lucide-react";
import { useParams } from "next/navigation";
import { useTranslations } from "next-intl";
import { ButtonLink } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/states";
import { operationQuery } from "@/lib/client/operation-query";
import { EventList, eventsOf } from "./timeline";

/** In place of one that is destroyed, another's, or was never there: one's own leaves its timeline. */
export function LostInstance() {
  const t = useTranslations("instances.lost");
  const { instance_id: id } = useParams<{ instance_id: string }>();
  const events = useQuery(operationQuery("listEvents", eventsOf(id)));
  const happened = events.data?.data ?? [];
  return (
    <div className="space-y-6">
      <h1 className="text-2xl font-semibold tracking-tight">{t("title")}</h1>
      <EmptyState
        icon={<SearchX aria-hidden="true" />}
        title={t("text")}
        action={
          <div className="flex flex-wrap justify-center gap-2">
            <ButtonLink href="/instances" variant="primary">
              {t("list")}
            </ButtonLink>
            <ButtonLink href="/market">{t("market")}</ButtonLink>
          </div>
        }
      />
      {happened.length > 0 && (
        <section className="space-y-3">
          <h2 className="font-semibold">{t("was")}</h2>
          <EventList events={happened} />
        </section>
      )}
    </div>
  );
}
