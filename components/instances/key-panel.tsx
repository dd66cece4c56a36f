"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { KeyRound, X } from "lucide-react";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { Button, ButtonLink } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { CurlButton } from "@/components/ui/curl-button";
import { Select } from "@/components/ui/select";
import { toast } from "@/components/ui/toast";
import { type Call, callOperation } from "@/lib/client/call-operation";
import { operationQuery } from "@/lib/client/operation-query";
import type { Instance } from "@/lib/client/own-instances";
import { useChangeInstance } from "./use-change-instance";
import { useRefusalText } from "./use-life-action";

type Key = Instance["ssh_keys"][number];

function detachCall(id: string, keyId: string): Call<"detachSecret"> {
  return { params: { instance_id: id }, query: { secret_id: keyId } };
}

/** Who may log in, and how that is changed. */
export function KeyPanel({ instance }: { instance: Instance }) {
  const t = useTranslations("instances.keys");
  const [asked, setAsked] = useState<Key | null>(null);
  const { detach, attach } = useKeys(instance);
  const canDetach = instance.actions.includes("detach_secret");
  return (
    <Card title={t("title")}>
      <p className="mb-3 text-sm text-subtle">{t("text")}</p>
      {instance.ssh_keys.length === 0 ? (
        <p className="text-sm font-medium">{t("none")}</p>
      ) : (
        <ul className="divide-y rounded-md border">
          {instance.ssh_keys.map((key) => (
            <li key={key.id} className="flex items-center gap-2 py-1 pr-1 pl-3 text-sm">
              <KeyRound className="size-4 shrink-0 text-subtle" aria-hidden="true" />
              <span className="min-w-0 grow truncate py-1">{key.name}</span>
              {canDetach && (
                <Button
                  variant="ghost"
                  size="iconSm"
                  aria-label={t("detach", { name: key.name })}
                  onClick={() => setAsked(key)}
                >
                  <X aria-hidden="true" />
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
      {instance.actions.includes("attach_secret") && (
        <Attach instance={instance} onAttach={(key) => attach.mutate(key)} busy={attach.isPending} />
      )}
      {asked && (
        <ConfirmDialog
          open
          onOpenChange={(open) => open || setAsked(null)}
          title={t("detachTitle", { name: asked.name })}
          confirmLabel={t("detachConfirm")}
          danger
          onConfirm={() => {
            setAsked(null);
            detach.mutate(asked);
          }}
        >
          <p>{t("detachText")}</p>
          {instance.ssh_keys.length === 1 && <p className="font-medium">{t("detachLast")}</p>}
          <CurlButton name="detachSecret" call={detachCall(instance.id, asked.id)} />
        </ConfirmDialog>
      )}
    </Card>
  );
}

function Attach({
  instance,
  onAttach,
  busy,
}: {
  instance: Instance;
  onAttach: (key: Key) => void;
  busy: boolean;
}) {
  const t = useTranslations("instances.keys");
  const own = useQuery(operationQuery("listSecrets"));
  const [chosen, setChosen] = useState("");
  if (!own.data) return null;
  const attached = new Set(instance.ssh_keys.map(({ id }) => id));
  const free = own.data.data.filter(({ id }) => !attached.has(id));
  const key = free.find(({ id }) => id === chosen) ?? free[0];
  return (
    <div className="mt-4 space-y-3">
      {key ? (
        <div className="flex gap-2">
          <div className="min-w-0 grow">
            <Select
              aria-label={t("choose")}
              value={key.id}
              choices={free.map(({ id, name }) => ({ value: id, label: name }))}
              onChange={setChosen}
            />
          </div>
          <Button onClick={() => onAttach({ id: key.id, name: key.name, value: key.value })} busy={busy}>
            {t("attach")}
          </Button>
        </div>
      ) : (
        <p className="text-sm text-subtle">
          {own.data.data.length === 0 ? t("noneOwned") : t("allAttached")}
        </p>
      )}
      <div className="flex flex-wrap items-center justify-between gap-2">
        <ButtonLink href="/keys?add" variant="link" size="inline">
          {t("add")}
        </ButtonLink>
        {key && (
          <CurlButton
            name="attachSecret"
            call={{ params: { instance_id: instance.id }, body: { secret_id: key.id } }}
          />
        )}
      </div>
    </div>
  );
}

/** Both show at once, and are taken back where the server refuses. */
function useKeys({ id }: Instance) {
  const t = useTranslations("instances.keys");
  const queries = useQueryClient();
  const change = useChangeInstance();
  const explain = useRefusalText();
  const onSettled = () => queries.invalidateQueries({ queryKey: ["listInstances"] });
  const attach = useMutation({
    mutationFn: (key: Key) =>
      callOperation("attachSecret", { params: { instance_id: id }, body: { secret_id: key.id } }),
    onMutate: (key) => change(id, (now) => ({ ...now, ssh_keys: [...now.ssh_keys, key] })),
    onError: (error, _, takeBack) => {
      takeBack?.();
      toast.error(t("notAttached"), { description: explain(error) });
    },
    onSuccess: (_, { name }) => toast.success(t("attached", { name })),
    onSettled,
  });
  const detach = useMutation({
    mutationFn: (key: Key) => callOperation("detachSecret", detachCall(id, key.id)),
    onMutate: (key) =>
      change(id, (now) => ({ ...now, ssh_keys: now.ssh_keys.filter((one) => one.id !== key.id) })),
    onError: (error, _, takeBack) => {
      takeBack?.();
      toast.error(t("notDetached"), { description: explain(error) });
    },
    onSuccess: (_, { name }) => toast.success(t("detached", { name })),
    onSettled,
  });
  return { attach, detach };
}
