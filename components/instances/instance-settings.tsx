"use client";

import Link from "next/link";
import { useFormatter, useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { CodeBlock } from "@/components/ui/copy-button";
import { CurlButton } from "@/components/ui/curl-button";
import { actionCall, lifeActions } from "@/lib/client/instance-action";
import { type Instance, imageOf } from "@/lib/client/own-instances";
import { useActionText } from "./action-texts";
import { lifeIcons, useAskedAction } from "./life-actions";

/** Everything that can be done to it, with the call of each, and what runs there. */
export function InstanceSettings({ instance, onDestroyed }: { instance: Instance; onDestroyed: () => void }) {
  return (
    <div className="grid items-start gap-4 lg:grid-cols-2">
      <Actions instance={instance} onDestroyed={onDestroyed} />
      <Runs instance={instance} />
    </div>
  );
}

function Actions({ instance, onDestroyed }: { instance: Instance; onDestroyed: () => void }) {
  const t = useTranslations("instances");
  const explain = useActionText();
  const { choose, dialog } = useAskedAction(instance, onDestroyed);
  return (
    <Card title={t("settings.actions")}>
      <ul className="divide-y">
        {lifeActions.map((action) => {
          const { name, call } = actionCall(action, instance.id);
          return (
            <li key={action} className="space-y-2 py-3 first:pt-0 last:pb-0">
              <div className="flex flex-wrap items-center gap-2">
                {instance.actions.includes(action) ? (
                  <Button
                    size="sm"
                    variant={action === "destroy" ? "danger" : "outline"}
                    onClick={() => choose(action)}
                  >
                    {lifeIcons[action]}
                    {t(`actions.${action}`)}
                  </Button>
                ) : (
                  <span className="text-sm font-medium text-subtle">
                    {t(`actions.${action}`)} ({t("settings.notNow")})
                  </span>
                )}
                <div className="ml-auto">
                  <CurlButton name={name} call={call} />
                </div>
              </div>
              <p className="text-sm text-subtle">{explain(instance, action)}</p>
            </li>
          );
        })}
      </ul>
      {dialog}
    </Card>
  );
}

function Runs({ instance }: { instance: Instance }) {
  const t = useTranslations("instances.settings");
  const reserve = useTranslations("instances.reserve");
  const common = useTranslations("common");
  const format = useFormatter();
  const { actual_template: template, actual_offer: offer } = instance;
  const time = (at: string | null) =>
    at ? format.dateTime(new Date(at), { dateStyle: "medium", timeStyle: "short" }) : common("never");
  return (
    <Card title={t("runs")}>
      <dl className="space-y-3 text-sm">
        <Fact label={t("template")}>
          <Link
            href={`/templates/${encodeURIComponent(template.id)}`}
            className="text-primary underline underline-offset-4"
          >
            {template.name}
          </Link>{" "}
          ({t("version", { version: template.template_version })})
          <span className="block break-all text-subtle">{imageOf(instance)}</span>
        </Fact>
        {template.command && (
          <Fact label={t("command")}>
            <CodeBlock text={template.command} label={t("command")} />
          </Fact>
        )}
        <Fact label={t("environment")}>
          <Environment variables={template.env_variables} />
        </Fact>
        <Fact label={t("reserve")}>{reserve(instance.reserve_period)}</Fact>
        <Fact label={t("provider")}>{offer.provider.name}</Fact>
        <Fact label={t("created")}>{time(instance.created_at)}</Fact>
        <Fact label={t("firstRan")}>{time(instance.initialized_at)}</Fact>
        <Fact label={t("id")}>
          <CodeBlock text={instance.id} label={t("id")} />
        </Fact>
      </dl>
    </Card>
  );
}

function Environment({ variables }: { variables: Record<string, string> }) {
  const t = useTranslations("instances.settings");
  const lines = Object.entries(variables);
  if (lines.length === 0) return t("noEnvironment");
  return (
    <details>
      <summary className="cursor-pointer text-primary">
        {t("environmentShow", { count: lines.length })}
      </summary>
      <div className="mt-2">
        <CodeBlock
          text={lines.map(([name, value]) => `${name}=${value}`).join("\n")}
          label={t("environment")}
        />
      </div>
    </details>
  );
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <dt className="text-xs text-subtle">{label}</dt>
      <dd className="mt-0.5 break-words">{children}</dd>
    </div>
  );
}
