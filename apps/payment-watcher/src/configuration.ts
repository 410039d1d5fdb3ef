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
  ...hyperCoreEnvironment,
  /** Time between two readings of the balances of all watched addresses. */
  WATCHER_SWEEP_INTERVAL_SECONDS: z.coerce.number().positive().default(20),
  /** Addresses past their deadline in one such reading; they are due ever more rarely. */
  WATCHER_SWEEP_MOST_ABANDONED: z.coerce.number().int().positive().default(5000),
});

/** What {@link paymentWatcherEnvironment} parses to. */
export type PaymentWatcherConfiguration = z.infer<typeof paymentWatcherEnvironment>;

/** Injection token of the {@link PaymentWatcherConfiguration}. */
export const PAYMENT_WATCHER_CONFIGURATION = Symbol('PAYMENT_WATCHER_CONFIGURATION');
