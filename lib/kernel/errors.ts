import type { ErrorBody, ErrorCode, ValidationIssue } from "../contract/errors";

/** What a domain verb refuses; the code's status is in the contract. `extra` members go into the answer's body. */
export class DomainError extends Error {
  readonly code: ErrorCode;
  readonly extra: Partial<Pick<ErrorBody, "price" | "currency">>;

  /** @param detail what happened and what to do next, for people */
  constructor(code: ErrorCode, detail: string, extra: DomainError["extra"] = {}) {
    super(detail);
    this.name = "DomainError";
    this.code = code;
    this.extra = extra;
  }
}

/** A missing thing and another tenant's are the same error, to the byte. */
export function notFound(thing: string): DomainError {
  return new DomainError("not_found", `There is no such ${thing}. Check the id, or list what you have.`);
}

/** A 422 that a domain rule found; `loc` begins with "body", "query" or "path". */
export class ValidationError extends Error {
  readonly issues: ValidationIssue[];

  constructor(issues: ValidationIssue[]) {
    super("The request is not valid.");
    this.name = "ValidationError";
    this.issues = issues;
  }
}

/** @param msg names the reason and never repeats the value */
export function invalidField(loc: (string | number)[], msg: string, type = "value_error"): ValidationError {
  return new ValidationError([{ loc, msg, type }]);
}
