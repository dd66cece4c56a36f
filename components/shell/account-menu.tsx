"use client";

import { CircleUser, KeyRound, LogOut, ShieldCheck, UserRound } from "lucide-react";
import { useTranslations } from "next-intl";
import { Button } from "@/components/ui/button";
import { Menu, type MenuEntry } from "@/components/ui/menu";
import type { Visitor } from "./visitor";

export function AccountMenu({ visitor }: { visitor: Visitor }) {
  const t = useTranslations("shell");
  const operator: MenuEntry[] = visitor.roles.includes("operator")
    ? [
        {
          kind: "link",
          href: "/operator",
          label: t("nav.operator"),
          icon: <ShieldCheck aria-hidden="true" />,
        },
      ]
    : [];
  return (
    <Menu
      trigger={
        <Button variant="ghost" size="icon" aria-label={t("account.menu")}>
          <CircleUser className="!size-5" aria-hidden="true" />
        </Button>
      }
      entries={[
        { kind: "text", label: <span className="block max-w-60 truncate">{visitor.email}</span> },
        { kind: "link", href: "/account", label: t("nav.account"), icon: <UserRound aria-hidden="true" /> },
        { kind: "link", href: "/api-keys", label: t("nav.apiKeys"), icon: <KeyRound aria-hidden="true" /> },
        ...operator,
        { kind: "separator" },
        { label: t("account.signOut"), icon: <LogOut aria-hidden="true" />, onSelect: signOut },
      ]}
    />
  );
}

/** A new page load, so that nothing of the account stays in memory. */
async function signOut(): Promise<void> {
  await fetch("/auth/sign-out", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: "{}",
  });
  window.location.assign("/");
}
