import { type Deviation, some, withReceipt } from './deviation.fixture.ts';
import { type JobReport, SimulatedExecutor, type SimulatedJob } from './simulated-executor.fixture.ts';

/** Runs an honest job, but changes its report. */
function reporting(change: (report: JobReport, size: number) => JobReport) {
  return (job: Partial<SimulatedJob>, size: number): JobReport => change(new SimulatedExecutor(job).run(), size);
}

const withRules = (report: JobReport, rules: Partial<JobReport['receipt']['rules']>): JobReport => ({
  ...report,
  receipt: { ...report.receipt, rules: { ...report.receipt.rules, ...rules } },
});

/** Executors that break a rule with the statements in the receipt. */
export const STATEMENT_DEVIATIONS: readonly Deviation[] = [
  {
    name: 'wider slippage',
    unlessAgreed: /slippage limit was published as/,
    run: (job, size) => {
      const bps = 200n + some(size, 9000n);
      const executor = new SimulatedExecutor(job);
      const plan = executor.planOrder.bind(executor);
      executor.planOrder = (number) => {
        const usual = plan(number);
        return { ...usual, minimum: (usual.quoted * (10_000n - bps)) / 10_000n };
      };
      return withRules(executor.run(), { slippageBps: Number(bps) });
    },
  },
  {
    name: 'a wider band',
    unlessAgreed: /price band was published as/,
    run: reporting((report, size) => withRules(report, { bandBps: 1001 + Math.floor(size * 9000) })),
  },
  {
    name: 'a faster schedule',
    unlessAgreed: /schedule was published as/,
    run: reporting((report) => withRules(report, { slotMs: 1 })),
  },
  {
    name: 'a later end',
    unlessAgreed: /trading was to end as late/,
    run: reporting((report) => withRules(report, { tradingEndsAt: '2100-01-01T00:00:00.000Z' })),
  },
  {
    name: 'no end',
    unlessAgreed: /names no time/,
    run: reporting((report) => withRules(report, { tradingEndsAt: null, latestEndAt: null })),
  },
  {
    name: 'a pause in which it bought',
    run: reporting((report) =>
      withReceipt(report, {
        pauses: [{ reason: 'operator', from: '2026-01-01T00:00:00.000Z', to: '2030-01-01T00:00:00.000Z' }],
      }),
    ),
  },
  { name: 'unknown rules', run: reporting((report) => withRules(report, { version: 99 })) },
  {
    name: 'an interim receipt of an ended job',
    listedAs: /How the job ends/,
    run: reporting((report) => withReceipt(report, { state: 'interim', ending: null })),
  },
  {
    name: 'another exchange',
    run: reporting((report) =>
      withReceipt(report, {
        orders: report.receipt.orders.map((order) => ({ ...order, venue: 'proven-exchange' })),
      }),
    ),
  },
];
