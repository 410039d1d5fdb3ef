import { BUDGET_SPENT } from '@maker/rules';
import { acting, type Deviation, reportWith } from './deviation.fixture.ts';
import type { SimulatedExecutor } from './simulated-executor.fixture.ts';

/** The executor places so many orders of its budget, and says that the job completed. */
function completing(orderCount: number, message: string, change: (executor: SimulatedExecutor) => void = () => {}) {
  return acting((executor) => {
    Object.assign(executor.job, { orderCount, outcome: () => 'filled' });
    change(executor);
    reportWith(executor, { ending: { kind: 'completed', message, at: '2027-02-15T08:00:00.000Z' } });
  });
}

const TIME_IS_OVER = 'the published time for orders is over';

function afterItsEnd(executor: SimulatedExecutor): void {
  const refund = executor.refund.bind(executor);
  executor.refund = () => {
    executor.chain.seconds = Math.floor(executor.tradingEndsAtMs / 1000) + 1;
    refund();
  };
  executor.deliver = () => undefined;
}

/** Executors that take the fee and do not buy for the budget. */
export const ENDING_DEVIATIONS: readonly Deviation[] = [
  { name: 'no order, and a spent budget', run: completing(0, BUDGET_SPENT) },
  { name: 'one order, and a spent budget', run: completing(1, BUDGET_SPENT) },
  { name: 'one order, and completed before its end', run: completing(1, TIME_IS_OVER) },
  { name: 'no order, and a spent budget at its end', run: completing(0, BUDGET_SPENT, afterItsEnd) },
  { name: 'no order, and completed at its end', run: completing(0, TIME_IS_OVER, afterItsEnd) },
];
