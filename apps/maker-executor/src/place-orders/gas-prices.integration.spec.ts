import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { MakerStage, RUN_MS, SOON } from '../maker-stage.fixture.ts';
import { mineAt, ordersAt } from './gas-prices.fixture.ts';

let stage: MakerStage;

beforeAll(async () => {
  stage = await MakerStage.start({ blockMs: 0 });
});

afterEach(() => stage.stopMakers());

afterAll(() => stage?.stop());

// The plan's own counts at these prices are held to by libs/rules; here it is that the orders really follow them.
it.each([
  [60, 42, 48],
  [99, 22, 27],
])(
  'at %d tenths of a gwei a job of 0.25 HYPE completes with %d to %d orders, to the wei (specification § 9, design § 4a)',
  async (tenths, least, most) => {
    const placed = await ordersAt(stage, tenths);
    expect(placed).toBeGreaterThanOrEqual(least);
    expect(placed).toBeLessThanOrEqual(most);
  },
  RUN_MS * 2,
);

it(
  'above 10 gwei a job waits and says so, and goes on at 10 gwei (specification § 9)',
  async () => {
    await stage.startMaker();
    const job = await stage.paidJob(stage.chain.tokens.both, { plan: await stage.plan() });
    await mineAt(
      stage,
      1,
      async () => expect((await stage.receiptOf(job)).ordersPlaced).toBeGreaterThan(0),
      SOON.timeout,
    );
    const pauses = () => stage.jobs.pauses(job.jobId);
    await mineAt(stage, 101, () => expect(pauses()).toEqual(['paused gas_guardrail']), SOON.timeout);
    expect((await stage.receiptOf(job)).paused).toMatchObject({ reason: 'gas_guardrail' });
    await mineAt(stage, 100, () => expect(pauses()).toContain('resumed gas_guardrail'), SOON.timeout);
  },
  RUN_MS,
);
