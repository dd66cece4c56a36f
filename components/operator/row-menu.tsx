"use client";

import { Ellipsis } from "lucide-react";
import { Button } from "@/components/ui/button";
import { Menu, type MenuEntry } from "@/components/ui/menu";

/** What else can be done with a row. */
export function RowMenu({ label, entries }: { label: string; entries: readonly MenuEntry[] }) {
  return (
    <Menu
      trigger={
        <Button variant="ghost" size="iconSm" aria-label={label}>
          <Ellipsis aria-hidden="true" />
        </Button>
      }
      entries={entries}
    />
  );
}
