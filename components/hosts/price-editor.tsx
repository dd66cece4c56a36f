"use client";

import { Check, Pencil, X } from "lucide-react";
import { useTranslations } from "next-intl";
import { type FormEvent, useRef, useState } from "react";
import { useCurrency } from "@/components/shell/currency";
import { Button } from "@/components/ui/button";
import { Field, Input } from "@/components/ui/field";
import { useMoney } from "@/components/ui/money";
import { useProblemText } from "@/components/ui/states";
import { toast } from "@/components/ui/toast";
import { ApiError } from "@/lib/client/call-operation";
import type { Host } from "./host-queries";
import { readPrice, toPrice } from "./new-price";
import { PricePosition } from "./price-position";
import { useHostName } from "./use-host-name";
import { useReprice } from "./use-reprice";

/** A host's price, where it stands, and a field in its place to change it: Enter saves, Escape leaves it. */
export function PriceEditor({ host, startOpen = false }: { host: Host; startOpen?: boolean }) {
  const t = useTranslations("hosts.price");
  const money = useMoney();
  const currency = useCurrency();
  const explain = useProblemText();
  const name = useHostName()(host);
  const reprice = useReprice();
  const opener = useRef<HTMLButtonElement>(null);
  const [editing, setEditing] = useState(startOpen);
  const [wanted, setWanted] = useState(false);
  const [text, setText] = useState("");
  const [problem, setProblem] = useState<string>();
  const price = host.offer.real_price;

  const open = () => {
    setText(price === null ? "" : String(price));
    setProblem(undefined);
    setWanted(true);
    setEditing(true);
  };
  const close = () => {
    setEditing(false);
    requestAnimationFrame(() => opener.current?.focus());
  };
  const save = (event: FormEvent) => {
    event.preventDefault();
    const micro = readPrice(text);
    if (micro === null) return setProblem(t("invalid"));
    const next = toPrice(micro);
    close();
    if (next === price) return;
    reprice.mutate(
      { host, price: next },
      {
        onSuccess: () => toast.success(t("saved", { host: name, price: money(next) })),
        onError: (error) => {
          setProblem(error instanceof ApiError && error.status === 422 ? t("refused") : explain(error));
          setEditing(true);
        },
      },
    );
  };

  if (!editing) {
    const shown = price === null ? t("none") : t("perHour", { price: money(price) });
    const label =
      price === null ? t("set", { host: name }) : t("change", { host: name, price: money(price) });
    return (
      <div className="min-w-0 space-y-0.5">
        <Button
          ref={opener}
          variant={price === null ? "primary" : "ghost"}
          size="sm"
          aria-label={label}
          onClick={open}
          className={price === null ? "mb-1" : "-ml-2.5 font-semibold tabular-nums"}
        >
          {shown}
          <Pencil className="!size-3.5" aria-hidden="true" />
        </Button>
        {price !== null && host.offer.gpu_amount > 1 && (
          <span className="block text-xs text-subtle">
            {t("perGpu", { price: money(price / host.offer.gpu_amount) })}
          </span>
        )}
        <PricePosition host={host} />
      </div>
    );
  }
  const draft = readPrice(text);
  return (
    <form onSubmit={save} className="min-w-0 max-w-64 space-y-1">
      <div className="flex items-start gap-1">
        <Field
          label={t("label", { host: name, currency })}
          hideLabel
          error={problem}
          className="min-w-24 grow"
        >
          <Input
            value={text}
            onValueChange={(value: string) => {
              setText(value);
              setProblem(undefined);
            }}
            onKeyDown={(event) => {
              if (event.key !== "Escape") return;
              // React listens on the document, where a sheet around it listens too.
              event.nativeEvent.stopImmediatePropagation();
              close();
            }}
            onFocus={(event) => event.currentTarget.select()}
            autoFocus={wanted}
            inputMode="decimal"
            autoComplete="off"
            className="tabular-nums"
          />
        </Field>
        <Button type="submit" variant="primary" size="icon" aria-label={t("save")}>
          <Check aria-hidden="true" />
        </Button>
        <Button variant="ghost" size="icon" aria-label={t("cancel")} onClick={close}>
          <X aria-hidden="true" />
        </Button>
      </div>
      <PricePosition host={host} price={draft === null ? null : toPrice(draft)} />
    </form>
  );
}
