"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { useProblemText } from "@/components/ui/states";
import { toast } from "@/components/ui/toast";
import { ApiError, callOperation } from "@/lib/client/call-operation";
import type { Host } from "./host-queries";
import { useHostName } from "./use-host-name";

interface DeleteHostProps {
  host: Host;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  rented: boolean;
}

/** Asks before a host leaves for good. */
export function DeleteHost({ host, open, onOpenChange, rented }: DeleteHostProps) {
  const t = useTranslations("hosts.deletion");
  const explain = useProblemText();
  const router = useRouter();
  const queries = useQueryClient();
  const name = useHostName()(host);
  const remove = useMutation({
    mutationFn: () => callOperation("deleteHost", { params: { host_id: host.id } }),
    onSuccess: () => {
      toast.success(t("done", { host: name }));
      router.push("/hosts");
      void queries.invalidateQueries({ queryKey: ["listHosts"] });
    },
  });
  const inUse = remove.error instanceof ApiError && remove.error.code === "in_use";
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={(stays) => {
        remove.reset();
        onOpenChange(stays);
      }}
      title={t("title", { host: name })}
      confirmLabel={t("confirm")}
      onConfirm={() => remove.mutate()}
      busy={remove.isPending}
      danger
      typed={host.offer.gpu_name}
      problem={remove.error && (inUse ? t("inUse") : explain(remove.error))}
    >
      <p>{t("text")}</p>
      {rented && <p className="rounded-lg bg-warning-soft p-3 text-on-warning-soft">{t("rentedNow")}</p>}
    </ConfirmDialog>
  );
}
