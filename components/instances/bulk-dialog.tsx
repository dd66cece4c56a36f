"use client";

import { useQueryClient } from "@tanstack/react-query";
import { Check, CircleAlert, LoaderCircle } from "lucide-react";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { Dialog } from "@/components/ui/dialog";
import { act, foresee, type LifeAction } from "@/lib/client/instance-action";
import { type Instance, nameOf } from "@/lib/client/own-instances";
import { useActionText } from "./action-texts";
import { useChangeInstance } from "./use-change-instance";
import { useRefusalText } from "./use-life-action";

interface BulkDialogProps {
  action: LifeAction;
  selected: Instance[];
  onClose: () => void;
}

type Result = "waiting" | "working" | "done" | { refused: string };

/** Asks once for several instances, then says of each how it went. */
export function BulkDialog({ action, selected, onClose }: BulkDialogProps) {
  const t = useTranslations("instances");
  const common = useTranslations("common.actions");
  const explainAction = useActionText();
  const [able] = useState(() => selected.filter(({ actions }) => actions.includes(action)));
  const { results, run, isOver } = useBulk(action, able);
  const title = t("bulk.title", { action, count: able.length });
  const skipped = selected.length - able.length;
  if (results === null) {
    const [only] = able;
    return (
      <ConfirmDialog
        open
        onOpenChange={(open) => open || onClose()}
        title={title}
        confirmLabel={t(`actions.${action}`)}
        onConfirm={run}
        danger={action === "destroy"}
        {...(action === "destroy" ? { typed: t("bulk.typed", { count: able.length }) } : {})}
      >
        <ul className="max-h-48 list-disc space-y-1 overflow-y-auto pl-5">
          {able.map((instance) => (
            <li key={instance.id} className="break-words">
              {nameOf(instance)}
            </li>
          ))}
        </ul>
        {action === "destroy" && <p className="font-medium">{t("bulk.lost")}</p>}
        {only && (action === "reboot" || action === "destroy") && <p>{explainAction(only, action)}</p>}
        {skipped > 0 && <p className="text-subtle">{t("bulk.skipped", { count: skipped })}</p>}
      </ConfirmDialog>
    );
  }
  const done = results.filter((result) => result === "done").length;
  return (
    <Dialog
      open
      onOpenChange={(open) => open || onClose()}
      title={title}
      footer={
        <Button variant="primary" onClick={onClose}>
          {common("close")}
        </Button>
      }
    >
      <ul className="space-y-2 text-sm">
        {able.map((instance, i) => (
          <ResultLine key={instance.id} name={nameOf(instance)} result={results[i] ?? "waiting"} />
        ))}
      </ul>
      <p role="status" className="mt-4 text-sm font-medium">
        {isOver ? t("bulk.result", { done, total: able.length }) : t("bulk.working")}
      </p>
    </Dialog>
  );
}

function ResultLine({ name, result }: { name: string; result: Result }) {
  const t = useTranslations("instances.bulk");
  const refused = typeof result === "object" ? result.refused : null;
  return (
    <li className="flex items-start gap-2 [&>svg]:mt-0.5 [&>svg]:size-4 [&>svg]:shrink-0">
      {refused !== null ? (
        <CircleAlert className="text-danger" aria-hidden="true" />
      ) : result === "done" ? (
        <Check className="text-success" aria-hidden="true" />
      ) : (
        <LoaderCircle className={result === "working" ? "animate-spin" : "opacity-30"} aria-hidden="true" />
      )}
      <span className="min-w-0 break-words">
        {name}: <span className="text-subtle">{typeof result === "object" ? result.refused : t(result)}</span>
      </span>
    </li>
  );
}

/** Does it to one after the other, so that a row of refusals harms no other. */
function useBulk(action: LifeAction, instances: Instance[]) {
  const queries = useQueryClient();
  const change = useChangeInstance();
  const explain = useRefusalText();
  const [results, setResults] = useState<Result[] | null>(null);
  const set = (at: number, result: Result) =>
    setResults((now) => now?.map((one, i) => (i === at ? result : one)) ?? null);
  const run = async () => {
    setResults(instances.map(() => "waiting"));
    for (const [i, { id }] of instances.entries()) {
      set(i, "working");
      const takeBack = await change(id, (now) => foresee(now, action));
      await act(action, id).then(
        () => set(i, "done"),
        (error: unknown) => {
          takeBack();
          set(i, { refused: explain(error) });
        },
      );
    }
    await queries.invalidateQueries({ queryKey: ["listInstances"] });
  };
  const isOver = results?.every((result) => result === "done" || typeof result === "object") ?? false;
  return { results, run, isOver };
}
