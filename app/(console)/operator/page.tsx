import { redirect } from "next/navigation";
import { requireOperator } from "./require-operator";

export default async function Operator() {
  await requireOperator("/operator");
  redirect("/operator/accounts");
}
