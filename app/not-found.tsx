import type { Metadata } from "next";

export const metadata: Metadata = { title: "Not found" };

export default function NotFound() {
  return (
    <main className="mx-auto flex w-full max-w-5xl grow flex-col justify-center px-6 py-20">
      <p className="font-mono text-sm text-sky-700 dark:text-sky-400">404</p>
      <h1 className="mt-3 text-3xl font-semibold tracking-tight">There is no page at this address.</h1>
      <p className="mt-4 text-slate-600 dark:text-slate-300">
        It may have been moved, or the link may be incomplete.{" "}
        <a href="/" className="font-medium text-sky-700 underline underline-offset-4 dark:text-sky-400">
          Go to the start page
        </a>
        .
      </p>
    </main>
  );
}
