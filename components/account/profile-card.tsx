"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useFormatter, useTranslations } from "next-intl";
import { useState } from "react";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { CopyButton } from "@/components/ui/copy-button";
import { Field, Input } from "@/components/ui/field";
import { useProblemText } from "@/components/ui/states";
import { toast } from "@/components/ui/toast";
import { type AnswerOf, callOperation } from "@/lib/client/call-operation";

export type Account = AnswerOf<"getAccount">["data"];

/** Who one is here. The name can be changed; the e-mail address is what one signs in by. */
export function ProfileCard({ account }: { account: Account }) {
  const t = useTranslations("account.profile");
  const common = useTranslations("common.actions");
  const format = useFormatter();
  const explain = useProblemText();
  const router = useRouter();
  const queries = useQueryClient();
  const [name, setName] = useState(account.name);
  const rename = useMutation({
    mutationFn: () => callOperation("updateAccount", { body: { name } }),
    onSuccess: async ({ data }) => {
      setName(data.name);
      toast.success(t("saved"));
      await queries.invalidateQueries({ queryKey: ["getAccount"] });
      router.refresh();
    },
  });
  return (
    <Card title={t("title")}>
      <form
        className="flex items-start gap-2"
        onSubmit={(event) => {
          event.preventDefault();
          rename.mutate();
        }}
      >
        <Field label={t("name")} className="grow" error={rename.error ? explain(rename.error) : undefined}>
          <Input value={name} onValueChange={setName} maxLength={100} autoComplete="name" required />
        </Field>
        <Button
          type="submit"
          className="mt-[1.625rem]"
          busy={rename.isPending}
          disabled={name.trim() === "" || name === account.name}
        >
          {common("save")}
        </Button>
      </form>
      <dl className="mt-4 grid grid-cols-[auto_1fr] items-center gap-x-4 gap-y-2 text-sm">
        <dt className="text-subtle">{t("email")}</dt>
        <dd className="break-all">{account.email}</dd>
        <dt className="text-subtle">{t("roles")}</dt>
        <dd className="flex flex-wrap gap-1">
          {account.roles.map((role) => (
            <Badge key={role}>{t(`role.${role}`)}</Badge>
          ))}
        </dd>
        <dt className="text-subtle">{t("since")}</dt>
        <dd>{format.dateTime(new Date(account.created_at), { dateStyle: "long" })}</dd>
        <dt className="text-subtle">{t("id")}</dt>
        <dd className="flex items-center gap-1">
          <code className="break-all font-mono text-xs">{account.id}</code>
          <CopyButton text={account.id} label={t("id")} />
        </dd>
      </dl>
    </Card>
  );
}
