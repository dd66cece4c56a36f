"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { parseAsString, useQueryState } from "nuqs";
import { type ComponentProps, useId, useState } from "react";
import { useForm } from "react-hook-form";
import { useCurrency } from "@/components/shell/currency";
import type { Template } from "@/components/templates/template";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/checkbox";
import { CurlButton } from "@/components/ui/curl-button";
import { Sheet } from "@/components/ui/dialog";
import { Field, Input } from "@/components/ui/field";
import { useMoney } from "@/components/ui/money";
import { toast } from "@/components/ui/toast";
import { ApiError } from "@/lib/client/call-operation";
import { rentCost } from "@/lib/client/rent-cost";
import { CostSummary } from "./cost-summary";
import { KeyChoice } from "./key-choice";
import { type Offer, OfferSummary } from "./offer-summary";
import { PeriodChoice } from "./period-choice";
import { RentNotice } from "./rent-notice";
import { diskOf, fieldOf, type RentValues } from "./rent-values";
import { TemplateChoice } from "./template-choice";
import { useRent } from "./use-rent";

interface RentFormProps {
  frame: Omit<ComponentProps<typeof Sheet>, "children" | "footer">;
  offer: Offer;
  templates: readonly Template[];
  firstKeys: string[];
  onSwitch: (offer: Offer) => void;
}

/** What is typed here stays, whatever is answered and whichever offer it is for in the end. */
export function RentForm({ frame, offer, templates, firstKeys, onSwitch }: RentFormProps) {
  const t = useTranslations("rent");
  const router = useRouter();
  const money = useMoney();
  const currency = useCurrency();
  const id = useId();
  const [wished] = useQueryState("template", parseAsString);
  const rent = useRent();
  const form = useForm<RentValues>({
    defaultValues: {
      templateId: (templates.find((each) => each.id === wished) ?? templates[0])?.id ?? "",
      period: "hour",
      secretIds: firstKeys,
      diskGb: null,
      name: "",
      autoRenew: false,
    },
  });
  const { errors } = form.formState;
  const values = form.watch();
  const template = templates.find((each) => each.id === values.templateId);
  const diskGb = diskOf(values.diskGb, template?.recommended_disk_space);
  const mostDisk = offer.configuration.disk.amount;
  const cost = rentCost(offer, values.period, Number.isFinite(diskGb) ? diskGb : 0);
  // What the person has seen and not refused; it changes only by their own hand.
  const [seen, setSeen] = useState({ offerId: offer.id, price: cost?.hourlyPrice });
  const isNew = seen.offerId !== offer.id;
  if (isNew) setSeen({ offerId: offer.id, price: cost?.hourlyPrice });
  const changedFrom = !isNew && seen.price !== cost?.hourlyPrice ? seen.price : undefined;

  const body = {
    offer_id: offer.id,
    template_id: values.templateId,
    reserve_period: values.period,
    ...(Number.isFinite(diskGb) ? { disk_gb: diskGb } : {}),
    secret_ids: values.secretIds,
    ...(values.name.trim() ? { name: values.name.trim() } : {}),
    auto_renew: values.period !== "hour" && values.autoRenew,
    ...(cost ? { expected_price: cost.hourlyPrice, currency } : {}),
  };

  function placeIssues(error: ApiError) {
    for (const { loc, msg } of error.issues) {
      form.setError(fieldOf[String(loc[1])] ?? "root", { message: msg });
    }
  }

  const send = form.handleSubmit(() => {
    if (!template) return form.setError("templateId", { message: t("template.needed") });
    if (!(diskGb > 0)) return form.setError("diskGb", { message: t("disk.number") });
    if (mostDisk !== null && diskGb > mostDisk)
      return form.setError("diskGb", { message: t("disk.tooMuch", { most: mostDisk }) });
    setSeen({ offerId: offer.id, price: cost?.hourlyPrice });
    rent.mutate(body, {
      onError: (error) => error instanceof ApiError && placeIssues(error),
      onSuccess: ({ data: [instance] }) => {
        toast.success(t("rented"));
        if (instance) router.push(`/instances/${instance.id}`);
      },
    });
  });

  const perHour = cost && money(cost.hourlyPrice);
  return (
    <Sheet
      {...frame}
      footer={
        <>
          {!rent.isSuccess && (
            <RentNotice
              offer={offer}
              error={rent.error}
              changedFrom={changedFrom}
              cost={cost}
              onSwitch={(other) => {
                rent.reset();
                onSwitch(other);
              }}
            />
          )}
          <CurlButton name="createInstance" call={{ body }} />
          <Button
            type="submit"
            form={id}
            variant="primary"
            busy={rent.isPending || rent.isSuccess}
            disabled={!cost || !offer.rentable}
          >
            {!cost || cost.prepaid === 0
              ? t("rent", { price: perHour ?? "" })
              : t("pay", { sum: money(cost.prepaid, "sum") })}
          </Button>
        </>
      }
    >
      <form
        id={id}
        onSubmit={(event) => {
          form.clearErrors();
          return send(event);
        }}
        noValidate
        className="space-y-6"
      >
        <OfferSummary offer={offer} />
        <TemplateChoice
          templates={templates}
          chosen={template}
          error={errors.templateId?.message}
          onChoose={(templateId) => {
            form.setValue("templateId", templateId);
            form.clearErrors();
          }}
        />
        <PeriodChoice
          prices={offer.prices}
          chosen={values.period}
          onChoose={(period) => form.setValue("period", period)}
        />
        {values.period !== "hour" && (
          // biome-ignore lint/a11y/noLabelWithoutControl: the checkbox in it is Base UI's.
          <label className="flex items-start gap-3 text-sm">
            <Checkbox
              className="mt-0.5"
              checked={values.autoRenew}
              onCheckedChange={(checked) => form.setValue("autoRenew", checked)}
            />
            {t("autoRenew")}
          </label>
        )}
        <KeyChoice
          chosen={values.secretIds}
          onChange={(secretIds) => form.setValue("secretIds", secretIds)}
          useSsh={template?.use_ssh ?? false}
        />
        <div className="grid gap-4 sm:grid-cols-2">
          <Field
            label={t("disk.label")}
            hint={mostDisk === null ? t("disk.hint") : t("disk.hintOf", { most: mostDisk })}
            error={errors.diskGb?.message}
          >
            <Input
              inputMode="decimal"
              value={values.diskGb ?? String(diskGb)}
              onValueChange={(typed) => {
                form.setValue("diskGb", typed);
                form.clearErrors("diskGb");
              }}
            />
          </Field>
          <Field label={t("name.label")} hint={t("name.hint")} error={errors.name?.message}>
            <Input {...form.register("name")} maxLength={120} autoComplete="off" />
          </Field>
        </div>
        {errors.root?.message && (
          <p role="alert" className="text-danger text-sm">
            {errors.root.message}
          </p>
        )}
        {cost && <CostSummary cost={cost} />}
      </form>
    </Sheet>
  );
}
