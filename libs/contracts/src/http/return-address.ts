import { z } from 'zod';
import { recipientSchema } from '../primitives.ts';
import { stopSecretSchema } from './stop-job.ts';

/** What a payer says of a return address beside the address. */
export const returnAddressConsentSchema = {
  returnAddressIsContract: z
    .boolean()
    .optional()
    .describe(
      'The payer knows that the address is a contract; without it, a contract is refused once with its own code.',
    ),
};

/**
 * Body of `POST /jobs/{jobId}/return-address`, by the secret of the private link: until the payment arrives, and afterwards as
 * long as its payer is unknown.
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
    .describe('Present where the payment has arrived and its payer is unknown: an operator confirms the address.'),
});
export type ChangeReturnAddressResponse = z.infer<typeof changeReturnAddressResponseSchema>;
