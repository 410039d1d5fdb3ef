import { z } from 'zod';

/** Refusal of a NATS request. The gateway turns it into an HTTP error. */
export const requestFailureSchema = z.object({
  /** Stable name, such as `JOB_NOT_FOUND`. */
  code: z.string(),
  message: z.string(),
});
export type RequestFailure = z.infer<typeof requestFailureSchema>;

/** Codes that several services or the gateway use, with their HTTP status. */
export const FAILURE_STATUS = {
  INVALID_REQUEST: 400,
  UNAUTHORIZED: 401,
  FORBIDDEN: 403,
  COMMAND_REFUSED: 403,
  NOT_FOUND: 404,
  JOB_NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  NOT_POSSIBLE_NOW: 409,
  NO_CAPACITY: 409,
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  AMOUNT_OUT_OF_RANGE: 422,
  TOKEN_NOT_TRADABLE: 422,
  RETURN_ADDRESS_REFUSED: 422,
  RETURN_ADDRESS_IS_CONTRACT: 422,
  IDEMPOTENCY_KEY_REUSED: 422,
  TOO_MANY_REQUESTS: 429,
  TOO_MANY_OPEN_JOBS: 429,
  INTERNAL: 500,
  AGREEMENT_INVALID: 502,
  OVERLOADED: 503,
  PRICE_UNCONFIRMED: 503,
  XPUB_MISMATCH: 503,
  SERVICE_UNAVAILABLE: 503,
  SERVICE_TIMEOUT: 504,
} as const;
export type FailureCode = keyof typeof FAILURE_STATUS;
