import { chainEnvironment } from '@maker/chain';
import { natsEnvironment } from '@maker/messaging';
import { mongoEnvironment } from '@maker/persistence';
import { commonEnvironment, hypeAmount, tracingEnvironment } from '@maker/service-kit';
import { getAddress, isAddress } from 'viem';
import { z } from 'zod';

/** Environment of this service. */
export const tokenValidationEnvironment = z.object({
  ...commonEnvironment,
  ...tracingEnvironment,
  ...natsEnvironment,
  ...mongoEnvironment,
  ...chainEnvironment,
  /** HYPE side that a token's deepest pool must have. */
  VALIDATION_MINIMUM_LIQUIDITY_HYPE: hypeAmount.prefault('10'),
  /** How long what was read of a token is reused. */
  VALIDATION_SNAPSHOT_SECONDS: z.coerce.number().nonnegative().default(15),
  /**
   * Whether one host of `CHAIN_RPC_URLS` sets the price of a plan where no second one answers. Otherwise no plan is made from the word of
   * one host. Source: docs/adr/0097.
   */
  VALIDATION_TRUST_SINGLE_ENDPOINT: z.stringbool().default(false),
  /** Where the fee goes: refused as a return address, since nothing comes back from it. */
  VALIDATION_TREASURY_ADDRESS: z
    .string()
    .refine((text) => isAddress(text, { strict: false }), 'is not an address')
    .transform((text) => getAddress(text.toLowerCase()))
    .optional(),
});

/** What {@link tokenValidationEnvironment} parses to; the minimum liquidity is in wei. */
export type TokenValidationConfiguration = z.infer<typeof tokenValidationEnvironment>;

/** Injection token of the configuration. */
export const CONFIGURATION = Symbol('TOKEN_VALIDATION_CONFIGURATION');
