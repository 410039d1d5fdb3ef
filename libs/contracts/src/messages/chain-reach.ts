import { z } from 'zod';
import { timeSchema } from '../primitives.ts';

/** Subject of {@link chainReachSchema}. The scanning payment-watcher publishes, each gateway subscribes. */
export const CHAIN_REACH_SUBJECT = 'changes.chain';

/** Time between two messages, ms. */
export const CHAIN_REACH_BEAT_MS = 5000;

/** Whether an RPC endpoint answers payment-watcher. */
export const chainReachSchema = z.object({
  unreachableSince: timeSchema.optional().describe('Since then no endpoint answers; absent while one does.'),
});
export type ChainReachMessage = z.infer<typeof chainReachSchema>;
