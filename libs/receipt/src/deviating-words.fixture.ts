import { type Deviation, some, withReceipt } from './deviation.fixture.ts';
import { type Honest, SimulatedExecutor, type SimulatedJob } from './simulated-executor.fixture.ts';

/** Does all as it should, and tells it differently. */
function telling(change: (told: Honest, size: number) => Honest) {
  return (job: Partial<SimulatedJob>, size: number): Honest => change(new SimulatedExecutor(job).run(), size);
}

const withRules = (told: Honest, rules: Partial<Honest['receipt']['rules']>): Honest => ({
  ...told,
  receipt: { ...told.receipt, rules: { ...told.receipt.rules, ...rules } },
});

/** What it says of what it did honestly, or hides. */
export const WORD_DEVIATIONS: readonly Deviation[] = [
  {
    name: 'wider slippage',
    toldAs: /slippage limit was published as/,
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
    toldAs: /price band was published as/,
    run: telling((told, size) => withRules(told, { bandBps: 1001 + Math.floor(size * 9000) })),
  },
  {
    name: 'a faster schedule',
    toldAs: /schedule was published as/,
    run: telling((told) => withRules(told, { slotMs: 1 })),
  },
  {
    name: 'a later end',
    toldAs: /trading was to end as late/,
    run: telling((told) => withRules(told, { tradingEndsAt: '2100-01-01T00:00:00.000Z' })),
  },
  {
    name: 'no end',
    toldAs: /names no time/,
    run: telling((told) => withRules(told, { tradingEndsAt: null, latestEndAt: null })),
  },
  {
    name: 'a pause in which it bought',
    run: telling((told) =>
      withReceipt(told, {
        pauses: [{ reason: 'operator', from: '2026-01-01T00:00:00.000Z', to: '2030-01-01T00:00:00.000Z' }],
      }),
    ),
  },
  { name: 'unknown rules', run: telling((told) => withRules(told, { version: 99 })) },
  {
    name: 'an interim receipt of an ended job',
    toldAs: /How the job ends/,
    run: telling((told) => withReceipt(told, { state: 'interim', ending: null })),
  },
  {
    name: 'another exchange',
    run: telling((told) =>
      withReceipt(told, {
        orders: told.receipt.orders.map((order) => ({ ...order, venue: 'proven-exchange' })),
      }),
    ),
  },
];
