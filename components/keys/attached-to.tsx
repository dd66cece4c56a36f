import Link from "next/link";
import { useTranslations } from "next-intl";
import type { AnswerOf } from "@/lib/client/call-operation";

export type Secret = AnswerOf<"listSecrets">["data"][number];
export type Instance = AnswerOf<"listInstances">["data"][number];

/** The instances that let a key in, each with the way to it. */
export function AttachedTo({ instances }: { instances: Instance[] }) {
  const t = useTranslations("keys");
  return (
    <>
      {t("attachedTo", { count: instances.length })}{" "}
      {instances.map(({ id, name }, i) => (
        <span key={id}>
          {i > 0 && ", "}
          <Link href={`/instances/${id}`} className="break-all text-primary underline underline-offset-4">
            {name ?? id}
          </Link>
        </span>
      ))}
    </>
  );
}
