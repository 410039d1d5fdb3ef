import { type ParsedAddress, parseAddress, parseRecipient } from '@maker/rules';
import { type Address, getAddress } from 'viem';
import { z } from 'zod';
import { requestLimitsEnvironment } from './endpoints/request-limits.ts';

function addressBy(parse: (text: string) => ParsedAddress) {
  return z.string().transform((text, { addIssue }): Address => {
    const parsed = parse(text);
    if (parsed.ok) return getAddress(parsed.address);
    addIssue({ code: 'custom', message: parsed.problem });
    return z.NEVER;
  });
}

/** An address in settings and files; the output has a checksum. See `parseAddress` of @maker/rules. */
export const configuredAddress = addressBy(parseAddress);

/** An address in settings that receives money; the output has a checksum. See `parseRecipient` of @maker/rules. */
export const configuredRecipient = addressBy((text) => parseRecipient(text));

/** Environment of every service that reads the chain: spread it into the service's own schema. */
export const chainEnvironment = {
  CHAIN_ID: z.coerce.number().int().positive(),
  /** Comma-separated list in the order of use. May contain credentials: never log it. */
  CHAIN_RPC_URLS: z
    .string()
    .transform((list) => list.split(',').flatMap((url) => url.trim() || []))
    .pipe(z.array(z.url({ protocol: /^https?$/ })).min(1)),
  ...requestLimitsEnvironment,
  /**
   * Confirmations before a fact counts. HotStuff does not reorganise committed blocks, so one is enough; with one, a transfer is reported
   * with its block (docs/adr/0170).
   */
  CHAIN_CONFIRMATIONS: z.coerce.number().int().min(0).default(1),
  /** JSON file of exchanges; required on networks without built-in ones. */
  CHAIN_EXCHANGES_FILE: z.string().min(1).optional(),
};

/** Environment of the services that read HyperCore, the other layer; spread it into the service's own schema. */
export const hyperCoreEnvironment = {
  /** URL of HyperCore's API (`/info`, `/exchange`); without it no service reads HyperCore. Source: hyperevm § 1.1. */
  HYPERCORE_API_URL: z.url({ protocol: /^https?$/ }).optional(),
};

/** Environment of the services that act on an endpoint's answers about money; spread it into the service's own schema. */
export const trustEnvironment = {
  /**
   * Whether the answer of one host of `CHAIN_RPC_URLS` counts where no second one answers. That host then names the payer of a job (it
   * may name itself) and sets the price of a plan. If false, such a payment has no payer and waits for an operator. The services then send
   * nothing to a payer that one host names, and make no plan. Source: docs/adr/0054, docs/adr/0075, docs/adr/0097.
   */
  CHAIN_TRUST_SINGLE_ENDPOINT: z.stringbool().default(false),
};

/** Recipient of the fee; spread it into the schema of a service that needs it. */
export const treasuryEnvironment = {
  TREASURY_ADDRESS: configuredRecipient,
};

/** The parsed form of {@link chainEnvironment}. */
export type ChainEnvironment = z.infer<z.ZodObject<typeof chainEnvironment>>;
