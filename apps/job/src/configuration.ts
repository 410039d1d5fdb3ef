import { natsEnvironment } from '@maker/messaging';
import { mongoEnvironment } from '@maker/persistence';
import { leastPayment, parseHype } from '@maker/rules';
import { commonEnvironment, tracingEnvironment } from '@maker/service-kit';
import { deriveAddress } from '@maker/signing/derivation';
import { z } from 'zod';

const basisPoints = z.coerce.number().int().min(1).max(10_000);

/** Environment of the job service. */
export const jobEnvironment = z.object({
  ...commonEnvironment,
  ...tracingEnvironment,
  ...mongoEnvironment,
  ...natsEnvironment,
  /** Extended public key of m/44'/60'/0'; jobs are paid to the addresses /0/i below it. Source: design § 6. */
  JOB_ACCOUNT_XPUB: z.string().refine(isAccountXpub, "is not the extended public key of m/44'/60'/0'"),
  /**
   * The wallet index counter never stands below it: set after a recovery without this service's database, so that no
   * address is given to a second job. Source: docs/runbooks/recovery-drill.md.
   */
  JOB_FIRST_WALLET_INDEX: z.coerce.number().int().min(0).max(2_000_000_000).default(0),
  /** Time a visitor has to pay. Source: specification § 9. */
  JOB_PAYMENT_TIMEOUT_SECONDS: z.coerce.number().int().positive().default(900),
  /** Jobs that wait for their payment at once: of one client address, and in all. More are refused. */
  JOB_MOST_UNPAID_JOBS_PER_CLIENT: z.coerce.number().int().positive().default(20),
  JOB_MOST_UNPAID_JOBS: z.coerce.number().int().positive().default(5000),
  /** Time over which a job's orders are spread, where capacity allows it. Source: design § 4a. */
  JOB_EXECUTION_WINDOW_SECONDS: z.coerce.number().int().positive().default(86_400),
  /** What pauses may add to the schedule before a job ends without having spent all. */
  JOB_PAUSE_ALLOWANCE_SECONDS: z.coerce.number().int().positive().default(86_400),
  /** Time for delivery and return after trading, before what cannot be sent is held. */
  JOB_ENDING_ALLOWANCE_SECONDS: z.coerce.number().int().positive().default(3600),
  /** How much less than quoted an order may receive. */
  JOB_SLIPPAGE_BPS: basisPoints.default(100),
  /** Rise of the price above the one that the visitor saw at which a job waits. Source: design § 2.4. */
  JOB_PRICE_BAND_BPS: basisPoints.default(1000),
  /** Share of the gas of small blocks that all jobs together may use. Source: design § 4a. */
  JOB_BLOCK_SHARE_BPS: basisPoints.default(1000),
  /** Requests to RPC endpoints that their plans leave to orders. */
  JOB_ORDER_REQUESTS_PER_MINUTE: z.coerce.number().int().positive().default(40),
  /** Name of the canary's API key: its jobs are not shown to visitors as the latest. Source: docs/adr/0035. */
  JOB_CANARY_API_KEY_NAME: z.string().min(1).optional(),
  /** Smallest payment in HYPE, read as wei; never less than pays for one order. Source: specification § 3, design § 4a. */
  MINIMUM_PAYMENT_HYPE: z
    .string()
    .regex(/^-?\d+(\.\d{1,18})?$/, 'must be a decimal number of HYPE')
    .default('0.25')
    .transform((hype) => leastPayment(hype.startsWith('-') ? 0n : parseHype(hype))),
});

/** What {@link jobEnvironment} parses to. */
export type JobConfiguration = z.infer<typeof jobEnvironment>;

/** Injection token of the {@link JobConfiguration}. */
export const JOB_CONFIGURATION = Symbol('JOB_CONFIGURATION');

function isAccountXpub(text: string): boolean {
  try {
    deriveAddress(text, 0);
    return true;
  } catch {
    return false;
  }
}
