"use client";

import { useFormatter, useTranslations } from "next-intl";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { CurlButton } from "@/components/ui/curl-button";
import { useMoney } from "@/components/ui/money";
import { actionCall } from "@/lib/client/instance-action";
import { type Instance, nameOf, typedNameOf } from "@/lib/client/own-instances";
import { useActionText } from "./action-texts";

interface LifeDialogProps {
  instance: Instance;
  action: "reboot" | "destroy";
  onClose: () => void;
  onConfirm: () => void;
}

/** Says what is lost before a reboot or a destroy. */
export function LifeDialog({ instance, action, onClose, onConfirm }: LifeDialogProps) {
  const t = useTranslations("instances");
  const explain = useActionText();
  const isDestroy = action === "destroy";
  const name = nameOf(instance);
  const curl = actionCall(action, instance.id);
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => open || onClose()}
      title={isDestroy ? t("destroy.title", { name }) : t("rebootTitle", { name })}
      confirmLabel={t(`actions.${action}`)}
      onConfirm={onConfirm}
      danger={isDestroy}
      {...(isDestroy ? { typed: typedNameOf(instance) } : {})}
    >
      <p>{explain(instance, action)}</p>
      {isDestroy && <Losses instance={instance} />}
      <CurlButton name={curl.name} call={curl.call} />
    </ConfirmDialog>
  );
}

function Losses({ instance }: { instance: Instance }) {
  const t = useTranslations("instances.destroy");
  const money = useMoney();
  const format = useFormatter();
  const { prepaid_until, initialized_at, is_prepaid } = instance;
  const until =
    prepaid_until && format.dateTime(new Date(prepaid_until), { dateStyle: "medium", timeStyle: "short" });
  return (
    <ul className="list-disc space-y-1.5 pl-5">
      <li>{t("lost", { disk: instance.storage_gb })}</li>
      <li>{t("costs", { amount: money(instance.total_cost) })}</li>
      {is_prepaid && until && <li>{initialized_at ? t("prepaid", { until }) : t("prepaidUnused")}</li>}
      {instance.actions.includes("pause") && !is_prepaid && <li>{t("keepInstead")}</li>}
    </ul>
  );
}
