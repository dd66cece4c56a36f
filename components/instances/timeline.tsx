"use client";

import { useQuery } from "@tanstack/react-query";
import { useFormatter, useTranslations } from "next-intl";
import { Badge, type Tone } from "@/components/ui/badge";
import { Problem, SkeletonRows } from "@/components/ui/states";
import type { AnswerOf } from "@/lib/client/call-operation";
import { operationQuery } from "@/lib/client/operation-query";
import type { Instance } from "@/lib/client/own-instances";
import type { EventType } from "@/lib/contract/words";

type Event = AnswerOf<"listEvents">["data"][number];

const LAST = 200;

export function eventsOf(id: string) {
  return { query: { subject_id: id, limit: LAST } };
}

/** What happened to an instance, the newest first. */
export function Timeline({ instance }: { instance: Instance }) {
  const t = useTranslations("instances.timeline");
  const events = useQuery(operationQuery("listEvents", eventsOf(instance.id)));
  if (events.isPending) return <SkeletonRows rows={4} />;
  if (!events.data) return <Problem error={events.error} retry={() => events.refetch()} />;
  if (events.data.data.length === 0) return <p className="py-8 text-center text-subtle">{t("empty")}</p>;
  return (
    <section aria-label={t("title")}>
      <EventList events={events.data.data} />
    </section>
  );
}

const tones: Partial<Record<EventType, Tone>> = {
  "instance.running": "good",
  "instance.resumed": "good",
  "instance.term_renewed": "good",
  "instance.host_back": "good",
  "instance.failed": "bad",
  "instance.destroyed": "bad",
  "instance.term_ending": "warning",
  "instance.term_ended": "warning",
  "instance.host_silent": "warning",
  "money.low": "warning",
  "money.ended": "bad",
  "money.grace_ended": "bad",
};

/** @param events the oldest first, as the API gives them */
export function EventList({ events }: { events: readonly Event[] }) {
  const t = useTranslations("instances");
  const format = useFormatter();
  return (
    <ol className="divide-y rounded-xl border bg-surface">
      {events.toReversed().map((event) => (
        <li key={event.id} className="flex flex-wrap items-baseline gap-x-4 gap-y-1 px-4 py-3 text-sm">
          <time dateTime={event.at} className="w-44 shrink-0 tabular-nums text-subtle">
            {format.dateTime(new Date(event.at), { dateStyle: "medium", timeStyle: "medium" })}
          </time>
          <div className="min-w-0 grow basis-60">
            <Badge tone={tones[event.type] ?? "neutral"}>{t(`events.${event.type}`)}</Badge>
            <Why event={event} />
          </div>
        </li>
      ))}
    </ol>
  );
}

const reasons = ["money_ended", "operator"] as const;

function Why({ event: { type, data } }: { event: Event }) {
  const t = useTranslations("instances.timeline");
  const format = useFormatter();
  const said: string[] = [];
  const reason = reasons.find((known) => known === data.reason);
  if (reason) said.push(t(`reason.${reason}`));
  else if (typeof data.reason === "string") said.push(data.reason);
  if (typeof data.note === "string") said.push(t("note", { note: data.note }));
  if (type === "instance.term_ending") {
    if (typeof data.prepaid_until === "string") {
      const until = new Date(data.prepaid_until);
      said.push(`${format.dateTime(until, { dateStyle: "medium", timeStyle: "short" })}.`);
    }
    said.push(data.auto_renew === true ? t("renews") : t("ends"));
  }
  return said.length === 0 ? null : <span className="ml-2 break-words text-subtle">{said.join(" ")}</span>;
}
