import { z } from 'zod';
import { changeReturnAddressRequestSchema, changeReturnAddressResponseSchema } from '../http/return-address.ts';
import { addressSchema, jobIdSchema, recipientSchema } from '../primitives.ts';
import { contract } from './request-contract.ts';

/** Answered by token-validation, for services that read no chain: checks an address that will receive a token and HYPE. */
export const checkRecipient = contract(
  'chain.recipient.check',
  z.object({ address: recipientSchema, tokenAddress: addressSchema }),
  z.object({
    /** Why the address would lose the money, in a sentence; absent if no reason is known. */
    problem: z.string().optional(),
    isContract: z.boolean(),
  }),
);

/** Answered by job: sets where tokens and change go. A wrong secret and an unknown job both get `FORBIDDEN`. */
export const changeReturnAddress = contract(
  'job.return_address.change',
  changeReturnAddressRequestSchema.extend({ jobId: jobIdSchema }),
  changeReturnAddressResponseSchema,
);
