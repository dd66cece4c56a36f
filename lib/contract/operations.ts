import type { z } from "zod";
import { accountOperations } from "./account-operations";
import { billingOperations } from "./billing-operations";
import { eventOperations } from "./event-operations";
import { hostOperations } from "./host-operations";
import { instanceOperations } from "./instance-operations";
import { marketChangeOperations } from "./market-change-operations";
import { marketOperations } from "./market-operations";
import { operatorImportOperations } from "./operator-import-operations";
import { operatorMarketOperations } from "./operator-market-operations";
import { operatorOperations } from "./operator-operations";
import { ownAccountOperations } from "./own-account-operations";
import { savedSearchOperations } from "./saved-search-operations";
import { telemetryOperations } from "./telemetry-operations";
import { templateOperations } from "./template-operations";

/** All operations of the API, by name. Validation, types, the client and the document come from here. */
export const operations = {
  ...marketOperations,
  ...marketChangeOperations,
  ...savedSearchOperations,
  ...templateOperations,
  ...instanceOperations,
  ...telemetryOperations,
  ...accountOperations,
  ...hostOperations,
  ...billingOperations,
  ...eventOperations,
  ...ownAccountOperations,
  ...operatorOperations,
  ...operatorMarketOperations,
  ...operatorImportOperations,
};

export type Operations = typeof operations;
export type OperationName = keyof Operations;

type Part<Op, Key extends string> = Op extends { readonly [K in Key]: infer S extends z.ZodType }
  ? S
  : undefined;
type Parsed<S> = S extends z.ZodType ? z.output<S> : undefined;
type Sent<S> = S extends z.ZodType ? z.input<S> : undefined;

/** What a handler gets; undefined where the operation takes none. `Op` is `Operations["createInstance"]` or the like. */
export type Params<Op> = Parsed<Part<Op, "params">>;
export type Query<Op> = Parsed<Part<Op, "query">>;
export type Body<Op> = Parsed<Part<Op, "body">>;

/** A file that comes as the body; undefined where the operation takes none. `stopping`: the node is about to end. */
export type UploadOf<Op> = Op extends { readonly upload: object }
  ? { bytes: AsyncIterable<Uint8Array>; stopping: AbortSignal | undefined }
  : undefined;

/** What a client may send. */
export type QueryInput<Op> = Sent<Part<Op, "query">>;
export type BodyInput<Op> = Sent<Part<Op, "body">>;

/** The whole answer. */
export type ResponseOf<Op> = Parsed<Part<Op, "response">>;
