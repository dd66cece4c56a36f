import { queryOptions } from "@tanstack/react-query";
import type { OperationName } from "../contract/operations";
import { type AnswerOf, type Call, send } from "./call-operation";

/** A read of the API as a query. Its key begins with the operation's name: `invalidateQueries({ queryKey: ["listKeys"] })`. */
export function operationQuery<Name extends OperationName>(name: Name, call: Call<Name> = {}) {
  return queryOptions<AnswerOf<Name>>({
    queryKey: [name, call],
    queryFn: ({ signal }) => send(name, { ...call, signal }),
  });
}
