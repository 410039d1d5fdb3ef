import { LARGEST_ORDER_WEI } from '@maker/rules';
import { type Deviation, some } from './deviation.fixture.ts';
import { ACCOMPLICE, STRANGER, TOKEN, VENUES, WRAPPED } from './parties.fixture.ts';
import { FEE_TIER, formatNameOf } from './purchases.fixture.ts';
import { type JobReport, type OrderPlan, SimulatedExecutor, type SimulatedJob } from './simulated-executor.fixture.ts';

const ofShape = (shape: SimulatedJob['venue']['kind']) => (venue: SimulatedJob['venue']) => venue.kind === shape;

type Change = (plan: OrderPlan, number: number) => Partial<OrderPlan>;

/** Changes one order, which `size` selects. */
function ordering(change: (size: number) => Change) {
  return (job: Partial<SimulatedJob>, size: number): JobReport => {
    const executor = new SimulatedExecutor(job);
    const chosen = 1 + Math.floor(size * 0.999 * executor.job.orderCount);
    const plan = executor.planOrder.bind(executor);
    executor.planOrder = (number) => {
      const usual = plan(number);
      return number === chosen ? { ...usual, ...change(size)(usual, number) } : usual;
    };
    if (executor.job.outcome(chosen) !== 'filled') Object.assign(executor.job, { outcome: () => 'filled' });
    return executor.run();
  };
}

/** Executors that break a rule with their orders. */
export const ORDER_DEVIATIONS: readonly Deviation[] = [
  ...[...new Set(VENUES.map(formatNameOf))].flatMap((format) => {
    const on = (venue: SimulatedJob['venue']) => formatNameOf(venue) === format;
    return [
      {
        name: `own contract as router and pool, with calls of ${format}`,
        on,
        run: ordering(() => () => ({ router: ACCOMPLICE, pool: ACCOMPLICE })),
      },
      {
        name: `own contract as router, with calls of ${format}`,
        on,
        run: ordering(() => () => ({ router: ACCOMPLICE })),
      },
      { name: `own contract as pool, with calls of ${format}`, on, run: ordering(() => () => ({ pool: ACCOMPLICE })) },
    ];
  }),
  {
    name: 'a pool of a fee that the factory does not have',
    on: ofShape('uniswap-v3'),
    run: ordering(() => () => ({ call: { feeTier: FEE_TIER + 1 } })),
  },
  {
    name: 'another token',
    run: ordering(() => ({ call }) => ({ call: { ...call, path: [WRAPPED, STRANGER] } })),
  },
  { name: 'another token to pay with', run: ordering(() => () => ({ call: { path: [STRANGER, TOKEN] } })) },
  { name: 'for another recipient', run: ordering(() => () => ({ call: { recipient: ACCOMPLICE } })) },
  {
    name: 'with a referrer',
    on: ofShape('camelot-v2'),
    run: ordering(() => () => ({ call: { referrer: ACCOMPLICE } })),
  },
  {
    name: 'a pool of an own deployer',
    on: ofShape('algebra-integral'),
    run: ordering(() => () => ({ call: { deployer: ACCOMPLICE } })),
  },
  {
    name: 'up to a price on Algebra',
    on: ofShape('algebra-integral'),
    run: ordering((size) => () => ({ call: { sqrtPriceLimitX96: some(size, 2n ** 100n) } })),
  },
  {
    name: 'up to a price',
    on: ofShape('uniswap-v3'),
    run: ordering((size) => () => ({ call: { sqrtPriceLimitX96: some(size, 2n ** 100n) } })),
  },
  {
    name: 'a part of what it sends',
    run: ordering((size) => ({ tradeWei }) => ({ poolWei: tradeWei - some(size, tradeWei / 2n) })),
  },
  {
    name: 'any price',
    run: ordering((size) => ({ minimum }) => ({ minimum: minimum - some(size, minimum - 1n) })),
  },
  {
    name: 'valid for long',
    run: ordering((size) => ({ decidedSeconds }) => ({
      call: { deadline: BigInt(decidedSeconds + 300) + some(size, 86_400n) },
    })),
  },
  {
    name: 'above the guardrail',
    run: ordering((size) => () => ({ gasPriceWei: 10_000_000_000n + some(size, 10_000_000_000n) })),
  },
  {
    name: 'larger than any order',
    run: ordering((size) => () => {
      const tradeWei = LARGEST_ORDER_WEI + some(size, LARGEST_ORDER_WEI);
      return { tradeWei, poolWei: tradeWei };
    }),
  },
  {
    name: 'less than the pool gave',
    run: ordering(() => ({ received }) => ({ received: received / 2n })),
  },
  {
    name: 'at a dearer price than was seen',
    run: ordering((size) => ({ quoted }) => {
      const dearer = (quoted * BigInt(Math.floor(10_000 - 1000 - size * 8000))) / 10_000n;
      return { quoted: dearer, minimum: (dearer * 9950n) / 10_000n, received: dearer };
    }),
  },
];
