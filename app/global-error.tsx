"use client";

import "./globals.css";

/** Where not even the frame of the pages could be made, nothing is known of the visitor's language. */
const words = [
  {
    lang: "en",
    title: "Berth cannot answer just now.",
    text: "Its database may be away for a moment. What runs goes on running. Try again shortly.",
    again: "Try again",
  },
  {
    lang: "ru",
    title: "Berth сейчас не может ответить.",
    text: "Возможно, база данных ненадолго недоступна. То, что запущено, продолжает работать. Повторите чуть позже.",
    again: "Повторить",
  },
];

export default function GlobalError({ error }: { error: Error & { digest?: string } }) {
  return (
    <html lang="en">
      <body className="flex min-h-dvh flex-col justify-center">
        <title>Berth</title>
        <main className="mx-auto w-full max-w-2xl space-y-10 px-6 py-20">
          {words.map(({ lang, title, text, again }) => (
            <section key={lang} lang={lang}>
              <h1 className="text-2xl font-semibold">{title}</h1>
              <p className="mt-3 text-subtle">{text}</p>
              <button
                type="button"
                onClick={() => window.location.reload()}
                className="mt-5 rounded-md bg-primary px-4 py-2 text-sm font-medium text-on-primary"
              >
                {again}
              </button>
            </section>
          ))}
          {error.digest && <p className="font-mono text-sm text-subtle">{error.digest}</p>}
        </main>
      </body>
    </html>
  );
}
