import { chainEnvironment, hyperCoreEnvironment, requestLimitsEnvironment } from '@maker/chain';
import { natsEnvironment } from '@maker/messaging';
import { mongoEnvironment } from '@maker/persistence';
import { commonEnvironment, tracingEnvironment } from '@maker/service-kit';
import { z } from 'zod';

/** Environment of the payment watcher. `CHAIN_CONFIRMATIONS` are the blocks that must stand on top of a deposit's. */
export const paymentWatcherEnvironment = z.object({
  ...commonEnvironment,
  ...tracingEnvironment,
  ...mongoEnvironment,
  ...natsEnvironment,
  CHAIN_ID: chainEnvironment.CHAIN_ID,
  CHAIN_RPC_URLS: chainEnvironment.CHAIN_RPC_URLS,
  ...requestLimitsEnvironment,
  CHAIN_CONFIRMATIONS: chainEnvironment.CHAIN_CONFIRMATIONS,
  /** Names the contracts of wrapped HYPE that addresses are searched for. */
  CHAIN_EXCHANGES_FILE: chainEnvironment.CHAIN_EXCHANGES_FILE,
  ...hyperCoreEnvironment,
  /** Time between two readings of the balances of all watched addresses. */
  WATCHER_POLL_INTERVAL_SECONDS: z.coerce.number().positive().default(20),
  /**
   * Whether a payer is believed who only one host of `CHAIN_RPC_URLS` shows. That host can then name itself the payer of a job without a
   * return address, and receive its tokens and rest. Without it such a payment has no payer, and waits for an operator.
   */
  WATCHER_TRUST_SINGLE_ENDPOINT: z.stringbool().default(false),
});

/** What {@link paymentWatcherEnvironment} parses to. */
export type PaymentWatcherConfiguration = z.infer<typeof paymentWatcherEnvironment>;

/** Injection token of the {@link PaymentWatcherConfiguration}. */
export const PAYMENT_WATCHER_CONFIGURATION = Symbol('PAYMENT_WATCHER_CONFIGURATION');
