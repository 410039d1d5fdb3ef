import { randomUUID } from 'node:crypto';
import { type createJob, type createJobRequestSchema, idempotencyKeySchema } from '@maker/contracts';
import { isUnguessableKey } from '@maker/rules';
import type { z } from 'zod';
import type { Caller } from '../access/caller.decorator.ts';
import { ApiError } from '../errors/api-error.ts';

/**
 * Converts an HTTP request to the request to the job service.
 * @throws ApiError for a malformed idempotency key or one that others can guess
 */
export function createJobCommand(
  body: z.output<typeof createJobRequestSchema>,
  idempotencyKey: string | undefined,
  { apiKeyName, isPublic, address }: Caller,
): z.input<typeof createJob.request> {
  return {
    tokenAddress: body.tokenAddress,
    paymentAmountWei: body.paymentAmount.toString(),
    apiKeyName,
    ...(!isPublic && { isServerKey: true }),
    clientAddress: address,
    ...(body.returnAddress === undefined ? {} : { returnAddress: body.returnAddress }),
    ...(body.returnAddressIsContract && { returnAddressIsContract: true }),
    ...(body.metadata && { metadata: body.metadata }),
    ...(body.stopSecretHash !== undefined && { stopSecretHash: body.stopSecretHash }),
    // Without a key, a new one binds the agreement to this request only.
    idempotencyKey: idempotencyKey === undefined ? randomUUID() : parseIdempotencyKey(idempotencyKey, isPublic),
  };
}

function parseIdempotencyKey(text: string, isPublic: boolean): string {
  if (!idempotencyKeySchema.safeParse(text).success) {
    throw new ApiError(
      'INVALID_REQUEST',
      'idempotency-key: must be 1 to 200 printable ASCII characters without spaces',
    );
  }
  // Who shares the API key would create the job of another's next order, with a stop secret that the other never has.
  if (isPublic && !isUnguessableKey(text)) {
    throw new ApiError('INVALID_REQUEST', 'idempotency-key: others can guess it; use a new UUID v4 for each job');
  }
  return text;
}
