"use client";

import { useRouter } from "next/navigation";
import { useEffect, useRef } from "react";

export type Shortcut = "menu" | "help";

/** After `g`. */
const goes: Record<string, string> = {
  m: "/market",
  i: "/instances",
  t: "/templates",
  h: "/hosts",
  b: "/billing",
};

const GO_MS = 1_000;

/**
 * ⌘K and `?` are given to `open`. `/` goes to what is marked `data-search`; `j` and `k` walk over what is marked
 * `data-row`, which Enter opens by itself; `g` and a letter go to a page. Nothing happens while one types.
 */
export function useShortcuts(open: (shortcut: Shortcut) => void): void {
  const router = useRouter();
  const latest = useRef(open);
  latest.current = open;
  useEffect(() => {
    let wentAt = 0;
    const press = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() === "k" && (event.metaKey || event.ctrlKey)) {
        event.preventDefault();
        return latest.current("menu");
      }
      if (event.metaKey || event.ctrlKey || event.altKey || isTyping(event.target)) return;
      const target = event.timeStamp - wentAt < GO_MS ? goes[event.key] : undefined;
      wentAt = event.key === "g" ? event.timeStamp : 0;
      if (target) return router.push(target);
      if (event.key === "?") return latest.current("help");
      if (event.key === "/" && focusOn(document.querySelector("[data-search]"))) event.preventDefault();
      if (event.key === "j") focusRow(1);
      if (event.key === "k") focusRow(-1);
    };
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  }, [router]);
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable ||
      target.closest("input, textarea, select, [role=dialog], [role=menu], [role=listbox]") !== null)
  );
}

function focusOn(element: Element | null | undefined): boolean {
  if (!(element instanceof HTMLElement)) return false;
  element.focus();
  element.scrollIntoView({ block: "nearest" });
  return true;
}

function focusRow(step: 1 | -1): void {
  const rows = [...document.querySelectorAll("[data-row]")];
  const now = rows.findIndex((row) => row.contains(document.activeElement));
  focusOn(rows[now < 0 ? 0 : Math.min(Math.max(now + step, 0), rows.length - 1)]);
}
