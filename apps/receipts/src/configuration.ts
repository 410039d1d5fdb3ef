import { chainEnvironment } from '@maker/chain';
import { natsEnvironment } from '@maker/messaging';
import { mongoEnvironment } from '@maker/persistence';
import { commonEnvironment, tracingEnvironment } from '@maker/service-kit';
import { z } from 'zod';

const { CHAIN_ID } = chainEnvironment;

/** Environment of this service. It needs no RPC endpoint and no key. */
export const receiptsEnvironment = z.object({
  ...commonEnvironment,
  ...tracingEnvironment,
  ...natsEnvironment,
  ...mongoEnvironment,
  CHAIN_ID,
});

export type ReceiptsConfiguration = z.infer<typeof receiptsEnvironment>;

export const RECEIPTS_CONFIGURATION = Symbol('RECEIPTS_CONFIGURATION');
