import { AGREEMENT_DEVIATIONS } from './deviating-agreements.fixture.ts';
import { DEPOSIT_DEVIATIONS } from './deviating-deposits.fixture.ts';
import { ENDING_DEVIATIONS } from './deviating-endings.fixture.ts';
import { ORDER_DEVIATIONS } from './deviating-orders.fixture.ts';
import { STATEMENT_DEVIATIONS } from './deviating-statements.fixture.ts';
import { TRANSFER_DEVIATIONS } from './deviating-transfers.fixture.ts';
import type { Deviation } from './deviation.fixture.ts';

/** At least one executor for each rule that an executor can break. */
export const DEVIATIONS: readonly Deviation[] = [
  ...ORDER_DEVIATIONS,
  ...TRANSFER_DEVIATIONS,
  ...DEPOSIT_DEVIATIONS,
  ...STATEMENT_DEVIATIONS,
  ...ENDING_DEVIATIONS,
  ...AGREEMENT_DEVIATIONS,
];
