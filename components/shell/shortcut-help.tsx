"use client";

import { useTranslations } from "next-intl";
import { Dialog } from "@/components/ui/dialog";

const shortcuts = [
  { keys: ["⌘K", "Ctrl K"], name: "command" },
  { keys: ["/"], name: "search" },
  { keys: ["j"], name: "next" },
  { keys: ["k"], name: "previous" },
  { keys: ["Enter"], name: "open" },
  { keys: ["g m"], name: "goMarket" },
  { keys: ["g i"], name: "goInstances" },
  { keys: ["g t"], name: "goTemplates" },
  { keys: ["g h"], name: "goHosts" },
  { keys: ["g b"], name: "goBilling" },
  { keys: ["?"], name: "help" },
] as const;

export function ShortcutHelp({ onClose }: { onClose: () => void }) {
  const t = useTranslations("shell.shortcuts");
  return (
    <Dialog open onOpenChange={(open) => open || onClose()} title={t("title")}>
      <dl className="divide-y text-sm">
        {shortcuts.map(({ keys, name }) => (
          <div key={name} className="flex items-center justify-between gap-4 py-2">
            <dt>{t(name)}</dt>
            <dd className="flex gap-1">
              {keys.map((key) => (
                <kbd key={key} className="rounded border bg-muted px-1.5 py-0.5 font-mono text-xs">
                  {key}
                </kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
