"use client";

import { createContext, useContext } from "react";

/** The person who is signed in. */
export interface Visitor {
  id: string;
  name: string;
  email: string;
  roles: readonly string[];
}

export const VisitorContext = createContext<Visitor | null>(null);

/** Null where nobody is signed in. */
export function useVisitor(): Visitor | null {
  return useContext(VisitorContext);
}
