"use client";

import { useTranslations } from "next-intl";
import { useVisitor } from "@/components/shell/visitor";
import { Checkbox } from "@/components/ui/checkbox";
import { type Scope, scopeAreas } from "@/lib/contract/words";

interface ScopePickerProps {
  value: readonly Scope[];
  onChange: (scopes: Scope[]) => void;
}

/** Scopes by area, read and write. The operator's are offered to operators alone. */
export function ScopePicker({ value, onChange }: ScopePickerProps) {
  const t = useTranslations("keys.apiKeys.scopes");
  const operator = useVisitor()?.roles.includes("operator") ?? false;
  const toggle = (scope: Scope) =>
    onChange(value.includes(scope) ? value.filter((each) => each !== scope) : [...value, scope]);
  return (
    <table className="w-full text-sm">
      <caption className="sr-only">{t("label")}</caption>
      <thead>
        <tr className="border-b text-left text-xs text-subtle">
          <th scope="col" className="py-1.5 font-medium">
            {t("area")}
          </th>
          <th scope="col" className="w-20 py-1.5 text-center font-medium">
            {t("read")}
          </th>
          <th scope="col" className="w-20 py-1.5 text-center font-medium">
            {t("write")}
          </th>
        </tr>
      </thead>
      <tbody>
        {scopeAreas
          .filter((area) => operator || area !== "operator")
          .map((area) => (
            <tr key={area} className="border-b last:border-0">
              <th scope="row" className="py-1.5 text-left font-normal">
                {t(`areas.${area}`)}
              </th>
              {(["read", "write"] as const).map((how) => (
                <td key={how} className="py-1.5 text-center">
                  <Checkbox
                    className="align-middle"
                    aria-label={t("part", { area: t(`areas.${area}`), how: t(how) })}
                    checked={value.includes(`${area}:${how}`)}
                    onCheckedChange={() => toggle(`${area}:${how}`)}
                  />
                </td>
              ))}
            </tr>
          ))}
      </tbody>
    </table>
  );
}
