import { parseHype } from '@maker/rules';
import { MetricsRegistry } from '@maker/service-kit';
import { expect, it } from 'vitest';
import { type PaidJob, stageForFile } from '../maker-stage.fixture.ts';
import { FAST_CLOCK, RUN_MS } from '../stage-times.fixture.ts';

/** Pays for 13 orders. */
const DEPOSIT = parseHype('0.15');
const JOBS = 3;
const MINUTE_SECONDS = 60;
/** Most gas of a dozen orders. */
const MINUTE_GAS = 2_000_000;
const PATIENCE = { timeout: 60_000 };

const own = stageForFile(FAST_CLOCK);

/** Returns the transactions of some wallets since a block: gas and block timestamp of each, s. */
async function usedBy(jobs: readonly PaidJob[], since: bigint) {
  const wallets = jobs.map(({ wallet }) => wallet.toLowerCase());
  const used: { gas: number; second: number }[] = [];
  const last = await own.stage.client.getBlockNumber();
  for (let blockNumber = since + 1n; blockNumber <= last; blockNumber++) {
    const { timestamp, transactions } = await own.stage.client.getBlock({ blockNumber, includeTransactions: true });
    for (const { hash } of transactions.filter(({ from }) => wallets.includes(from.toLowerCase()))) {
      const { gasUsed } = await own.stage.client.getTransactionReceipt({ hash });
      used.push({ gas: Number(gasUsed), second: Number(timestamp) });
    }
  }
  return used;
}

it('jobs of two replicas share each minute’s gas', { timeout: RUN_MS }, async () => {
  const makers = await Promise.all([own.stage.startMaker(), own.stage.startMaker()]);
  const waiting = async () => {
    const texts = await Promise.all(makers.map((maker) => maker.get(MetricsRegistry, { strict: false }).metrics()));
    return texts.map((text) => Number(/^maker_execution_waiting_for_room (\d+)$/m.exec(text)?.[1]));
  };
  const before = await own.stage.client.getBlockNumber();
  const plan = await own.stage.plan({ slotMs: 50, minuteGas: MINUTE_GAS });
  const jobs = await Promise.all(
    Array.from({ length: JOBS }, () => own.stage.paidJob(own.stage.chain.tokens.both, { depositWei: DEPOSIT, plan })),
  );
  await expect.poll(async () => Math.max(...(await waiting())), PATIENCE).toBeGreaterThan(0);
  const ends = await Promise.all(jobs.map((job) => own.stage.ended(job)));
  expect(ends.map((end) => end?.kind)).toEqual(jobs.map(() => 'completed'));
  await expect.poll(waiting, PATIENCE).toEqual([0, 0]);

  const used = await usedBy(jobs, before);
  const orders = (await Promise.all(jobs.map((job) => own.stage.ordersOf(job)))).flat();
  // Each job also has a fee, a delivery and a return.
  expect(used).toHaveLength(orders.length + 3 * JOBS);
  const minutes = used.map(({ second: end }) =>
    used.filter(({ second }) => second > end - MINUTE_SECONDS && second <= end).reduce((sum, { gas }) => sum + gas, 0),
  );
  expect(Math.max(...minutes)).toBeLessThanOrEqual(MINUTE_GAS);
  // They waited for their share: without a limit, all orders are placed within seconds.
  const seconds = used.map(({ second }) => second);
  expect(Math.max(...seconds) - Math.min(...seconds)).toBeGreaterThan(MINUTE_SECONDS);
});
