import { chainEnvironment, hyperCoreEnvironment, requestLimitsEnvironment, trustEnvironment } from '@maker/chain';
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
  ...trustEnvironment,
  /** Time between two readings of the balances of all watched addresses. */
  WATCHER_POLL_INTERVAL_SECONDS: z.coerce.number().positive().default(20),
});

/** What {@link paymentWatcherEnvironment} parses to. */
export type PaymentWatcherConfiguration = z.infer<typeof paymentWatcherEnvironment>;

/** Injection token of the {@link PaymentWatcherConfiguration}. */
export const PAYMENT_WATCHER_CONFIGURATION = Symbol('PAYMENT_WATCHER_CONFIGURATION');
