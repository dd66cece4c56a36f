import type { z } from "zod";
import type { operatorTemplate } from "../contract/operator";
import type { AnyTemplate } from "./list-any-templates";

export function presentAnyTemplate(row: AnyTemplate): z.output<typeof operatorTemplate> {
  return {
    id: row.id,
    name: row.name,
    image: `${row.image}:${row.imageTag}`,
    owner: row.user,
    is_private: row.isPrivate,
    published_at: row.publishedAt?.toISOString() ?? null,
    created_at: row.createdAt.toISOString(),
  };
}
