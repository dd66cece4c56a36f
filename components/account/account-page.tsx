"use client";

import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { Page, PageHeader } from "@/components/ui/page-header";
import { Problem, SkeletonRows } from "@/components/ui/states";
import { operationQuery } from "@/lib/client/operation-query";
import { DeleteAccount } from "./delete-account";
import { PasswordForm } from "./password-form";
import { ProfileCard } from "./profile-card";
import { SessionsCard } from "./sessions-card";

/** Who one is, how one gets in, and how one leaves. */
export function AccountPage() {
  const t = useTranslations("account");
  const account = useQuery(operationQuery("getAccount"));
  return (
    <Page>
      <PageHeader title={t("title")} description={t("lead")} />
      {account.isPending ? (
        <SkeletonRows rows={3} className="h-48" />
      ) : account.error ? (
        <Problem error={account.error} retry={() => account.refetch()} />
      ) : (
        <div className="grid items-start gap-4 lg:grid-cols-2">
          <ProfileCard account={account.data.data} />
          <PasswordForm hasPassword={account.data.data.has_password} />
          <SessionsCard />
          <DeleteAccount account={account.data.data} />
        </div>
      )}
    </Page>
  );
}
