"use client";

import { useTheme } from "next-themes";
import { useEffect } from "react";
import { Toaster as Sonner } from "sonner";
import { toasts } from "./toast";

export function ToasterView() {
  const { theme } = useTheme();
  useEffect(toasts.markMounted, []);
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
