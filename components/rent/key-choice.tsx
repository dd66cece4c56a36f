"use client";

import { useQuery } from "@tanstack/react-query";
import { TriangleAlert } from "lucide-react";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/checkbox";
import { Problem, Skeleton } from "@/components/ui/states";
import { operationQuery } from "@/lib/client/operation-query";
import { NewKey } from "./new-key";

interface KeyChoiceProps {
  chosen: readonly string[];
  onChange: (ids: string[]) => void;
  /** The template lets in by SSH. */
  useSsh: boolean;
}

/** One's keys, those that are put into the instance checked, and a way to add one. */
export function KeyChoice({ chosen, onChange, useSsh }: KeyChoiceProps) {
  const t = useTranslations("rent.keys");
  const [adds, setAdds] = useState(false);
  const keys = useQuery(operationQuery("listSecrets"));
  const toggle = (id: string, checked: boolean) =>
    onChange(checked ? [...chosen, id] : chosen.filter((each) => each !== id));
  return (
    <fieldset className="space-y-2">
      <legend className="mb-2 font-semibold">{t("title")}</legend>
      {keys.isPending && <Skeleton className="h-9" />}
      {keys.error && <Problem error={keys.error} retry={() => keys.refetch()} />}
      {keys.data?.data.map((key) => (
        // biome-ignore lint/a11y/noLabelWithoutControl: the checkbox in it is Base UI's.
        <label key={key.id} className="flex items-start gap-3 rounded-md border px-3 py-2 text-sm">
          <Checkbox
            className="mt-0.5"
            checked={chosen.includes(key.id)}
            onCheckedChange={(checked) => toggle(key.id, checked)}
          />
          <span className="min-w-0">
            <span className="block break-words font-medium">{key.name}</span>
            <span className="block truncate font-mono text-xs text-subtle">{key.fingerprint}</span>
          </span>
        </label>
      ))}
      {keys.data?.data.length === 0 && !adds && <p className="text-sm text-subtle">{t("none")}</p>}
      {useSsh && chosen.length === 0 && !keys.isPending && (
        <p
          role="status"
          className="flex gap-2 rounded-md bg-warning-soft px-3 py-2 text-on-warning-soft text-sm"
        >
          <TriangleAlert className="mt-0.5 size-4 shrink-0" aria-hidden="true" />
          {t("noKeyWarning")}
        </p>
      )}
      {adds ? (
        <NewKey
          onAdded={(id) => {
            onChange([...chosen, id]);
            setAdds(false);
          }}
          onCancel={() => setAdds(false)}
        />
      ) : (
        <Button size="sm" onClick={() => setAdds(true)}>
          {t("add")}
        </Button>
      )}
    </fieldset>
  );
}
