import { cva, type VariantProps } from "class-variance-authority";
import { LoaderCircle } from "lucide-react";
import Link from "next/link";
import type { ComponentProps } from "react";
import { cn } from "./cn";

const button = cva(
  "inline-flex shrink-0 items-center justify-center gap-2 whitespace-nowrap rounded-md font-medium transition-colors disabled:opacity-60 aria-disabled:opacity-60 [&_svg]:size-4 [&_svg]:shrink-0",
  {
    variants: {
      variant: {
        primary: "bg-primary text-on-primary hover:bg-primary-strong",
        outline: "border border-border bg-surface hover:bg-muted",
        ghost: "hover:bg-muted",
        danger: "bg-danger text-white hover:bg-danger-strong dark:text-black",
        dangerOutline: "border border-border bg-surface text-danger hover:bg-danger-soft",
        link: "text-primary underline underline-offset-4 hover:text-primary-strong",
      },
      size: {
        md: "h-9 px-3.5 text-sm",
        sm: "h-8 px-2.5 text-sm",
        lg: "h-11 px-5",
        icon: "size-9",
        iconSm: "size-8",
        inline: "h-auto px-0 text-sm",
      },
    },
    defaultVariants: { variant: "outline", size: "md" },
  },
);

type Look = VariantProps<typeof button>;

/** `busy` shows that it works, and takes no second click. Icon sizes need an `aria-label`. */
export function Button({
  variant,
  size,
  busy = false,
  className,
  children,
  disabled,
  type = "button",
  ...rest
}: ComponentProps<"button"> & Look & { busy?: boolean }) {
  return (
    <button
      type={type}
      disabled={disabled || busy}
      aria-busy={busy || undefined}
      className={cn(button({ variant, size }), className)}
      {...rest}
    >
      {busy && <LoaderCircle className="animate-spin" aria-hidden="true" />}
      {children}
    </button>
  );
}

/** A link that looks like a button. */
export function ButtonLink({ variant, size, className, ...rest }: ComponentProps<typeof Link> & Look) {
  return <Link className={cn(button({ variant, size }), className)} {...rest} />;
}
