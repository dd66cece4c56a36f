"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import { callOperation } from "@/lib/client/call-operation";
import { newIntent } from "@/lib/client/new-intent";

/** Sends one public key. Sent again after a failure it is stored once. */
export function useStoreKey() {
  const queries = useQueryClient();
  const intents = useRef(new Map<string, string>());
  return async (line: string, name: string): Promise<void> => {
    const body = { secret_type: "ssh" as const, value: line, name };
    const intent = JSON.stringify(body);
    const idempotencyKey = intents.current.get(intent) ?? newIntent();
    intents.current.set(intent, idempotencyKey);
    await callOperation("createSecret", { body, idempotencyKey });
    await queries.invalidateQueries({ queryKey: ["listSecrets"] });
  };
}
