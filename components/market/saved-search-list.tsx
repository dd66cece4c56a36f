"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Trash2 } from "lucide-react";
import { useTranslations } from "next-intl";
import { useRef, useState } from "react";
import { Button } from "@/components/ui/button";
import { Field, Input } from "@/components/ui/field";
import { Problem, SkeletonRows, useProblemText } from "@/components/ui/states";
import { toast } from "@/components/ui/toast";
import { callOperation } from "@/lib/client/call-operation";
import { toState } from "@/lib/client/market-search";
import { operationQuery } from "@/lib/client/operation-query";
import type { useMarket } from "./use-market";

export function SavedSearchList({ market }: { market: ReturnType<typeof useMarket> }) {
  const t = useTranslations("market.saved");
  const queries = useQueryClient();
  const explain = useProblemText();
  const title = useRef<HTMLHeadingElement>(null);
  const saved = useQuery(operationQuery("listSavedSearches"));
  const renew = () => queries.invalidateQueries({ queryKey: ["listSavedSearches"] });
  const remove = useMutation({
    mutationFn: ({ id }: { id: string; name: string }) =>
      callOperation("deleteSavedSearch", { params: { search_id: id } }),
    onSuccess: (_, { name }) => {
      toast(t("deletedToast", { name }));
      title.current?.focus();
      return renew();
    },
    onError: (error) => toast.error(explain(error)),
  });
  return (
    <div className="space-y-3">
      <h2 ref={title} tabIndex={-1} className="text-sm font-semibold outline-none">
        {t("title")}
      </h2>
      {saved.isPending && <SkeletonRows rows={2} className="h-8" />}
      {saved.error && <Problem error={saved.error} retry={() => saved.refetch()} />}
      {saved.data?.data.length === 0 && <p className="text-sm text-subtle">{t("empty")}</p>}
      {saved.data && saved.data.data.length > 0 && (
        <ul className="max-h-64 divide-y overflow-y-auto">
          {saved.data.data.map(({ id, name, search }) => (
            <li key={id} className="flex items-center gap-1">
              <button
                type="button"
                className="min-h-9 min-w-0 grow truncate rounded px-1 text-left text-sm -outline-offset-2 hover:bg-muted"
                onClick={() => market.change(toState(search))}
              >
                {name}
              </button>
              <Button
                variant="ghost"
                size="iconSm"
                aria-label={t("delete", { name })}
                busy={remove.isPending && remove.variables.id === id}
                onClick={() => remove.mutate({ id, name })}
              >
                <Trash2 aria-hidden="true" />
              </Button>
            </li>
          ))}
        </ul>
      )}
      <SaveSearch market={market} onSaved={renew} />
    </div>
  );
}

function SaveSearch({
  market,
  onSaved,
}: {
  market: ReturnType<typeof useMarket>;
  onSaved: () => Promise<void>;
}) {
  const t = useTranslations("market.saved");
  const explain = useProblemText();
  const [name, setName] = useState("");
  const save = useMutation({
    mutationFn: (wanted: string) =>
      callOperation("createSavedSearch", { body: { name: wanted, search: market.search } }),
    onSuccess: (_, wanted) => {
      setName("");
      toast(t("savedToast", { name: wanted }));
      return onSaved();
    },
  });
  return (
    <form
      className="flex items-end gap-2 border-t pt-3"
      onSubmit={(event) => {
        event.preventDefault();
        if (name.trim() !== "" && !save.isPending) save.mutate(name.trim());
      }}
    >
      <Field label={t("name")} className="grow" error={save.error ? explain(save.error) : undefined}>
        <Input value={name} onValueChange={setName} maxLength={100} autoComplete="off" />
      </Field>
      <Button type="submit" variant="primary" busy={save.isPending} disabled={name.trim() === ""}>
        {t("save")}
      </Button>
    </form>
  );
}
