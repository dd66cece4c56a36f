"use client";

import { usePathname } from "next/navigation";
import { useTranslations } from "next-intl";
import { ButtonLink } from "@/components/ui/button";
import { cn } from "@/components/ui/cn";
import { AccountMenu } from "./account-menu";
import { CommandButton } from "./command-button";
import { LiveUpdates } from "./live-updates";
import { Mark } from "./mark";
import { NavDrawer } from "./nav-drawer";
import { PlaceLink } from "./place-link";
import { headerKeys, places } from "./places";
import { PreferencesMenu } from "./preferences-menu";
import { useVisitor } from "./visitor";

/** The name, which leads home, the way to every page, and who one is. */
export function SiteHeader() {
  const t = useTranslations("shell");
  const visitor = useVisitor();
  const path = usePathname();
  return (
    <header className="sticky top-0 z-30 border-b bg-surface">
      <div className="flex h-14 items-center gap-2 px-3 sm:px-6">
        <NavDrawer />
        <PlaceLink href="/" className="mr-2 flex items-center gap-2 font-semibold">
          <Mark className="size-7 text-primary" />
          Berth
        </PlaceLink>
        <nav aria-label={t("nav.main")} className="hidden min-w-0 grow items-center gap-0.5 lg:flex">
          {places
            .filter(({ key }) => headerKeys.includes(key) && (visitor || key === "docs" || key === "market"))
            .map(({ key, href }) => (
              <PlaceLink
                key={key}
                href={href}
                aria-current={path.startsWith(href) ? "page" : undefined}
                className={cn(
                  "rounded-md px-3 py-1.5 text-sm text-subtle hover:bg-muted hover:text-foreground",
                  path.startsWith(href) && "bg-muted font-medium text-foreground",
                )}
              >
                {t(`nav.${key}`)}
              </PlaceLink>
            ))}
        </nav>
        <div className="ml-auto flex items-center gap-1">
          <CommandButton />
          <PreferencesMenu />
          {visitor ? (
            <>
              <LiveUpdates />
              <AccountMenu visitor={visitor} />
            </>
          ) : (
            <ButtonLink href="/sign-in" variant="primary" size="sm">
              {t("account.signIn")}
            </ButtonLink>
          )}
        </div>
      </div>
    </header>
  );
}
