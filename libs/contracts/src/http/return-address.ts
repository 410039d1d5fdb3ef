import { z } from 'zod';
import { recipientSchema } from '../primitives.ts';
import { stopSecretSchema } from './stop-job.ts';

/** What a payer says of a return address beside the address. */
export const returnAddressConsentSchema = {
  /** The payer knows that the address is a contract; without it, a contract is refused once with its own code. */
  returnAddressIsContract: z.boolean().optional(),
};

/** Body of `POST /jobs/{jobId}/return-address`: until the payment arrives, by the secret of the private link. */
export const changeReturnAddressRequestSchema = z.object({
  stopSecret: stopSecretSchema,
  returnAddress: recipientSchema,
  ...returnAddressConsentSchema,
});
export type ChangeReturnAddressRequest = z.infer<typeof changeReturnAddressRequestSchema>;

/** Answer of `POST /jobs/{jobId}/return-address`. */
export const changeReturnAddressResponseSchema = z.object({
  /** Where tokens and change go now. In lower case. */
  returnAddress: z.string(),
});
export type ChangeReturnAddressResponse = z.infer<typeof changeReturnAddressResponseSchema>;
