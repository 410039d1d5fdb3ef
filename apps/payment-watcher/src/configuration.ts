import { chainEnvironment, hyperCoreEnvironment, requestLimitsEnvironment, trustEnvironment } from '@maker/chain';
import { natsEnvironment } from '@maker/messaging';
import { mongoEnvironment } from '@maker/persistence';
import { commonEnvironment, tracingEnvironment } from '@maker/service-kit';
import { z } from 'zod';

/** Environment of the payment watcher. `CHAIN_CONFIRMATIONS`: required number of blocks above a deposit's block. */
export const paymentWatcherEnvironment = z.object({
  ...commonEnvironment,
  ...tracingEnvironment,
  ...mongoEnvironment,
  ...natsEnvironment,
  CHAIN_ID: chainEnvironment.CHAIN_ID,
  CHAIN_RPC_URLS: chainEnvironment.CHAIN_RPC_URLS,
  ...requestLimitsEnvironment,
  CHAIN_CONFIRMATIONS: chainEnvironment.CHAIN_CONFIRMATIONS,
  /** Names the contracts of wrapped HYPE for the token search. */
  CHAIN_EXCHANGES_FILE: chainEnvironment.CHAIN_EXCHANGES_FILE,
  ...hyperCoreEnvironment,
  ...trustEnvironment,
  /** Time between two polls of all watched balances, s. */
  WATCHER_POLL_INTERVAL_SECONDS: z.coerce.number().positive().default(20),
});

/** What {@link paymentWatcherEnvironment} parses to. */
export type PaymentWatcherConfiguration = z.infer<typeof paymentWatcherEnvironment>;

/** Injection token of the {@link PaymentWatcherConfiguration}. */
export const PAYMENT_WATCHER_CONFIGURATION = Symbol('PAYMENT_WATCHER_CONFIGURATION');
