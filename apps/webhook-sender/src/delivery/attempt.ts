/** Outcome of an attempt: delivered, or the reason of the failure. */
export const OUTCOMES = [
  'delivered',
  /** Any other status than 2xx and those below. */
  'refused',
  /** 410. The specification lets a sender stop then. Here the attempts stop only if an operator removes the endpoint. */
  'gone',
  /** 3xx: never followed, because no operator has configured the target. */
  'redirected',
  /** 429. */
  'throttled',
  'timeout',
  /** The name does not resolve, or the connection fails or breaks. */
  'unreachable',
  'certificate',
  /** The name resolves to an address that is not public. */
  'private_address',
] as const;

export type Outcome = (typeof OUTCOMES)[number];

export interface Attempt {
  readonly outcome: Outcome;
  /** HTTP status; absent without an answer. */
  readonly status?: number;
  /** The beginning of the answer's body, or the error. */
  readonly answer: string;
  readonly tookMs: number;
  /** Pause that the receiver requested (`Retry-After`), ms. */
  readonly retryAfterMs?: number;
}
