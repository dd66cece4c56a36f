"use client";

import { useTranslations } from "next-intl";
import { type ReactNode, useId, useState } from "react";
import { Button } from "./button";
import { Dialog } from "./dialog";
import { Field, Input } from "./field";

interface ConfirmDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: ReactNode;
  /** What will happen, and what is lost. */
  children?: ReactNode;
  /** Says what it does: "Destroy", not "OK". */
  confirmLabel: ReactNode;
  onConfirm: () => void;
  busy?: boolean;
  danger?: boolean;
  /** The name to type before it can be confirmed. */
  typed?: string;
  /** What went wrong, from an earlier try. */
  problem?: ReactNode;
}

/** Asks before something that cannot be undone. */
export function ConfirmDialog({ open, onOpenChange, ...rest }: ConfirmDialogProps) {
  return open ? <Open onOpenChange={onOpenChange} {...rest} /> : null;
}

function Open({
  onOpenChange,
  title,
  children,
  confirmLabel,
  onConfirm,
  busy = false,
  danger = false,
  typed,
  problem,
}: Omit<ConfirmDialogProps, "open">) {
  const t = useTranslations("common");
  const [given, setGiven] = useState("");
  const form = useId();
  const ready = typed === undefined || given.trim() === typed;
  return (
    <Dialog
      open
      onOpenChange={onOpenChange}
      title={title}
      footer={
        <>
          <Button onClick={() => onOpenChange(false)}>{t("actions.cancel")}</Button>
          <Button
            type="submit"
            form={form}
            variant={danger ? "danger" : "primary"}
            busy={busy}
            disabled={!ready}
          >
            {confirmLabel}
          </Button>
        </>
      }
    >
      <form
        id={form}
        className="space-y-4 text-sm"
        onSubmit={(event) => {
          event.preventDefault();
          if (ready && !busy) onConfirm();
        }}
      >
        {children}
        {typed !== undefined && (
          <Field label={t("confirm.typeToConfirm", { name: typed })}>
            <Input value={given} onValueChange={setGiven} autoComplete="off" spellCheck={false} />
          </Field>
        )}
        {problem && (
          <p role="alert" className="text-danger">
            {problem}
          </p>
        )}
      </form>
    </Dialog>
  );
}
