"use client";

import { useFormatter, useTranslations } from "next-intl";
import { Stat } from "@/components/ui/card";
import { useMoney } from "@/components/ui/money";
import { costAt, costBy, hourlyCost, monthEnd, termPrice } from "@/lib/client/instance-cost";
import { type Instance, imageOf, placeOf } from "@/lib/client/own-instances";
import { useClock } from "./use-clock";

interface InstanceFactsProps {
  instance: Instance;
  /** When the answer came that it is from, in milliseconds since 1970. */
  askedAt: number;
}

/** What it is and what it costs, up to this second. */
export function InstanceFacts({ instance, askedAt }: InstanceFactsProps) {
  const t = useTranslations("instances.facts");
  const common = useTranslations("common");
  const { gpu_amount, gpu_name } = instance.actual_offer;
  return (
    <dl className="mb-4 grid grid-cols-2 gap-x-6 gap-y-4 rounded-xl border bg-surface p-4 md:grid-cols-4">
      <Stat
        label={t("gpu")}
        value={`${gpu_amount} × ${gpu_name}`}
        hint={placeOf(instance) || common("unknown")}
      />
      <Stat
        label={t("image")}
        value={<span title={imageOf(instance)}>{imageOf(instance)}</span>}
        hint={`${t("disk")}: ${common("units.gb", { value: instance.storage_gb })}`}
      />
      <Cost instance={instance} askedAt={askedAt} />
    </dl>
  );
}

function Cost({ instance, askedAt }: InstanceFactsProps) {
  const t = useTranslations("instances.facts");
  const status = useTranslations("instances.status");
  const money = useMoney();
  const format = useFormatter();
  const now = useClock();
  const price = hourlyCost(instance);
  const { is_prepaid, prepaid_until } = instance;
  const other = instance.status === "paused" ? "runningPrice" : "pausedPrice";
  const otherPrice = money(instance.status === "paused" ? instance.uptime_price : instance.pause_price);
  const end = now === null ? null : monthEnd(now);
  return (
    <>
      {is_prepaid && prepaid_until ? (
        <Stat
          label={t("prepaid")}
          value={format.dateTime(new Date(prepaid_until), { dateStyle: "medium", timeStyle: "short" })}
          hint={<Afterwards instance={instance} />}
        />
      ) : (
        <Stat
          label={t("costHour")}
          value={price === 0 ? t("costNone") : t("perHour", { price: money(price) })}
          hint={t(other, { price: otherPrice })}
        />
      )}
      <Stat
        label={t("costSoFar")}
        value={
          <span data-cost>
            {money(now === null ? instance.total_cost : costAt(instance, askedAt, now), "price")}
          </span>
        }
        hint={
          now !== null && end !== null ? (
            <>
              {t("costMonth", { month: format.dateTime(end - 1, { month: "long" }) })}{" "}
              <b className="font-semibold text-foreground">{money(costBy(instance, now, end), "sum")}</b>,{" "}
              {t("costMonthHint", { status: status(instance.status) })}
            </>
          ) : (
            " "
          )
        }
      />
    </>
  );
}

/** What comes after the time that is paid. */
function Afterwards({ instance }: { instance: Instance }) {
  const t = useTranslations("instances.facts");
  const money = useMoney();
  const term = instance.auto_renew ? termPrice(instance) : null;
  if (term !== null) return t("prepaidRenews", { price: money(term, "sum") });
  return t("prepaidEnds", { price: money(instance.uptime_price) });
}
