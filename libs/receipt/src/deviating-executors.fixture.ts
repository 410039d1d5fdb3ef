import { DEPOSIT_DEVIATIONS } from './deviating-deposits.fixture.ts';
import { ORDER_DEVIATIONS } from './deviating-orders.fixture.ts';
import { TRANSFER_DEVIATIONS } from './deviating-transfers.fixture.ts';
import { WORD_DEVIATIONS } from './deviating-words.fixture.ts';
import type { Deviation } from './deviation.fixture.ts';

/** An executor for each rule that one can break. */
export const DEVIATIONS: readonly Deviation[] = [
  ...ORDER_DEVIATIONS,
  ...TRANSFER_DEVIATIONS,
  ...DEPOSIT_DEVIATIONS,
  ...WORD_DEVIATIONS,
];
