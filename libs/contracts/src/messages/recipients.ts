import { z } from 'zod';
import { changeReturnAddressRequestSchema, changeReturnAddressResponseSchema } from '../http/return-address.ts';
import { addressSchema, jobIdSchema, recipientSchema } from '../primitives.ts';
import { contract } from './request-contract.ts';

/** Answered by token-validation, for services that read no chain: what an address is that is to receive a token and HYPE. */
export const checkRecipient = contract(
  'chain.recipient.check',
  z.object({ address: recipientSchema, tokenAddress: addressSchema }),
  z.object({
    /** Why nothing comes back from it, in a sentence; absent where nothing is known against it. */
    problem: z.string().optional(),
    isContract: z.boolean(),
  }),
);

/** Answered by job: where tokens and change go. A wrong secret and an unknown job are refused alike, with `FORBIDDEN`. */
export const changeReturnAddress = contract(
  'job.return_address.change',
  changeReturnAddressRequestSchema.extend({ jobId: jobIdSchema }),
  changeReturnAddressResponseSchema,
);
