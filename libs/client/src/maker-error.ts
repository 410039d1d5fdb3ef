import type { ErrorCode } from './api-types.ts';

/** `UNREACHABLE`: no answer came. `UNREADABLE_ANSWER`: something other than the API answered, such as a proxy. */
export type ClientErrorCode = ErrorCode | 'UNREACHABLE' | 'UNREADABLE_ANSWER';

const TOO_MANY = 429;
const SERVER_ERRORS = 500;

/** Further details of a failed call. */
export interface MakerErrorFacts {
  /** HTTP status; absent if no answer came. */
  readonly status?: number | undefined;
  /** Id of the request in the log of the service. Quote it to the operator. */
  readonly requestId?: string | undefined;
  /** Time until the next try, ms; absent if the API names none. */
  readonly retryAfterMs?: number | undefined;
  readonly cause?: unknown;
}

/** A call failed. Decide by `code`; show `message` to people. */
export class MakerError extends Error {
  override readonly name = 'MakerError';
  /** A newer API may send a code that this version does not name. */
  readonly code: ClientErrorCode | (string & {});
  readonly status: number | undefined;
  readonly requestId: string | undefined;
  readonly retryAfterMs: number | undefined;

  constructor(code: MakerError['code'], message: string, { status, requestId, retryAfterMs, cause }: MakerErrorFacts) {
    super(message, { cause });
    this.code = code;
    this.status = status;
    this.requestId = requestId;
    this.retryAfterMs = retryAfterMs;
  }

  /** Whether the same call may succeed later. Repeat a creation with its `idempotencyKey`. */
  get isTemporary(): boolean {
    const { status } = this;
    return status === undefined || status === TOO_MANY || status >= SERVER_ERRORS;
  }
}
