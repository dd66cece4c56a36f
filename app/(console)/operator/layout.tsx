import { notFound } from "next/navigation";
import type { ReactNode } from "react";
import { getVisitor } from "@/app/_visitor/get-visitor";
import { PageMessages } from "@/app/_visitor/page-messages";
import { OperatorNav } from "@/components/operator/operator-nav";
import { Page } from "@/components/ui/page-header";

export default async function OperatorLayout({ children }: { children: ReactNode }) {
  // Here, before anything is sent, a 404 still has its status; whoever is signed out is sent to sign in by the page.
  const visitor = await getVisitor();
  if (visitor && !visitor.roles.includes("operator")) notFound();
  return (
    <PageMessages of={["operator"]}>
      <Page>
        <OperatorNav />
        {children}
      </Page>
    </PageMessages>
  );
}
