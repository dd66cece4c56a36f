import { type ClassValue, clsx } from "clsx";
import { twMerge } from "tailwind-merge";

/** Class names in one string; of two that set the same thing the later one holds. */
export function cn(...classes: ClassValue[]): string {
  return twMerge(clsx(classes));
}
