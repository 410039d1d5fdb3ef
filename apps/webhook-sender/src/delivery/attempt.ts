/** How an attempt ended: taken; or the reason why not. */
export const OUTCOMES = [
  'delivered',
  /** An answer other than 2xx, and none of those below. */
  'refused',
  /** 410. The specification lets a sender stop then; here only an operator does, by taking the endpoint out. */
  'gone',
  /** 3xx: never followed, since nobody has named where it leads. */
  'redirected',
  /** 429. */
  'throttled',
  'timeout',
  /** No such name, no connection, or one that broke. */
  'unreachable',
  'certificate',
  /** The name leads to an address that is not a public one. */
  'private_address',
] as const;

export type Outcome = (typeof OUTCOMES)[number];

export interface Attempt {
  readonly outcome: Outcome;
  /** Of HTTP; absent where there was no answer. */
  readonly status?: number;
  /** The beginning of the answer's body, or what broke. */
  readonly answer: string;
  readonly tookMs: number;
  /** What the receiver asked to wait (`Retry-After`), ms. */
  readonly retryAfterMs?: number;
}
