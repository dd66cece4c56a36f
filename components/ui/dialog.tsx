"use client";

import { Dialog as Base } from "@base-ui/react/dialog";
import { X } from "lucide-react";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { Button } from "./button";
import { cn } from "./cn";

interface DialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: ReactNode;
  description?: ReactNode;
  children?: ReactNode;
  /** Buttons, at the bottom, always in sight. */
  footer?: ReactNode;
  className?: string;
}

const backdrop =
  "fixed inset-0 z-40 bg-black/50 transition-opacity data-[ending-style]:opacity-0 data-[starting-style]:opacity-0";

/** Asks or shows one thing in the middle of the page. */
export function Dialog({ className, ...rest }: DialogProps) {
  return (
    <Frame
      popup={cn(
        "-translate-x-1/2 -translate-y-1/2 fixed top-1/2 left-1/2 z-50 flex max-h-[calc(100dvh-2rem)] w-[calc(100vw-2rem)] max-w-lg flex-col rounded-xl border bg-raised shadow-2xl outline-none",
        className,
      )}
      {...rest}
    />
  );
}

/** A tall panel from the right: for work that wants the page beside it. The whole screen on a phone. */
export function Sheet({ className, ...rest }: DialogProps) {
  return (
    <Frame
      popup={cn(
        "fixed inset-y-0 right-0 z-50 flex w-full max-w-xl flex-col border-l bg-raised shadow-2xl outline-none transition-transform data-[ending-style]:translate-x-full data-[starting-style]:translate-x-full",
        className,
      )}
      {...rest}
    />
  );
}

function Frame({
  open,
  onOpenChange,
  title,
  description,
  children,
  footer,
  popup,
}: DialogProps & { popup: string }) {
  const t = useTranslations("common.actions");
  return (
    <Base.Root open={open} onOpenChange={onOpenChange}>
      <Base.Portal>
        <Base.Backdrop className={backdrop} />
        <Base.Popup className={popup}>
          <div className="flex items-start justify-between gap-4 px-5 pt-4 pb-3">
            <div className="min-w-0">
              <Base.Title className="break-words text-lg font-semibold">{title}</Base.Title>
              {description && (
                <Base.Description className="mt-1 text-sm text-subtle">{description}</Base.Description>
              )}
            </div>
            <Base.Close
              render={
                <Button variant="ghost" size="iconSm" aria-label={t("close")} className="-mr-2">
                  <X aria-hidden="true" />
                </Button>
              }
            />
          </div>
          <div className="min-h-0 grow overflow-y-auto px-5 pb-5">{children}</div>
          {footer && <div className="flex flex-wrap justify-end gap-2 border-t px-5 py-3">{footer}</div>}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}
