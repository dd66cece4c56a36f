"use client";

import { Menu as Base } from "@base-ui/react/menu";
import Link from "next/link";
import { cn } from "./cn";
import type { MenuEntry, MenuProps } from "./menu";

const item =
  "flex w-full cursor-default items-center gap-2.5 px-3 py-1.5 text-left text-sm outline-none data-[disabled]:opacity-50 data-[highlighted]:bg-muted [&_svg]:size-4";

/** A menu that is open. */
export function MenuView({ trigger, entries, align = "end" }: MenuProps) {
  return (
    <Base.Root defaultOpen>
      <Base.Trigger render={trigger} />
      <Base.Portal>
        <Base.Positioner className="z-50" sideOffset={6} align={align} collisionPadding={8}>
          <Base.Popup className="max-h-(--available-height) min-w-52 overflow-y-auto rounded-lg border bg-raised py-1.5 shadow-xl outline-none">
            {entries.map((entry, i) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: entries have no other name, and do not move.
              <Entry key={i} entry={entry} />
            ))}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

function Entry({ entry }: { entry: MenuEntry }) {
  switch (entry.kind) {
    case "separator":
      return <Base.Separator className="my-1.5 border-t" />;
    case "text":
      return <div className="px-3 py-1.5 text-sm text-subtle">{entry.label}</div>;
    case "link":
      return (
        <Base.Item render={<Link href={entry.href} />} className={item}>
          {entry.icon}
          {entry.label}
        </Base.Item>
      );
    case "choice":
      return (
        <Base.Group>
          <Base.GroupLabel className="px-3 pt-1.5 pb-0.5 text-xs text-subtle">{entry.label}</Base.GroupLabel>
          <Base.RadioGroup value={entry.value} onValueChange={(value: string) => entry.onSelect(value)}>
            {entry.choices.map((choice) => (
              <Base.RadioItem key={choice.value} value={choice.value} className={item}>
                <span className="flex w-4 justify-center">
                  <Base.RadioItemIndicator>
                    <span className="block size-2 rounded-full bg-primary" />
                  </Base.RadioItemIndicator>
                </span>
                {choice.label}
              </Base.RadioItem>
            ))}
          </Base.RadioGroup>
        </Base.Group>
      );
    default:
      return (
        <Base.Item
          onClick={entry.onSelect}
          disabled={entry.disabled ?? false}
          className={cn(item, entry.danger && "text-danger")}
        >
          {entry.icon}
          {entry.label}
        </Base.Item>
      );
  }
}
