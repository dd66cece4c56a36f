"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { FileUp } from "lucide-react";
import { useFormatter, useTranslations } from "next-intl";
import { type ReactNode, useRef, useState } from "react";
import { Controller, useForm } from "react-hook-form";
import { Button } from "@/components/ui/button";
import { cn } from "@/components/ui/cn";
import { CurlButton } from "@/components/ui/curl-button";
import { Field, Input } from "@/components/ui/field";
import { Select } from "@/components/ui/select";
import { toast } from "@/components/ui/toast";
import { catalogueFormats, importRuntimes } from "@/lib/contract/words";
import { issueOf } from "./field-issues";
import { FormProblem } from "./form-problem";
import { Progress } from "./progress";
import { sendImport } from "./send-import";

interface Asked {
  name: string;
  source: string;
  format: (typeof catalogueFormats)[number] | "auto";
  runtime: (typeof importRuntimes)[number];
}

const shown = ["name", "source", "format", "runtime"];

/** Takes a catalogue file by hand or dropped, and sends it. */
export function ImportForm({ onStarted }: { onStarted: () => void }) {
  const t = useTranslations("operator.imports");
  const format = useFormatter();
  const queries = useQueryClient();
  const [file, setFile] = useState<File | null>(null);
  const [sent, setSent] = useState(0);
  const form = useForm<Asked>({ defaultValues: { name: "", source: "", format: "auto", runtime: "none" } });
  const asked = form.watch();
  const start = useMutation({
    mutationFn: ({ given, file }: { given: Asked; file: File }) => {
      setSent(0);
      return sendImport({ query: toQuery(given), file }, setSent);
    },
    onSuccess: ({ data }) => {
      toast.success(t("done", { name: data.name }));
      setFile(null);
      form.reset();
      onStarted();
      return queries.invalidateQueries({ queryKey: ["listImports"] });
    },
  });
  const choose = (chosen: File) => {
    setFile(chosen);
    form.setValue("name", chosen.name);
    start.reset();
  };
  if (!file) return <FileDrop onFile={choose} />;
  return (
    <form
      className="space-y-4 rounded-xl border bg-surface p-4"
      onSubmit={form.handleSubmit((given) => start.mutate({ given, file }))}
    >
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <FileUp className="size-5 shrink-0 text-subtle" aria-hidden="true" />
        <span className="min-w-0 break-all font-medium">{file.name}</span>
        <span className="text-sm text-subtle">
          {format.number(file.size / 1e6, { style: "unit", unit: "megabyte", maximumFractionDigits: 2 })}
        </span>
        <Button variant="link" size="inline" disabled={start.isPending} onClick={() => setFile(null)}>
          {t("other")}
        </Button>
      </p>
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <Field label={t("name")} hint={t("nameHint")} error={issueOf(start.error, "name")}>
          <Input required maxLength={200} autoComplete="off" {...form.register("name")} />
        </Field>
        <Field label={t("source")} hint={t("sourceHint")} error={issueOf(start.error, "source")}>
          <Input maxLength={200} autoComplete="off" {...form.register("source")} />
        </Field>
        <Controller
          control={form.control}
          name="format"
          render={({ field }) => (
            <Field label={t("format")} error={issueOf(start.error, "format")}>
              <Select
                value={field.value}
                onChange={field.onChange}
                choices={[
                  { value: "auto", label: t("auto") },
                  ...catalogueFormats.map((value) => ({ value, label: t(`formats.${value}`) })),
                ]}
              />
            </Field>
          )}
        />
        <Controller
          control={form.control}
          name="runtime"
          render={({ field }) => (
            <Field label={t("runtime")} error={issueOf(start.error, "runtime")}>
              <Select
                value={field.value}
                onChange={field.onChange}
                choices={importRuntimes.map((value) => ({ value, label: t(`runtimes.${value}`) }))}
              />
            </Field>
          )}
        />
      </div>
      {start.isPending && <Progress label={t("uploading")} part={sent} />}
      <FormProblem error={start.error} fields={shown} />
      <div className="flex flex-wrap gap-2">
        <Button type="submit" variant="primary" busy={start.isPending}>
          {t("start")}
        </Button>
        <CurlButton name="createImport" call={{ query: toQuery(asked), file }} />
      </div>
    </form>
  );
}

function FileDrop({ onFile }: { onFile: (file: File) => void }): ReactNode {
  const t = useTranslations("operator.imports");
  const input = useRef<HTMLInputElement>(null);
  const [over, setOver] = useState(false);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button in it does the same by keyboard.
    <div
      className={cn(
        "flex flex-wrap items-center justify-center gap-3 rounded-xl border-2 border-dashed px-6 py-10",
        over && "border-primary bg-primary-soft",
      )}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        const dropped = event.dataTransfer.files[0];
        if (dropped) onFile(dropped);
      }}
    >
      <FileUp className="size-6 text-subtle" aria-hidden="true" />
      <span className="text-subtle">{t("drop")}</span>
      <Button onClick={() => input.current?.click()}>{t("choose")}</Button>
      <input
        ref={input}
        type="file"
        aria-label={t("file")}
        className="hidden"
        onChange={(event) => {
          const chosen = event.target.files?.[0];
          if (chosen) onFile(chosen);
        }}
      />
    </div>
  );
}

function toQuery({ name, source, format, runtime }: Asked) {
  return {
    name: name.trim(),
    runtime,
    source: source.trim() || undefined,
    format: format === "auto" ? undefined : format,
  };
}
