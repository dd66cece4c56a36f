import { useTranslations } from "next-intl";
import { Badge } from "@/components/ui/badge";

/** As `ssh-keygen -l` names them. */
const names: Record<string, string> = {
  "ssh-ed25519": "Ed25519",
  "ssh-rsa": "RSA",
  "ecdsa-sha2-nistp256": "ECDSA",
  "ecdsa-sha2-nistp384": "ECDSA",
  "ecdsa-sha2-nistp521": "ECDSA",
  "sk-ssh-ed25519@openssh.com": "Ed25519-SK",
  "sk-ecdsa-sha2-nistp256@openssh.com": "ECDSA-SK",
};

/** The type and size of a key. */
export function KeyKind({ type, bits }: { type: string; bits: number }) {
  const t = useTranslations("keys");
  return (
    <Badge>
      {names[type] ?? type} · {t("bits", { bits })}
    </Badge>
  );
}

/** A fingerprint to compare with what `ssh-keygen -lf` says. */
export function Fingerprint({ value }: { value: string }) {
  return <code className="block min-w-0 break-all font-mono text-xs text-subtle">{value}</code>;
}
