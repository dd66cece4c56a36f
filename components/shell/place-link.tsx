"use client";

import Link from "next/link";
import { type ComponentProps, useState } from "react";

/**
 * A link of the header. Its page is fetched beforehand once it is pointed at or focused, not with every page: that would be eight
 * more pages each time, and work for a slow phone just when it should answer.
 */
export function PlaceLink(props: ComponentProps<typeof Link>) {
  const [isNear, setNear] = useState(false);
  const comeNear = () => setNear(true);
  return <Link prefetch={isNear ? null : false} onPointerEnter={comeNear} onFocus={comeNear} {...props} />;
}
