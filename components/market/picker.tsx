"use client";

import { ChevronDown } from "lucide-react";
import { useFormatter, useTranslations } from "next-intl";
import { useId, useState } from "react";
import { cn } from "@/components/ui/cn";
import { Popover } from "@/components/ui/popover";

export interface PickerOption {
  value: string;
  label: string;
  /** Beside the label: what tells two of one name apart. */
  detail?: string | undefined;
  count: number;
}

export interface PickerGroup {
  heading?: string;
  options: readonly PickerOption[];
}

interface PickerProps {
  label: string;
  groups: readonly PickerGroup[];
  chosen: readonly string[];
  onChange: (chosen: string[]) => void;
  /** One at most; this is then the name of none. */
  none?: string;
  /** `/` leads here. */
  isSearch?: boolean;
}

/** Chooses among values with counts; a few letters find one. */
export function Picker({ label, groups, chosen, onChange, none, isSearch }: PickerProps) {
  const t = useTranslations("market.filters");
  const options = groups.flatMap((group) => group.options);
  const nameOf = (value: string) => options.find((option) => option.value === value)?.label ?? value;
  const said =
    chosen.length === 0
      ? (none ?? t("any"))
      : chosen.length <= 2
        ? chosen.map(nameOf).join(", ")
        : t("chosen", { count: chosen.length });
  return (
    <Popover
      label={label}
      className="p-0"
      trigger={
        <button
          type="button"
          aria-label={`${label}: ${said}`}
          data-search={isSearch}
          className="flex h-9 w-full items-center justify-between gap-2 rounded-md border border-input bg-surface px-3 text-sm"
        >
          <span className={cn("truncate", chosen.length === 0 && "text-subtle")}>{said}</span>
          <ChevronDown className="size-4 shrink-0 text-subtle" aria-hidden="true" />
        </button>
      }
    >
      <Options
        label={label}
        groups={groups}
        chosen={chosen}
        onChange={onChange}
        {...(none ? { none } : {})}
      />
    </Popover>
  );
}

function Options({ label, groups, chosen, onChange, none }: PickerProps) {
  const t = useTranslations("market.filters");
  const [sought, setSought] = useState("");
  const id = useId();
  const known = new Set(groups.flatMap((group) => group.options.map(({ value }) => value)));
  const missing = chosen
    .filter((value) => !known.has(value))
    .map((value) => ({ value, label: value, count: 0 }));
  const meets = ({ label: name, value, detail = "" }: PickerOption) =>
    `${name} ${value} ${detail}`.toLowerCase().includes(sought.trim().toLowerCase());
  const shown = [{ options: missing } as PickerGroup, ...groups]
    .map((group) => ({ ...group, options: group.options.filter(meets) }))
    .filter((group) => group.options.length > 0);
  const toggle = (value: string) => {
    if (none !== undefined) return onChange([value]);
    onChange(chosen.includes(value) ? chosen.filter((other) => other !== value) : [...chosen, value]);
  };
  return (
    <>
      <div className="sticky top-0 z-10 border-b bg-raised p-2">
        <input
          type="search"
          aria-label={`${t("search")}: ${label}`}
          placeholder={t("search")}
          value={sought}
          onChange={(event) => setSought(event.target.value)}
          className="h-8 w-full rounded-md border border-input bg-surface px-2.5 text-sm placeholder:text-subtle"
        />
      </div>
      <div className="max-h-80 overflow-y-auto py-1">
        {none !== undefined && sought === "" && (
          <Option
            type="radio"
            name={id}
            option={{ value: "", label: none, count: -1 }}
            checked={chosen.length === 0}
            onChange={() => onChange([])}
          />
        )}
        {shown.map((group) => (
          <fieldset key={group.heading ?? ""}>
            {group.heading && (
              <legend className="px-3 pt-2 pb-1 text-xs font-medium text-subtle">{group.heading}</legend>
            )}
            {group.options.map((option) => (
              <Option
                key={option.value}
                type={none === undefined ? "checkbox" : "radio"}
                name={id}
                option={option}
                checked={chosen.includes(option.value)}
                onChange={() => toggle(option.value)}
              />
            ))}
          </fieldset>
        ))}
        {shown.length === 0 && <p className="px-3 py-4 text-center text-sm text-subtle">{t("noMatch")}</p>}
      </div>
    </>
  );
}

interface OptionProps {
  type: "checkbox" | "radio";
  name: string;
  option: PickerOption;
  checked: boolean;
  onChange: () => void;
}

function Option({ type, name, option, checked, onChange }: OptionProps) {
  const t = useTranslations("market.filters");
  const format = useFormatter();
  const { label, detail, count } = option;
  return (
    <label
      className={cn(
        "flex min-h-8 cursor-pointer items-center gap-2.5 px-3 py-1 text-sm hover:bg-muted",
        count === 0 && !checked && "text-subtle",
      )}
    >
      <input
        type={type}
        name={name}
        aria-label={count < 0 ? label : t("counted", { name: detail ? `${label}, ${detail}` : label, count })}
        className="size-4 shrink-0 accent-(--primary)"
        checked={checked}
        onChange={onChange}
      />
      <span className="min-w-0 grow truncate">
        {label}
        {detail && <span className="text-subtle"> {detail}</span>}
      </span>
      {count >= 0 && <span className="text-xs tabular-nums text-subtle">{format.number(count)}</span>}
    </label>
  );
}
