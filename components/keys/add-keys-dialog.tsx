"use client";

import { useTranslations } from "next-intl";
import { Dialog } from "@/components/ui/dialog";
import { Tabs } from "@/components/ui/tabs";
import type { Secret } from "./attached-to";
import { MakePair } from "./make-pair";
import { PasteKeys } from "./paste-keys";

type Way = "paste" | "pair";

interface AddKeysDialogProps {
  way: Way;
  onWay: (way: Way) => void;
  onClose: () => void;
  /** What is stored already. */
  own: readonly Secret[];
}

export function AddKeysDialog({ way, onWay, onClose, own }: AddKeysDialogProps) {
  const t = useTranslations("keys");
  return (
    <Dialog open onOpenChange={onClose} title={t("add.title")} className="max-w-2xl">
      <Tabs<Way>
        aria-label={t("add.title")}
        value={way}
        onChange={onWay}
        tabs={[
          { value: "paste", label: t("add.paste"), content: <PasteKeys own={own} onClose={onClose} /> },
          { value: "pair", label: t("pair.tab"), content: <MakePair onClose={onClose} /> },
        ]}
      />
    </Dialog>
  );
}
