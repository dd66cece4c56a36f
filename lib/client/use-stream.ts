"use client";

import { useEffect, useRef } from "react";

const AGAIN_MS = 3_000;

interface Stream {
  /** Under /v0; null: nothing is followed. A stream that breaks is opened again by the browser, from where it ended. */
  url: string | null;
  /** The names of the events to hear. */
  events: readonly string[];
  onEvent: (event: { name: string; data: string; id: string }) => void;
  /** It was away for a while, and what one shows may be old. */
  onReturn?: () => void;
}

/**
 * Follows a stream of the API while the page is in sight. A hidden tab lets go of its connection: a browser has six of
 * them for one server, and tabs share these.
 */
export function useStream({ url, events, onEvent, onReturn }: Stream): void {
  const latest = useRef({ onEvent, onReturn });
  latest.current = { onEvent, onReturn };
  const names = events.join(" ");
  useEffect(() => {
    if (url === null) return;
    let source: EventSource | null = null;
    let last = "";
    let wasAway = false;
    let again: ReturnType<typeof setTimeout> | undefined;
    const open = () => {
      const from =
        last === "" ? url : `${url}${url.includes("?") ? "&" : "?"}after=${encodeURIComponent(last)}`;
      const opened = new EventSource(from);
      source = opened;
      opened.addEventListener("open", () => {
        if (wasAway) latest.current.onReturn?.();
        wasAway = false;
      });
      // Any answer but a stream, such as a proxy's while the server starts again, ends it for good.
      opened.addEventListener("error", () => {
        wasAway = true;
        if (opened.readyState !== EventSource.CLOSED || source !== opened) return;
        source = null;
        clearTimeout(again);
        again = setTimeout(follow, AGAIN_MS);
      });
      for (const name of names.split(" ")) {
        source.addEventListener(name, (event: MessageEvent<string>) => {
          last = event.lastEventId;
          latest.current.onEvent({ name, data: event.data, id: event.lastEventId });
        });
      }
    };
    const close = () => {
      clearTimeout(again);
      source?.close();
      source = null;
      wasAway = true;
    };
    const follow = () => {
      if (document.hidden) return close();
      if (!source) open();
    };
    if (!document.hidden) open();
    document.addEventListener("visibilitychange", follow);
    return () => {
      document.removeEventListener("visibilitychange", follow);
      close();
    };
  }, [url, names]);
}
