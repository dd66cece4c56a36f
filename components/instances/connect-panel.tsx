"use client";

import { ExternalLink, Info, TriangleAlert } from "lucide-react";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { Card } from "@/components/ui/card";
import { CodeBlock } from "@/components/ui/copy-button";
import { type Instance, isSimulated, nameOf } from "@/lib/client/own-instances";
import {
  keyscanCommand,
  type SshTarget,
  scpCommand,
  sshAlias,
  sshCommand,
  sshConfig,
  vscodeLink,
  webLink,
} from "@/lib/client/ssh-config";
import { PortList } from "./port-list";

/** Where SSH answers; null where it does not, or not yet. */
function targetOf({ ssh_host, ssh_port, ssh_username }: Instance): SshTarget | null {
  if (ssh_host === null || ssh_port === null || ssh_username === null) return null;
  return { host: ssh_host, port: ssh_port, user: ssh_username };
}

/** How to reach an instance, and what is missing for that. */
export function ConnectPanel({ instance }: { instance: Instance }) {
  const t = useTranslations("instances.connect");
  const target = targetOf(instance);
  return (
    <div className="space-y-4">
      <Missing instance={instance} />
      {instance.ssh_enabled && target && <Ssh instance={instance} target={target} />}
      {instance.ui_available && <Jupyter instance={instance} />}
      <Card title={t("ports")}>
        <PortList instance={instance} />
      </Card>
    </div>
  );
}

function Missing({ instance }: { instance: Instance }) {
  const t = useTranslations("instances");
  const { status, ssh_enabled, ssh_keys } = instance;
  const notes: { key: string; text: string }[] = [];
  const add = (key: "simulated" | "paused" | "error" | "sshOff" | "noKey") =>
    notes.push({ key, text: t(`connect.missing.${key}`) });
  if (isSimulated(instance)) add("simulated");
  if (status === "pending" || status === "rebooting") {
    notes.push({
      key: "booting",
      text: t("connect.missing.booting", { phase: t(`phase.${instance.phase}`) }),
    });
  }
  if (status === "paused" || status === "error") add(status);
  if (!ssh_enabled) add("sshOff");
  if (ssh_enabled && ssh_keys.length === 0) add("noKey");
  return (
    <ul className="space-y-2 empty:hidden">
      {notes.map(({ key, text }) => {
        const isInfo = key === "booting" || key === "sshOff";
        return (
          <li
            key={key}
            className={`flex gap-2.5 rounded-lg px-3 py-2.5 text-sm [&>svg]:mt-0.5 [&>svg]:size-4 [&>svg]:shrink-0 ${isInfo ? "bg-primary-soft text-on-primary-soft" : "bg-warning-soft text-on-warning-soft"}`}
          >
            {isInfo ? <Info aria-hidden="true" /> : <TriangleAlert aria-hidden="true" />}
            {text}
          </li>
        );
      })}
    </ul>
  );
}

function Ssh({ instance, target }: { instance: Instance; target: SshTarget }) {
  const t = useTranslations("instances.connect");
  const alias = sshAlias(nameOf(instance), instance.id);
  const keys = instance.ssh_keys;
  return (
    <Card
      title={t("title")}
      actions={
        <a
          href={vscodeLink(target)}
          title={t("vscodeHint")}
          className="inline-flex items-center gap-1.5 text-sm font-medium text-primary underline underline-offset-4"
        >
          {t("vscode")}
          <ExternalLink className="size-3.5" aria-hidden="true" />
        </a>
      }
    >
      <div className="space-y-4">
        <Line label={t("command")} text={sshCommand(target)}>
          {keys.length > 0 &&
            t("keyHint", { count: keys.length, names: keys.map(({ name }) => name).join(", ") })}
        </Line>
        <Line label={t("scp")} text={scpCommand(target)} />
        <Line label={t("config")} text={sshConfig(alias, target)}>
          {t("configHint", { alias })}
        </Line>
        {instance.fingerprint ? (
          <>
            <Line label={t("fingerprint")} text={instance.fingerprint}>
              {t("fingerprintHint")}
            </Line>
            <CodeBlock text={keyscanCommand(target)} label="ssh-keyscan" />
          </>
        ) : (
          <p className="text-sm text-subtle">{t("fingerprintNone")}</p>
        )}
      </div>
    </Card>
  );
}

function Line({ label, text, children }: { label: string; text: string; children?: ReactNode }) {
  return (
    <section className="space-y-1.5" aria-label={label}>
      <h3 className="text-sm font-medium">{label}</h3>
      <CodeBlock text={text} label={label} />
      {children && <p className="break-words text-xs text-subtle">{children}</p>}
    </section>
  );
}

function Jupyter({ instance }: { instance: Instance }) {
  const t = useTranslations("instances.connect");
  const href = webLink(instance.ui_url);
  return (
    <Card title={t("jupyter")}>
      {href ? (
        <a
          href={href}
          target="_blank"
          rel="noopener noreferrer"
          className="inline-flex items-center gap-1.5 break-all text-sm font-medium text-primary underline underline-offset-4"
        >
          {t("jupyterOpen")}
          <ExternalLink className="size-3.5 shrink-0" aria-hidden="true" />
        </a>
      ) : (
        <p className="text-sm text-subtle">{t("jupyterNotYet")}</p>
      )}
    </Card>
  );
}
