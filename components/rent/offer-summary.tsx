"use client";

import { useTranslations } from "next-intl";
import { Badge } from "@/components/ui/badge";
import type { AnswerOf } from "@/lib/client/call-operation";

export type Offer = AnswerOf<"searchMarket">["data"][number];

/** What is rented, and what must be known of it before anyone pays. */
export function OfferSummary({ offer }: { offer: Offer }) {
  const t = useTranslations("rent");
  const common = useTranslations("common");
  const { ram, disk, cpu_name, vcpu } = offer.configuration;
  const gb = (value: number | null) => (value === null ? common("unknown") : common("units.gb", { value }));
  const place = [offer.location.city, offer.location.country].filter(Boolean).join(", ");
  const facts = [
    [t("facts.vram"), gb(offer.vram)],
    [t("facts.ram"), gb(ram.amount)],
    [t("facts.disk"), gb(disk.amount)],
    [t("facts.cpu"), cpu_name ?? (vcpu === null ? common("unknown") : t("facts.vcpus", { count: vcpu }))],
    [t("facts.place"), place || common("unknown")],
    [t("facts.provider"), offer.provider_translit_name],
  ] as const;
  const warnings = [
    offer.simulated && { key: "simulated" as const },
    offer.is_third_party && { key: "thirdParty" as const },
    !offer.host_verified && { key: "unverified" as const },
  ].filter((warning) => warning !== false);
  return (
    <section aria-label={t("offer")} className="space-y-3">
      <dl className="grid grid-cols-2 gap-x-4 gap-y-2 text-sm sm:grid-cols-3">
        {facts.map(([name, value]) => (
          <div key={name} className="min-w-0">
            <dt className="text-xs text-subtle">{name}</dt>
            <dd className="break-words">{value}</dd>
          </div>
        ))}
      </dl>
      {warnings.length > 0 && (
        <ul className="space-y-1.5 text-sm">
          {warnings.map(({ key }) => (
            <li key={key} className="flex items-baseline gap-2">
              <Badge tone="warning">{t(`marks.${key}.name`)}</Badge>
              <span className="text-subtle">{t(`marks.${key}.text`)}</span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
