import { parseHype, splitDeposit } from '@maker/rules';
import { acting, type Deviation, reportWith, some } from './deviation.fixture.ts';
import { ACCOMPLICE, PAYER, STRANGER, TREASURY } from './parties.fixture.ts';
import { depositOf, type SimulatedExecutor } from './simulated-executor.fixture.ts';

/** Pays, and executes the sum of all deposits. */
function spendingAll(executor: SimulatedExecutor, secondWei: bigint, seconds: number): void {
  const paidWei = executor.job.paidWei + secondWei;
  executor.isPaid = () => {
    executor.deposits.push(depositOf(executor.chain.paid(PAYER, executor.job.paidWei), true));
    executor.chain.seconds += seconds;
    executor.deposits.push(depositOf(executor.chain.paid(PAYER, secondWei), true));
  };
  executor.refund = () => undefined;
  executor.payFee = () => executor.send('fee', TREASURY, splitDeposit(paidWei).feeWei);
  const report = executor.report.bind(executor);
  executor.report = () => {
    const { receipt, facts } = report();
    return { receipt: { ...receipt, rules: { ...receipt.rules, paidWei: `${paidWei}` } }, facts };
  };
}

/** Executors that do not do what was agreed, and write an honest receipt about that. */
export const AGREEMENT_DEVIATIONS: readonly Deviation[] = [
  {
    name: 'a second payment in the budget',
    run: acting((executor, size) => spendingAll(executor, some(size, parseHype('1')), 5)),
  },
  {
    name: 'a payment after the deadline',
    run: acting((executor) => {
      const paid = executor.isPaid.bind(executor);
      executor.isPaid = () => {
        executor.chain.seconds += 841;
        paid();
      };
      Object.assign(executor.job, { orderCount: 0 });
    }),
  },
  {
    name: "another job's agreement",
    run: acting((executor) => reportWith(executor, { jobId: 'job_1' })),
  },
  {
    name: 'an agreement about another token',
    run: acting((executor) => agreeing(executor, { tokenAddress: STRANGER })),
  },
  {
    name: 'an agreement about another wallet',
    run: acting((executor) => agreeing(executor, { wallet: STRANGER })),
  },
  {
    name: 'an agreement for more',
    run: acting((executor, size) =>
      agreeing(executor, { leastWei: `${executor.job.paidWei + some(size, parseHype('1'))}` }),
    ),
  },
  {
    name: 'an agreement after the payment',
    run: acting((executor) => agreeing(executor, { createdAt: '2027-01-15T08:02:00.000Z' })),
  },
  {
    name: 'an agreement about a lower price',
    run: acting((executor) => agreeing(executor, { seenPriceX96: '1' })),
  },
  {
    name: 'the rest to the payer, who named another address',
    run: acting((executor) => Object.assign(executor.job, { returnAddress: ACCOMPLICE })),
  },
  {
    name: 'an agreement without its activation',
    run: acting((executor) => {
      const terms = executor.terms.bind(executor);
      executor.terms = () => ({ ...terms(), amendments: [] });
    }),
  },
  {
    name: 'an agreement with a changed field',
    run: acting((executor) => {
      const terms = executor.terms.bind(executor);
      executor.terms = () => {
        const made = terms();
        return { ...made, agreement: { ...made.agreement, amountWei: '1' } };
      };
    }),
  },
];

/** Makes the job service sign another agreement, with the same activation. */
function agreeing(executor: SimulatedExecutor, change: Parameters<SimulatedExecutor['terms']>[0]): void {
  const terms = executor.terms.bind(executor);
  executor.terms = () => terms(change);
}
