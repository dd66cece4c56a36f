"use client";

import { Ban, Coins, KeyRound, LogIn, Server, Undo2 } from "lucide-react";
import { useFormatter, useTranslations } from "next-intl";
import { useState } from "react";
import { useVisitor } from "@/components/shell/visitor";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { useMoney } from "@/components/ui/money";
import { AccountLinkDialog } from "./account-link-dialog";
import type { OperatorAccount } from "./accounts-page";
import { CreditDialog } from "./credit-dialog";
import { Id, Row } from "./row";
import { RowMenu } from "./row-menu";
import { SuspendDialog } from "./suspend-dialog";

type Asked = "credit" | "suspend" | "createSignInLink" | "createResetLink";

export function AccountRow({ account }: { account: OperatorAccount }) {
  const t = useTranslations("operator.accounts");
  const format = useFormatter();
  const money = useMoney();
  const visitor = useVisitor();
  const [asked, setAsked] = useState<Asked | null>(null);
  const close = () => setAsked(null);
  const suspended = account.suspended_at !== null;
  return (
    <Row
      title={account.email}
      badges={
        <>
          {account.roles
            .filter((role) => role !== "renter")
            .map((role) => (
              <Badge key={role} tone="info">
                {t(`roles.${role}`)}
              </Badge>
            ))}
          {suspended && <Badge tone="bad">{t("suspended")}</Badge>}
        </>
      }
      sub={
        <>
          {account.name} · <Id value={account.id} />
        </>
      }
      facts={[
        { label: t("balance"), value: money(account.balance, "sum", "USD") },
        { label: t("instances"), value: format.number(account.instances_count) },
        { label: t("hosts"), value: format.number(account.hosts_count) },
        {
          label: t("since"),
          value: format.dateTime(new Date(account.created_at), { dateStyle: "medium" }),
        },
      ]}
      actions={
        <>
          <Button
            size="sm"
            aria-label={`${t("money.button")}: ${account.email}`}
            onClick={() => setAsked("credit")}
          >
            <Coins aria-hidden="true" />
            {t("money.button")}
          </Button>
          <RowMenu
            label={t("actionsOf", { email: account.email })}
            entries={[
              { kind: "link", label: t("showInstances"), icon: <Server />, href: instancesOf(account) },
              { kind: "separator" },
              { label: t("signInLink"), icon: <LogIn />, onSelect: () => setAsked("createSignInLink") },
              { label: t("resetLink"), icon: <KeyRound />, onSelect: () => setAsked("createResetLink") },
              { kind: "separator" },
              {
                label: suspended ? t("restore.button") : t("suspend.button"),
                icon: suspended ? <Undo2 /> : <Ban />,
                danger: !suspended,
                disabled: account.id === visitor?.id,
                onSelect: () => setAsked("suspend"),
              },
            ]}
          />
          {asked === "credit" && <CreditDialog account={account} onClose={close} />}
          {asked === "suspend" && <SuspendDialog account={account} onClose={close} />}
          {(asked === "createSignInLink" || asked === "createResetLink") && (
            <AccountLinkDialog account={account} operation={asked} onClose={close} />
          )}
        </>
      }
    />
  );
}

function instancesOf(account: OperatorAccount): string {
  return `/operator/instances?${new URLSearchParams({ search: account.email })}`;
}
