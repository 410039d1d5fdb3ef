import { parseRecipient } from '@maker/rules';
import { z } from 'zod';

/** Length of an address with its 0x prefix. Pages of a stack without a treasury have a shorter text. */
const ADDRESS_LENGTH = 42;

/** A link of the operator's own: the product knows no address for it. */
const linkSchema = z.union([z.literal(''), z.url({ protocol: /^https?$/ })]).default('');

/** `/config.json`, read by the browser at run time. Source: specification § 3 'Client configuration'. */
export const clientConfigurationSchema = z.object({
  apiBaseUrl: z.url(),
  apiKey: z.string(),
  /** The treasury, to which the fee goes. */
  botWalletAddress: z
    .string()
    .refine(
      (text) => text.length !== ADDRESS_LENGTH || parseRecipient(text).ok,
      'cannot receive the fee: copy the address again',
    ),
  /** In HYPE. */
  minimumPayment: z.number().default(0.25),
  paymentTimeoutMinutes: z.number().positive().default(15),
  appName: z.string().default('HyperEVM Maker Bot'),
  chainId: z.number().int().default(999),
  /** Without a trailing slash; empty if the network has no explorer. */
  explorerUrl: z.string().default('https://hyperevmscan.io'),
  /** Link in the header, as `messagingUrl`; none if empty. */
  socialUrl: linkSchema,
  /** The page that checks receipts, on an origin of its own; without it no page is served. */
  verifyUrl: z.url({ protocol: /^https?$/ }).optional(),
  messagingUrl: linkSchema,
});
export type ClientConfiguration = z.infer<typeof clientConfigurationSchema>;
