import { parseHype } from '@maker/rules';
import { expect, it, vi } from 'vitest';
import { stageForFile } from '../maker-stage.fixture.ts';
import { seriesOf } from '../metrics/series-of.fixture.ts';
import { RUN_MS, SOON } from '../stage-times.fixture.ts';

/** Room for two of eight due orders. */
const MINUTE_GAS = 500_000;

const own = stageForFile({ blockSeconds: 0 });

it('a job without room in its batch waits visibly', { timeout: RUN_MS }, async () => {
  const maker = await own.stage.startMaker();
  const plan = await own.stage.plan({ slotMs: 5, minuteGas: MINUTE_GAS });
  const job = await own.stage.paidJob(own.stage.chain.tokens.v2Only, { depositWei: parseHype('0.18'), plan });
  const ordersSigned = async () => (await own.stage.ordersOf(job)).length;
  await vi.waitFor(
    async () => {
      // The first order is due alone.
      if ((await ordersSigned()) < 2) await own.stage.client.mine({ blocks: 1, interval: 1 });
      expect(await ordersSigned()).toBeGreaterThan(1);
    },
    { ...SOON, interval: 500 },
  );
  expect(await ordersSigned()).toBeLessThan(8);
  expect(await seriesOf(maker, 'maker_execution_waiting_for_room')).toMatchObject([{ value: 1 }]);
});
