"use client";

import { useTheme } from "next-themes";
import { Toaster as Sonner } from "sonner";

/** Where `toast(…)` of sonner shows. */
export function Toaster() {
  const { theme } = useTheme();
  return (
    <Sonner
      theme={theme === "light" || theme === "dark" ? theme : "system"}
      position="bottom-right"
      toastOptions={{
        classNames: { toast: "!bg-raised !text-foreground !border-border", description: "!text-subtle" },
      }}
    />
  );
}
