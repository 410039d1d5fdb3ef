import { parseHype } from '@maker/rules';
import { acting, type Deviation, reportWith, some } from './deviation.fixture.ts';
import { ACCOMPLICE, PAYER, TREASURY } from './parties.fixture.ts';
import { depositOf } from './simulated-executor.fixture.ts';

/** Executors that break a rule with the wallet's deposits. */
export const DEPOSIT_DEVIATIONS: readonly Deviation[] = [
  {
    name: "the payer's second payment to an accomplice of one wei",
    run: acting((executor, size) => {
      const paid = executor.isPaid.bind(executor);
      const secondWei = parseHype('1') + some(size, parseHype('4'));
      executor.isPaid = () => {
        paid();
        executor.deposits.push(depositOf(executor.chain.paid(ACCOMPLICE, 1n), false));
        executor.deposits.push(depositOf(executor.chain.paid(PAYER, secondWei), false));
      };
      const refund = executor.refund.bind(executor);
      executor.refund = () => {
        refund();
        executor.send('refund', ACCOMPLICE, secondWei - parseHype('0.01'));
      };
    }),
  },
  {
    name: 'a refund before its deposit',
    run: acting((executor) => {
      executor.refund = () => executor.send('refund', ACCOMPLICE, parseHype('0.01'));
      const rest = executor.returnRest.bind(executor);
      executor.returnRest = () => {
        executor.deposits.push(depositOf(executor.chain.paid(ACCOMPLICE, parseHype('0.02')), false));
        rest();
      };
    }),
  },
  {
    name: "a stranger's deposit returned with the rest",
    listedAs: new RegExp(`from ${ACCOMPLICE} for no order did not go back`),
    run: acting((executor) => {
      const paid = executor.isPaid.bind(executor);
      executor.isPaid = () => {
        paid();
        executor.deposits.push(depositOf(executor.chain.paid(ACCOMPLICE, parseHype('1')), false));
      };
    }),
  },
  {
    name: 'an order paid by the treasury',
    run: acting((executor) => {
      executor.isPaid = () => {
        executor.deposits.push(depositOf(executor.chain.paid(TREASURY, executor.job.paidWei), true));
      };
      executor.refund = () => undefined;
      reportWith(executor, { payer: TREASURY });
    }),
  },
  {
    name: 'a payment of two senders, reported as one',
    run: acting((executor) => {
      executor.isPaid = () => {
        const half = executor.job.paidWei / 2n;
        executor.deposits.push(depositOf(executor.chain.paid(PAYER, half), true));
        executor.deposits.push(depositOf(executor.chain.paid(ACCOMPLICE, executor.job.paidWei - half), true));
      };
      executor.refund = () => undefined;
    }),
  },
];
