"use client";

import { useTranslations } from "next-intl";
import { AuthError } from "./call-auth";

/** A sentence for what better-auth refused. */
export function useAuthProblem(): (error: unknown) => string {
  const t = useTranslations("account.problems");
  const common = useTranslations("common.problem");
  return (error) => {
    if (!(error instanceof AuthError)) return common("server");
    if (error.status === 0) return common("unreachable");
    if (error.status === 429) return common("tooMany");
    if (error.code === "INVALID_PASSWORD") return t("wrongPassword");
    if (error.code === "PASSWORD_TOO_SHORT") return t("tooShort");
    if (error.code === "PASSWORD_TOO_LONG") return t("tooLong");
    if (error.status === 401) return t("signedOut");
    return error.message || common("server");
  };
}
