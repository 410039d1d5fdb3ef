const count = (description: string, example: number) => ({
  description,
  schema: { type: 'integer', minimum: 0 },
  example,
});

/** Headers of answers to requests that count for the rate limit. */
export const RATE_HEADERS = {
  'X-RateLimit-Limit': count('Requests that one key may send from one address to one route within a window.', 600),
  'X-RateLimit-Remaining': count('Remaining requests in this window.', 599),
  'X-RateLimit-Reset': count('Time until the window ends, s.', 60),
};

/** Header of temporary refusals. */
export const RETRY_AFTER = count('Time after which to try again, s. A 503 may lack it.', 30);

/** Header of the answer to a repeated creation. */
export const IDEMPOTENT_REPLAYED = {
  description: 'Present if the job was created by an earlier request with this `Idempotency-Key`.',
  schema: { type: 'string', const: 'true' },
  example: 'true',
};

/** Header of every answer. */
export const REQUEST_ID = {
  description: 'Id of the request: yours if it is well formed. The log of the service has it.',
  schema: { type: 'string' },
  example: '4f0c6a0e-5ad3-4f0c-9e6b-1f5f0a0d7c11',
};
