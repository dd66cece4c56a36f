"use client";

import { useProblemText } from "@/components/ui/states";
import { areAllOn } from "./field-issues";

/** A refusal that no field of the form shows. */
export function FormProblem({ error, fields }: { error: unknown; fields: readonly string[] }) {
  const explain = useProblemText();
  if (!error || areAllOn(error, fields)) return null;
  return (
    <p role="alert" className="text-sm text-danger">
      {explain(error)}
    </p>
  );
}
