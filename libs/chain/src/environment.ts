import { getAddress, isAddress } from 'viem';
import { z } from 'zod';
import { requestLimitsEnvironment } from './endpoints/request-limits.ts';

/** Environment of every service that reads the chain: spread it into the service's own schema. */
export const chainEnvironment = {
  CHAIN_ID: z.coerce.number().int().positive(),
  /** Comma list, asked in this order. May hold credentials: never logged. */
  CHAIN_RPC_URLS: z
    .string()
    .transform((list) => list.split(',').flatMap((url) => url.trim() || []))
    .pipe(z.array(z.url({ protocol: /^https?$/ })).min(1)),
  ...requestLimitsEnvironment,
  /**
   * Blocks on top of a fact's own before it counts. HotStuff does not reorganise once committed, so one is plenty; with one, a payment needs
   * none where two endpoints have its block (docs/adr/0036).
   */
  CHAIN_CONFIRMATIONS: z.coerce.number().int().min(0).default(1),
  /** JSON file of exchanges; required on networks that have none built in. */
  CHAIN_EXCHANGES_FILE: z.string().min(1).optional(),
};

/** Environment of the services that look at HyperCore, the other layer; spread it into the service's own schema. */
export const hyperCoreEnvironment = {
  /** Where HyperCore's API is (`/info`, `/exchange`); without it nothing looks there. Source: hyperevm § 1.1. */
  HYPERCORE_API_URL: z.url({ protocol: /^https?$/ }).optional(),
};

/** Environment of the services that act on what an endpoint says of money; spread it into the service's own schema. */
export const trustEnvironment = {
  /**
   * Whether the word of one host of `CHAIN_RPC_URLS` counts where no second one answers: it then names the payer of a job (and can name
   * itself), and sets the price of a plan. Without it such a payment has no payer and waits for an operator, nothing goes to a payer that
   * one host shows, and no plan is made. Source: docs/adr/0054, docs/adr/0075, docs/adr/0097.
   */
  CHAIN_TRUST_SINGLE_ENDPOINT: z.stringbool().default(false),
};

/** Where the fee goes; spread it into the schema of a service that has to know. */
export const treasuryEnvironment = {
  TREASURY_ADDRESS: z
    .string()
    .refine((text) => isAddress(text, { strict: false }), 'is not an address')
    .transform((text) => getAddress(text.toLowerCase())),
};

/** The parsed form of {@link chainEnvironment}. */
export type ChainEnvironment = z.infer<z.ZodObject<typeof chainEnvironment>>;
