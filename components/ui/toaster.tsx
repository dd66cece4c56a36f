"use client";

import dynamic from "next/dynamic";
import { useSyncExternalStore } from "react";
import { toasts } from "./toast";

const ToasterView = dynamic(() => import("./toaster-view").then((file) => file.ToasterView), { ssr: false });

/** Where `toast(…)` shows. */
export function Toaster() {
  const isWanted = useSyncExternalStore(
    toasts.subscribe,
    () => toasts.isWanted,
    () => false,
  );
  return isWanted ? <ToasterView /> : null;
}
