import { MOST_DEPOSITS_LISTED } from '@maker/contracts';
import { startMongo } from '@maker/local-stack';
import { Connection } from '@maker/persistence';
import { ORDER_COST_MINIMUM_WEI } from '@maker/rules';
import { type Address, parseEther } from 'viem';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { DepositsRepository } from '../deposit/deposits.repository.ts';
import { SAVE_EVERY_BLOCKS } from '../scan/fenced-writes.ts';
import { PATIENT, stageForFile } from '../watcher-stage.fixture.ts';

const stage = stageForFile(startMongo);
const { mine, minedUntil, pay, scannedToHead, stopWatchers, sumReceived, watch, watchedJob } = stage;

describe('a watcher of many deposits', () => {
  beforeEach(async () => {
    await watch();
  });
  afterEach(stopWatchers);

  it('lists credited deposits up to a block', async () => {
    const { jobId, address } = await watchedJob();
    const { blockNumber, transactionHash } = await pay(address, '0.5');
    await scannedToHead();
    expect((await stage.job.credited(jobId)).completeToBlock).toBeLessThan(Number(blockNumber));
    await minedUntil(() => stage.job.received(jobId).length > 0);
    // The cursor is saved with each write, and else every few blocks.
    await mine(SAVE_EVERY_BLOCKS);
    await scannedToHead();
    const { completeToBlock, deposits } = await stage.job.credited(jobId);
    expect(completeToBlock).toBeGreaterThanOrEqual(Number(blockNumber));
    expect(deposits).toMatchObject([
      { depositId: `${address.toLowerCase()}:${transactionHash}`, kind: 'transfer', transactionHash },
    ]);
    expect(await stage.job.credited(`job_${'0'.repeat(32)}`)).toEqual({ completeToBlock: -1, deposits: [] });
  });

  it('credits payments in time despite others’ dust', async () => {
    const [dusted, paid] = [await watchedJob(), await watchedJob()];
    // While anvil mines, a call returns the new block's balances with the old block's number.
    await scannedToHead();
    const firstNonce = await stage.client.getTransactionCount({ address: stage.client.account.address });
    const dust = { to: dusted.address, value: 1n, gas: 21_000n, gasPrice: 2_000_000_000n };
    const send = (index: number) => stage.client.sendTransaction({ ...dust, nonce: firstNonce + index });
    await Promise.all(Array.from({ length: 250 }, (_, index) => send(index)));
    await mine();
    await pay(paid.address, '0.5');
    await mine();
    await vi.waitFor(() => expect(sumReceived(paid.jobId)).toBe(parseEther('0.5')), PATIENT);
    expect(stage.job.received(dusted.jobId)).toEqual([]);
    expect(await stage.job.credited(dusted.jobId)).toMatchObject({ deposits: [], dustWei: '250' });
  });

  it('reads one deposit per address to find undecided ones', async () => {
    const [dusted, quiet] = [await watchedJob(), await watchedJob()];
    const firstNonce = await stage.client.getTransactionCount({ address: stage.client.account.address });
    const least = { to: dusted.address, value: ORDER_COST_MINIMUM_WEI, gas: 21_000n, gasPrice: 2_000_000_000n };
    const send = (index: number) => stage.client.sendTransaction({ ...least, nonce: firstNonce + index });
    await Promise.all(Array.from({ length: 250 }, (_, index) => send(index)));
    await mine();
    await scannedToHead();
    const { db } = stage.watchers[0]?.get(Connection) ?? {};
    const deposits = stage.watchers[0]?.get(DepositsRepository);
    const metrics = async () => (await db?.admin().serverStatus())?.metrics;
    const returned = async () => Number((await metrics())?.document.returned);
    const examined = async () => Number((await metrics())?.queryExecutor.scannedObjects);
    // The server's counters also include reads that the watcher makes meanwhile.
    const countOf = async (counter: () => Promise<number>, work: () => Promise<unknown> | undefined) => {
      const before = await counter();
      await work();
      return (await counter()) - before;
    };
    const addresses = [dusted.address, quiet.address].map((address) => address.toLowerCase() as Address);
    const findUndecided = () => deposits?.addressesWithUndecided(addresses);
    await expect.poll(() => countOf(returned, findUndecided), PATIENT).toBeLessThan(100);
    expect([...((await findUndecided()) ?? [])]).toEqual([dusted.address.toLowerCase()]);
    const head = Number(await stage.client.getBlockNumber());
    const sumUp = () => deposits?.sumsUpTo(head, addresses);
    await expect.poll(() => countOf(examined, sumUp), PATIENT).toBeLessThan(100);
    const sums = await sumUp();
    expect([...(sums ?? [])]).toEqual([[dusted.address.toLowerCase(), 250n * ORDER_COST_MINIMUM_WEI]]);
    await minedUntil(() => stage.job.received(dusted.jobId).length === 250);
  });

  it('pages through any number of deposits', async () => {
    const { jobId, address } = await watchedJob();
    const firstNonce = await stage.client.getTransactionCount({ address: stage.client.account.address });
    const deposit = { to: address, value: ORDER_COST_MINIMUM_WEI, gas: 21_000n, gasPrice: 2_000_000_000n };
    const send = (index: number) => stage.client.sendTransaction({ ...deposit, nonce: firstNonce + index });
    await Promise.all(Array.from({ length: MOST_DEPOSITS_LISTED + 1 }, (_, index) => send(index)));
    await minedUntil(() => stage.job.received(jobId).length > MOST_DEPOSITS_LISTED);
    const first = await stage.job.credited(jobId);
    expect(first.deposits).toHaveLength(MOST_DEPOSITS_LISTED);
    const second = await stage.job.credited(jobId, first.deposits.at(-1)?.depositId);
    const ids = [...first.deposits, ...second.deposits].map(({ depositId }) => depositId);
    expect(ids.toSorted()).toEqual(
      stage.job
        .received(jobId)
        .map(({ depositId }) => depositId)
        .toSorted(),
    );
  });
});
