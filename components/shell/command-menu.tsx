"use client";

import { Dialog } from "@base-ui/react/dialog";
import { useQuery } from "@tanstack/react-query";
import { Command } from "cmdk";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { operationQuery } from "@/lib/client/operation-query";
import { operatorPlace, places } from "./places";
import { useVisitor } from "./visitor";

const actions = [
  { key: "newTemplate", href: "/templates/new" },
  { key: "addKey", href: "/keys?add" },
  { key: "joinMachine", href: "/hosts?join" },
  { key: "newApiKey", href: "/api-keys?new" },
] as const;

/** Everything that has a name, behind a few letters. */
export function CommandMenu({ onClose }: { onClose: () => void }) {
  const t = useTranslations("shell");
  const router = useRouter();
  const visitor = useVisitor();
  const signedIn = visitor !== null;
  const instances = useQuery({
    ...operationQuery("listInstances", { query: { limit: 50 } }),
    enabled: signedIn,
  });
  const gpus = useQuery({ ...operationQuery("listGpus", { query: { limit: 200 } }), enabled: signedIn });
  const go = (href: string) => () => {
    onClose();
    router.push(href);
  };
  const shown = visitor?.roles.includes("operator") ? [...places, operatorPlace] : places;
  return (
    <Dialog.Root open onOpenChange={(open) => open || onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-40 bg-black/50" />
        <Dialog.Popup className="fixed top-[12vh] left-1/2 z-50 w-[calc(100vw-2rem)] max-w-xl -translate-x-1/2 overflow-hidden rounded-xl border bg-raised shadow-2xl outline-none">
          <Dialog.Title className="sr-only">{t("command.title")}</Dialog.Title>
          <Command label={t("command.title")} loop>
            <Command.Input
              autoFocus
              placeholder={t("command.placeholder")}
              className="w-full border-b bg-transparent px-4 py-3.5 text-sm outline-none placeholder:text-subtle"
            />
            <Command.List className="max-h-[50vh] overflow-y-auto p-2">
              <Command.Empty className="px-3 py-6 text-center text-sm text-subtle">
                {t("command.empty")}
              </Command.Empty>
              <Group heading={t("command.pages")}>
                {shown.map(({ key, href }) => (
                  <Item key={href} onSelect={go(href)}>
                    {t(`nav.${key}`)}
                  </Item>
                ))}
              </Group>
              {signedIn && (
                <Group heading={t("command.actions")}>
                  {actions.map(({ key, href }) => (
                    <Item key={href} onSelect={go(href)}>
                      {t(`command.${key}`)}
                    </Item>
                  ))}
                </Group>
              )}
              {instances.data && instances.data.data.length > 0 && (
                <Group heading={t("command.instances")}>
                  {instances.data.data.map(({ id, name }) => (
                    <Item key={id} value={`${name ?? ""} ${id}`} onSelect={go(`/instances/${id}`)}>
                      {name ?? id}
                    </Item>
                  ))}
                </Group>
              )}
              {gpus.data && (
                <Group heading={t("command.gpus")}>
                  {gpus.data.data.map(({ translit_name, name }) => (
                    <Item
                      key={translit_name}
                      value={`${name} ${translit_name}`}
                      onSelect={go(`/gpus/${translit_name}`)}
                    >
                      {name}
                    </Item>
                  ))}
                </Group>
              )}
            </Command.List>
          </Command>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function Group({ heading, children }: { heading: string; children: ReactNode }) {
  return (
    <Command.Group
      heading={heading}
      className="[&_[cmdk-group-heading]]:px-3 [&_[cmdk-group-heading]]:py-1.5 [&_[cmdk-group-heading]]:text-xs [&_[cmdk-group-heading]]:text-subtle"
    >
      {children}
    </Command.Group>
  );
}

function Item({ value, onSelect, children }: { value?: string; onSelect: () => void; children: ReactNode }) {
  return (
    <Command.Item
      {...(value === undefined ? {} : { value })}
      onSelect={onSelect}
      className="cursor-default rounded-md px-3 py-2 text-sm data-[selected=true]:bg-muted"
    >
      {children}
    </Command.Item>
  );
}
