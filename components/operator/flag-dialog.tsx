"use client";

import { useTranslations } from "next-intl";
import { useId, useState } from "react";
import { Button } from "@/components/ui/button";
import { CurlButton } from "@/components/ui/curl-button";
import { Dialog } from "@/components/ui/dialog";
import { Field, Textarea } from "@/components/ui/field";
import { issueOf } from "./field-issues";
import { FormProblem } from "./form-problem";
import type { OperatorInstance } from "./instances-page";
import { useFlag } from "./use-flag";

/** Marks an instance for other operators, with a note. */
export function FlagDialog({ instance, onClose }: { instance: OperatorInstance; onClose: () => void }) {
  const t = useTranslations("operator.instances");
  const common = useTranslations("common.actions");
  const id = useId();
  const [note, setNote] = useState(instance.flag_note ?? "");
  const flag = useFlag(instance, onClose);
  const body = { flagged: true, note: note.trim() || undefined };
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={t("flag.title", { name: instance.name ?? instance.id })}
      description={t("flag.text")}
      footer={
        <>
          <CurlButton name="flagInstance" call={{ params: { instance_id: instance.id }, body }} />
          <Button onClick={onClose}>{common("cancel")}</Button>
          <Button type="submit" form={id} variant="primary" busy={flag.isPending}>
            {t(instance.flagged_at === null ? "flag.button" : "flag.edit")}
          </Button>
        </>
      }
    >
      <form
        id={id}
        className="space-y-4"
        onSubmit={(event) => {
          event.preventDefault();
          flag.mutate(body);
        }}
      >
        <Field label={t("flag.note")} error={issueOf(flag.error, "note")}>
          <Textarea
            value={note}
            onChange={(event) => setNote(event.target.value)}
            maxLength={1000}
            rows={4}
          />
        </Field>
        <FormProblem error={flag.error} fields={["note"]} />
      </form>
    </Dialog>
  );
}
