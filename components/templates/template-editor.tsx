"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { Button, ButtonLink } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { CurlButton } from "@/components/ui/curl-button";
import { Field, Input, Textarea } from "@/components/ui/field";
import { PageHeader } from "@/components/ui/page-header";
import { useProblemText } from "@/components/ui/states";
import { toast } from "@/components/ui/toast";
import { ApiError, callOperation } from "@/lib/client/call-operation";
import { newIntent } from "@/lib/client/new-intent";
import { AboutFields } from "./about-fields";
import { type EditorValues, toBody, toChange, toLaunchOf } from "./editor-values";
import { EnvironmentRows } from "./environment-rows";
import { ImageFields } from "./image-fields";
import { LaunchPreview } from "./launch-preview";
import { PortRows } from "./port-rows";
import { RegistryFields } from "./registry-fields";
import { SwitchField } from "./switch-field";
import type { Template } from "./template";
import { useLeaveGuard } from "./use-leave-guard";

interface TemplateEditorProps {
  /** The one that is changed; absent: a new one is made. */
  template?: Template | undefined;
  initial: EditorValues;
}

/** Where the API's names and the form's differ. */
const fieldNames: Record<string, keyof EditorValues> = { env: "variables" };

export function TemplateEditor({ template, initial }: TemplateEditorProps) {
  const t = useTranslations("templates.editor");
  const actions = useTranslations("common.actions");
  const router = useRouter();
  const queries = useQueryClient();
  const explain = useProblemText();
  const [intent, setIntent] = useState(newIntent);
  const form = useForm<EditorValues>({ defaultValues: initial });
  const { errors, isDirty } = form.formState;
  const values = form.watch();
  // A screen is looked at by others: the password is not on it.
  const shown = { ...values, docker_password: values.docker_password && "********" };

  const save = useMutation({
    mutationFn: () =>
      template
        ? callOperation("updateTemplate", {
            params: { template_id: template.id },
            body: toChange(values, template),
          })
        : callOperation("createTemplate", { body: toBody(values), idempotencyKey: intent }),
    onSuccess: async ({ data }) => {
      form.reset(values);
      await Promise.all(
        ["listTemplates", "getTemplate"].map((name) => queries.invalidateQueries({ queryKey: [name] })),
      );
      toast.success(template ? t("saved") : t("created"));
      router.push(`/templates/${data.id}`);
    },
    onError: (error) => {
      // What was refused made nothing, and what is sent next is another wish.
      if (error instanceof ApiError && error.status !== 0 && error.status < 500) setIntent(newIntent());
      if (error instanceof ApiError) placeIssues(error);
    },
  });
  const guard = useLeaveGuard(isDirty && !save.isSuccess);

  function placeIssues({ issues }: ApiError) {
    for (const [index, { loc, msg }] of issues.entries()) {
      const name = String(loc[1]);
      const field = fieldNames[name] ?? (name in initial ? (name as keyof EditorValues) : "root");
      form.setError(field, { message: msg }, { shouldFocus: index === 0 });
    }
  }

  /** Ports are an object on the wire, where one that is written twice would be lost without a word. */
  function findPortProblem(): string | null {
    const given = values.ports.map(({ port }) => port.trim()).filter((port) => port !== "");
    if (given.some((port) => !/^[1-9][0-9]{0,4}$/.test(port) || Number(port) > 65_535))
      return t("portNumber");
    const twice = given.find((port, index) => given.indexOf(port) !== index);
    return twice === undefined ? null : t("portTwice", { port: twice });
  }

  const submit = form.handleSubmit(() => {
    const problem = findPortProblem();
    if (problem) return form.setError("ports", { message: problem });
    save.mutate();
  });
  const problems = Object.keys(errors).length;

  return (
    <form
      noValidate
      onSubmit={(event) => {
        form.clearErrors();
        return submit(event);
      }}
    >
      <PageHeader
        title={template ? t("editTitle", { name: template.name }) : t("newTitle")}
        actions={
          <>
            {template ? (
              <CurlButton
                name="updateTemplate"
                call={{ params: { template_id: template.id }, body: toChange(shown, template) }}
              />
            ) : (
              <CurlButton name="createTemplate" call={{ body: toBody(shown) }} />
            )}
            <ButtonLink href={template ? `/templates/${template.id}` : "/templates"}>
              {actions("cancel")}
            </ButtonLink>
            <Button type="submit" variant="primary" busy={save.isPending}>
              {template ? t("save") : t("create")}
            </Button>
          </>
        }
      />
      <div aria-live="polite">
        {problems > 0 && (
          <p className="mb-4 rounded-md bg-danger-soft px-3 py-2 text-on-danger-soft text-sm">
            {errors.root?.message ?? t("problems", { count: problems })}
          </p>
        )}
        {save.error && problems === 0 && (
          <p className="mb-4 rounded-md bg-danger-soft px-3 py-2 text-on-danger-soft text-sm">
            {explain(save.error)}
          </p>
        )}
      </div>
      <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_26rem]">
        <div className="space-y-4">
          <Card title={t("sections.image")}>
            <div className="space-y-4">
              <Field label={t("name")} error={errors.name?.message}>
                <Input
                  {...form.register("name", { validate: (value) => value.trim() !== "" || t("required") })}
                  autoComplete="off"
                />
              </Field>
              <ImageFields form={form} />
            </div>
          </Card>
          <Card title={t("sections.access")}>
            <div className="grid gap-4 sm:grid-cols-2">
              <SwitchField control={form.control} name="use_ssh" label={t("useSsh")} hint={t("useSshHint")} />
              <SwitchField
                control={form.control}
                name="direct_ssh"
                label={t("directSsh")}
                hint={t("directSshHint")}
                disabled={!values.use_ssh}
              />
              <SwitchField
                control={form.control}
                name="use_jupyter"
                label={t("useJupyter")}
                hint={t("useJupyterHint")}
              />
              <SwitchField
                control={form.control}
                name="use_jupyter_lab"
                label={t("useJupyterLab")}
                hint={t("useJupyterLabHint")}
                disabled={!values.use_jupyter}
              />
              <Field
                label={t("sshUsername")}
                hint={t("sshUsernameHint")}
                error={errors.ssh_username?.message}
              >
                <Input
                  {...form.register("ssh_username")}
                  placeholder="root"
                  spellCheck={false}
                  autoComplete="off"
                />
              </Field>
              <Field
                label={t("jupyterDirectory")}
                hint={t("jupyterDirectoryHint")}
                error={errors.jupyter_directory?.message}
              >
                <Input {...form.register("jupyter_directory")} placeholder="/workspace" spellCheck={false} />
              </Field>
            </div>
          </Card>
          <Card title={t("sections.environment")}>
            <EnvironmentRows
              control={form.control}
              register={form.register}
              rows={values.variables}
              error={errors.variables?.message}
            />
          </Card>
          <Card title={t("sections.ports")}>
            <PortRows control={form.control} register={form.register} error={errors.ports?.message} />
          </Card>
          <Card title={t("sections.command")}>
            <Field
              label={t("command")}
              hint={values.use_ssh || values.use_jupyter ? t("commandShell") : t("commandWords")}
              error={errors.on_start_command?.message}
            >
              <Textarea
                {...form.register("on_start_command")}
                rows={5}
                spellCheck={false}
                autoCapitalize="off"
                className="font-mono text-xs leading-5"
              />
            </Field>
          </Card>
          <Card title={t("sections.registry")}>
            <RegistryFields form={form} isNew={!template} />
          </Card>
          <Card title={t("sections.about")}>
            <AboutFields form={form} />
          </Card>
        </div>
        <Card title={t("sections.preview")} className="lg:sticky lg:top-16">
          <LaunchPreview launch={toLaunchOf(values)} />
        </Card>
      </div>
      <ConfirmDialog
        open={guard.isAsked}
        onOpenChange={guard.stay}
        title={t("leave.title")}
        confirmLabel={t("leave.confirm")}
        onConfirm={guard.leave}
        danger
      >
        <p>{t("leave.text")}</p>
      </ConfirmDialog>
    </form>
  );
}
