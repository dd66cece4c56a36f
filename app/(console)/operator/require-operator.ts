import { notFound } from "next/navigation";
import { requireVisitor } from "@/app/_visitor/get-visitor";

/** Sends people to sign in and come back to `path`; for those who are no operators there is nothing here. */
export async function requireOperator(path: string): Promise<void> {
  const { roles } = await requireVisitor(path);
  if (!roles.includes("operator")) notFound();
}
