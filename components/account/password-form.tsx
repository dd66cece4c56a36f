"use client";

import { useMutation } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useForm } from "react-hook-form";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { Field, Input } from "@/components/ui/field";
import { toast } from "@/components/ui/toast";
import { AuthError, callAuth } from "./call-auth";
import { useAuthProblem } from "./use-auth-problem";

const SHORTEST = 8;

interface Passwords {
  currentPassword: string;
  newPassword: string;
  revokeOtherSessions: boolean;
}

/** Changes the password, and on demand signs out everywhere else with it. */
export function PasswordForm({ hasPassword }: { hasPassword: boolean }) {
  const t = useTranslations("account.password");
  const explain = useAuthProblem();
  const form = useForm<Passwords>({
    defaultValues: { currentPassword: "", newPassword: "", revokeOtherSessions: true },
  });
  const change = useMutation({
    mutationFn: (given: Passwords) => callAuth("/change-password", given),
    onSuccess: () => {
      form.reset();
      toast.success(t("done"));
    },
    onError: (error) => {
      const wrong = error instanceof AuthError && error.code === "INVALID_PASSWORD";
      form.setError(
        wrong ? "currentPassword" : "newPassword",
        { message: explain(error) },
        { shouldFocus: true },
      );
    },
  });
  const { errors } = form.formState;
  if (!hasPassword) {
    return (
      <Card title={t("title")}>
        <p className="text-sm">{t("linksOnly")}</p>
      </Card>
    );
  }
  return (
    <Card title={t("title")}>
      <form noValidate className="space-y-4" onSubmit={form.handleSubmit((given) => change.mutate(given))}>
        <Field label={t("current")} error={errors.currentPassword?.message}>
          <Input
            type="password"
            autoComplete="current-password"
            {...form.register("currentPassword", { validate: (value) => value !== "" || t("needed") })}
          />
        </Field>
        <Field label={t("new")} hint={t("atLeast", { count: SHORTEST })} error={errors.newPassword?.message}>
          <Input
            type="password"
            autoComplete="new-password"
            {...form.register("newPassword", {
              validate: (value) => value.length >= SHORTEST || t("atLeast", { count: SHORTEST }),
            })}
          />
        </Field>
        <label className="flex items-center gap-2 text-sm">
          <input
            type="checkbox"
            className="size-4.5 accent-primary"
            {...form.register("revokeOtherSessions")}
          />
          {t("elsewhere")}
        </label>
        <Button type="submit" variant="primary" busy={change.isPending}>
          {t("submit")}
        </Button>
      </form>
    </Card>
  );
}
