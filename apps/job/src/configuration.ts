import { addressSchema } from '@maker/contracts';
import { natsEnvironment } from '@maker/messaging';
import { mongoEnvironment } from '@maker/persistence';
import { leastPayment, parseHype } from '@maker/rules';
import { commaList, commonEnvironment, tracingEnvironment } from '@maker/service-kit';
import { deriveAddress } from '@maker/signing/derivation';
import { z } from 'zod';

export const jobEnvironment = z.object({
  ...commonEnvironment,
  ...tracingEnvironment,
  ...mongoEnvironment,
  ...natsEnvironment,
  /** Extended public key of m/44'/60'/0'. Payment addresses are /0/i below it. Source: design § 6. */
  JOB_ACCOUNT_XPUB: z.string().refine(isAccountXpub, "is not the extended public key of m/44'/60'/0'"),
  /** File with the key that signs agreements: 0x and 64 hexadecimal digits, mode 0400. Source: docs/adr/0145. */
  JOB_AGREEMENT_KEY_FILE: z.string().min(1),
  /** Addresses of the keys that sign agreements, separated by commas: that of the file, and another one while you change the key. */
  JOB_AGREEMENT_SIGNERS: commaList.pipe(z.array(addressSchema).min(1)),
  /** The chain of the jobs, for agreements. */
  CHAIN_ID: z.coerce.number().int().positive(),
  /**
   * Least value of the wallet index counter. Set it after a recovery without this service's database, so that no
   * two jobs get the same address. Source: docs/runbooks/recovery-drill.md.
   */
  JOB_FIRST_WALLET_INDEX: z.coerce.number().int().min(0).max(2_000_000_000).default(0),
  /** Time for the payment. Source: specification § 9. */
  JOB_PAYMENT_TIMEOUT_SECONDS: z.coerce.number().int().positive().default(900),
  /** Most unpaid jobs of one client address. All clients together may have 250 times as many. */
  JOB_MOST_UNPAID_JOBS_PER_CLIENT: z.coerce.number().int().positive().default(20),
  /** Time over which a job's orders are spread, if capacity allows it. Source: design § 4a. */
  JOB_EXECUTION_WINDOW_SECONDS: z.coerce.number().int().positive().default(86_400),
  /** Time that pauses may add to the schedule. After it, a job ends without having spent its budget. */
  JOB_PAUSE_ALLOWANCE_SECONDS: z.coerce.number().int().positive().default(86_400),
  /** Share of the gas of small blocks that all jobs together may use. Source: design § 4a. */
  JOB_BLOCK_SHARE_BPS: z.coerce.number().int().min(1).max(10_000).default(1000),
  /** Requests to RPC endpoints that all jobs' orders may use. */
  JOB_ORDER_REQUESTS_PER_MINUTE: z.coerce.number().int().positive().default(40),
  /** Smallest payment in HYPE, parsed to wei; at least enough for one order. Source: specification § 3, design § 4a. */
  MINIMUM_PAYMENT_HYPE: z
    .string()
    .regex(/^-?\d+(\.\d{1,18})?$/, 'must be a decimal number of HYPE')
    .default('0.25')
    .transform((hype) => leastPayment(hype.startsWith('-') ? 0n : parseHype(hype))),
});

export type JobConfiguration = z.infer<typeof jobEnvironment>;

export const JOB_CONFIGURATION = Symbol('JOB_CONFIGURATION');

function isAccountXpub(text: string): boolean {
  try {
    deriveAddress(text, 0);
    return true;
  } catch {
    return false;
  }
}
