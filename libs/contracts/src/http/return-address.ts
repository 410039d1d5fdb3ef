import { z } from 'zod';
import { recipientSchema } from '../primitives.ts';
import { stopSecretSchema } from './stop-job.ts';

/** Consent of the payer that comes with a return address. */
export const returnAddressConsentSchema = {
  returnAddressIsContract: z
    .boolean()
    .optional()
    .describe(
      'True: the payer knows that the address is a contract. Otherwise a contract is refused with `RETURN_ADDRESS_IS_CONTRACT`.',
    ),
};

/**
 * Body of `POST /jobs/{jobId}/return-address`, with the stop secret. Allowed until the job is active, and afterwards while its
 * payer is unknown.
 */
export const changeReturnAddressRequestSchema = z.object({
  stopSecret: stopSecretSchema.describe('Secret that stops the job. Only the answer of its creation has it.'),
  returnAddress: recipientSchema,
  ...returnAddressConsentSchema,
});
export type ChangeReturnAddressRequest = z.infer<typeof changeReturnAddressRequestSchema>;

/** Answer of `POST /jobs/{jobId}/return-address`. */
export const changeReturnAddressResponseSchema = z.object({
  returnAddress: z.string().describe('Where tokens and change go now. In lower case.'),
  awaitsOperator: z
    .literal(true)
    .optional()
    .describe('Present if the payment has arrived and its payer is unknown: an operator must confirm the address.'),
});
export type ChangeReturnAddressResponse = z.infer<typeof changeReturnAddressResponseSchema>;
