import { type CreateJobRequest, type createJob, idempotencyKeySchema } from '@maker/contracts';
import type { z } from 'zod';
import type { Caller } from '../access/caller.decorator.ts';
import { ApiError } from '../errors/api-error.ts';
import { weiOf } from '../requests/payment-amount.ts';

/**
 * Converts an HTTP request to the request to the job service. HYPE as a number becomes wei here, and other services get
 * only wei.
 * @throws ApiError for an amount finer than a wei, and for a malformed idempotency key
 */
export function createJobCommand(
  body: CreateJobRequest,
  idempotencyKey: string | undefined,
  { apiKeyName, address }: Caller,
): z.input<typeof createJob.request> {
  return {
    tokenAddress: body.tokenAddress,
    paymentAmountWei: weiOf(body.paymentAmount).toString(),
    apiKeyName,
    clientAddress: address,
    ...(body.returnAddress === undefined ? {} : { returnAddress: body.returnAddress }),
    ...(body.returnAddressIsContract && { returnAddressIsContract: true }),
    ...(body.metadata && { metadata: body.metadata }),
    ...(idempotencyKey === undefined ? {} : { idempotencyKey: parseIdempotencyKey(idempotencyKey) }),
  };
}

function parseIdempotencyKey(text: string): string {
  const parsed = idempotencyKeySchema.safeParse(text);
  if (parsed.success) return parsed.data;
  throw new ApiError('INVALID_REQUEST', 'idempotency-key: must be 1 to 200 printable ASCII characters without spaces');
}
