"use client";

import { useMutation } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { toast } from "@/components/ui/toast";
import { callAuth } from "./call-auth";
import { useAuthProblem } from "./use-auth-problem";

export function SessionsCard() {
  const t = useTranslations("account.sessions");
  const explain = useAuthProblem();
  const leave = useMutation({
    mutationFn: () => callAuth("/revoke-other-sessions"),
    onSuccess: () => toast.success(t("done")),
  });
  return (
    <Card title={t("title")}>
      <p className="text-sm">{t("text")}</p>
      {leave.error && (
        <p role="alert" className="mt-2 text-sm text-danger">
          {explain(leave.error)}
        </p>
      )}
      <Button className="mt-3" busy={leave.isPending} onClick={() => leave.mutate()}>
        {t("submit")}
      </Button>
    </Card>
  );
}
