"use client";

import { useMutation, useQuery } from "@tanstack/react-query";
import { FileKey, ShieldAlert } from "lucide-react";
import { useTranslations } from "next-intl";
import { type DragEvent, useRef, useState } from "react";
import { Button } from "@/components/ui/button";
import { cn } from "@/components/ui/cn";
import { Field, Textarea } from "@/components/ui/field";
import { useProblemText } from "@/components/ui/states";
import { toast } from "@/components/ui/toast";
import { holdsPrivateKey, type PublicKeyText, readPublicKeys } from "@/lib/client/public-key-text";
import type { Secret } from "./attached-to";
import { FoundKey } from "./found-key";
import { useStoreKey } from "./use-store-key";

const LARGEST_FILE_BYTES = 256 * 1024;
const nothing: PublicKeyText = { kind: "empty" };

/** Takes public keys from a paste or from files, shows what they are, and only then sends them. */
export function PasteKeys({ own, onClose }: { own: readonly Secret[]; onClose: () => void }) {
  const t = useTranslations("keys.add");
  const explain = useProblemText();
  const store = useStoreKey();
  const files = useRef<HTMLInputElement>(null);
  const [text, setText] = useState("");
  const [over, setOver] = useState(false);
  const [refusal, setRefusal] = useState<"private" | "large" | null>(null);
  const [names, setNames] = useState<Record<string, string>>({});
  const [sent, setSent] = useState<readonly string[]>([]);
  const [failures, setFailures] = useState<Record<string, string>>({});
  const reading = useQuery({
    queryKey: ["readPublicKeys", text],
    queryFn: () => readPublicKeys(text),
    placeholderData: (before) => before,
    networkMode: "always",
    gcTime: 0,
  });
  const found = reading.data ?? nothing;
  const keys = found.kind === "lines" ? unique(found.keys) : [];
  const left = keys.filter(({ line }) => !sent.includes(line));

  /** A private key is not kept, not even in this page. */
  function take(next: string) {
    const isPrivate = holdsPrivateKey(next);
    setRefusal(isPrivate ? "private" : null);
    setText(isPrivate ? "" : next);
  }

  async function takeFiles(chosen: Iterable<File>) {
    const all = [...chosen];
    if (all.some(({ size }) => size > LARGEST_FILE_BYTES)) return setRefusal("large");
    const texts = await Promise.all(all.map((file) => file.text()));
    take([text, ...texts].filter((part) => part.trim() !== "").join("\n"));
  }

  const send = useMutation({
    mutationFn: async () => {
      const failed: Record<string, string> = {};
      const stored: string[] = [];
      for (const { line, comment } of left) {
        try {
          await store(line, nameOf(names[line], comment, t("unnamed")));
          stored.push(line);
        } catch (error) {
          failed[line] = explain(error);
        }
      }
      return { failed, stored };
    },
    onSuccess: ({ failed, stored }) => {
      setFailures(failed);
      setSent([...sent, ...stored]);
      if (stored.length > 0) toast.success(t("done", { count: stored.length }));
      if (Object.keys(failed).length === 0) onClose();
    },
  });

  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    if (event.dataTransfer.files.length > 0) void takeFiles(event.dataTransfer.files);
    else take(event.dataTransfer.getData("text"));
  };

  return (
    <form
      className="space-y-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (left.length > 0 && !send.isPending) send.mutate();
      }}
    >
      {/* biome-ignore lint/a11y/noStaticElementInteractions: dropping is beside the button that chooses files. */}
      <div
        className={cn(
          "space-y-2 rounded-lg",
          over && "outline-2 outline-primary outline-dashed outline-offset-4",
        )}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
      >
        <Field label={t("field")} hint={t("hint")}>
          <Textarea
            value={text}
            onChange={(event) => take(event.target.value)}
            rows={4}
            spellCheck={false}
            autoComplete="off"
            placeholder="ssh-ed25519 AAAAC3Nz…"
            className="break-all font-mono text-xs"
          />
        </Field>
        <input
          ref={files}
          type="file"
          multiple
          hidden
          onChange={(event) => {
            void takeFiles(event.target.files ?? []);
            event.target.value = "";
          }}
        />
        <Button size="sm" onClick={() => files.current?.click()}>
          <FileKey aria-hidden="true" />
          {t("chooseFile")}
        </Button>
      </div>
      <div aria-live="assertive">
        {refusal && (
          <div className="flex gap-3 rounded-lg bg-danger-soft p-3 text-sm text-on-danger-soft">
            <ShieldAlert className="mt-0.5 size-5 shrink-0" aria-hidden="true" />
            <p>{t(refusal === "private" ? "privateKey" : "tooLarge")}</p>
          </div>
        )}
      </div>
      {found.kind === "lines" && found.problems.length > 0 && (
        <ul className="space-y-1 text-sm text-danger" aria-live="polite">
          {found.problems.map(({ line, problem }) => (
            <li key={line}>{t("line", { line, problem: t(`problems.${problem}`) })}</li>
          ))}
        </ul>
      )}
      {keys.length > 0 && (
        <ul className="space-y-3" aria-label={t("found", { count: keys.length })}>
          {keys.map((key) => (
            <FoundKey
              key={key.line}
              found={key}
              name={names[key.line] ?? key.comment}
              onName={(name) => setNames({ ...names, [key.line]: name })}
              sent={sent.includes(key.line)}
              failure={failures[key.line]}
              storedAs={own.find(({ fingerprint }) => fingerprint === key.fingerprint)?.name}
            />
          ))}
        </ul>
      )}
      <div className="flex justify-end">
        <Button type="submit" variant="primary" disabled={left.length === 0} busy={send.isPending}>
          {t("submit", { count: left.length })}
        </Button>
      </div>
    </form>
  );
}

function unique<K extends { line: string }>(keys: readonly K[]): K[] {
  return [...new Map(keys.map((key) => [key.line, key])).values()];
}

function nameOf(given: string | undefined, comment: string, unnamed: string): string {
  return (given ?? comment).trim().slice(0, 120) || unnamed;
}
