"use client";

import { NuqsAdapter } from "nuqs/adapters/next/app";
import { useLayoutEffect, useState } from "react";

/**
 * Lets nuqs hear of Back and Forward as soon as the shell is there. Its own listener (2.10.2) stands in a Suspense boundary,
 * which React hydrates when it is idle: on a slow machine after the page has been used. A Back that it misses leaves the
 * page as it was under another address. A second adapter that only the browser draws is not hydrated but there at once;
 * to listen twice does no harm.
 */
export function BackListener() {
  const [isBrowser, setBrowser] = useState(false);
  useLayoutEffect(() => setBrowser(true), []);
  return isBrowser && <NuqsAdapter>{null}</NuqsAdapter>;
}
