"use client";

import { useMutation } from "@tanstack/react-query";
import { Download } from "lucide-react";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { CodeBlock } from "@/components/ui/copy-button";
import { Field, Input } from "@/components/ui/field";
import { useProblemText } from "@/components/ui/states";
import { type KeyPair, makeKeyPair } from "@/lib/client/openssh-key";
import { saveFile } from "@/lib/client/save-file";
import { useStoreKey } from "./use-store-key";

/** Makes a pair in this browser: the private half goes to the visitor's disk alone, the public half to the server. */
export function MakePair({ onClose }: { onClose: () => void }) {
  const t = useTranslations("keys.pair");
  const explain = useProblemText();
  const store = useStoreKey();
  const [name, setName] = useState("");
  const [pair, setPair] = useState<KeyPair | null>(null);
  const called = name.trim() || "berth";
  const file = fileNameOf(called);
  const able = typeof crypto !== "undefined" && "subtle" in crypto && crypto.subtle !== undefined;

  const make = useMutation({
    networkMode: "always",
    mutationFn: async () => {
      const made = pair ?? (await makeKeyPair(called));
      if (!pair) saveFile(file, made.privateFile);
      setPair(made);
      await store(made.publicLine, called);
    },
  });

  if (pair && make.isSuccess) {
    return (
      <div className="space-y-4 text-sm">
        <p role="status">{t("done", { file })}</p>
        <CodeBlock
          label={t("place")}
          text={`mv ~/Downloads/${file} ~/.ssh/${file}\nchmod 600 ~/.ssh/${file}`}
        />
        <p>{t("passphrase")}</p>
        <CodeBlock label={t("passphrase")} text={`ssh-keygen -p -f ~/.ssh/${file}`} />
        <p>{t("use")}</p>
        <CodeBlock label={t("use")} text={`ssh -i ~/.ssh/${file} …`} />
        <div className="flex flex-wrap justify-end gap-2">
          <Button onClick={() => saveFile(file, pair.privateFile)}>
            <Download aria-hidden="true" />
            {t("again")}
          </Button>
          <Button variant="primary" onClick={onClose}>
            {t("close")}
          </Button>
        </div>
      </div>
    );
  }
  const failure = make.error && (pair ? explain(make.error) : t("cannot"));
  return (
    <form
      className="space-y-4 text-sm"
      onSubmit={(event) => {
        event.preventDefault();
        if (able && !make.isPending) make.mutate();
      }}
    >
      <p>{t("text")}</p>
      <Field label={t("name")} hint={t("fileHint", { file })}>
        <Input
          value={name}
          onValueChange={setName}
          placeholder="berth"
          maxLength={120}
          autoComplete="off"
          disabled={pair !== null}
        />
      </Field>
      {(!able || failure) && (
        <div role="alert" className="space-y-2">
          <p className="text-danger">{able ? failure : t("cannot")}</p>
          {!pair && <CodeBlock label="ssh-keygen" text="ssh-keygen -t ed25519" />}
        </div>
      )}
      <div className="flex justify-end">
        <Button type="submit" variant="primary" busy={make.isPending} disabled={!able}>
          {pair ? t("sendAgain") : t("make")}
        </Button>
      </div>
    </form>
  );
}

/** A file's name that needs no quotes in a shell. */
function fileNameOf(name: string): string {
  const plain = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-+|-+$/g, "")
    .slice(0, 40);
  return `${plain || "berth"}_ed25519`;
}
