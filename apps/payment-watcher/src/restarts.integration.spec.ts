import { parseEther } from 'viem';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type FaultOf, FaultyNode } from '../../../libs/chain/src/endpoints/faulty-node.fixture.ts';
import { startWatcher } from './payment-watcher.fixture.ts';
import { FORWARDER, PATIENT, stageForFile } from './watcher-stage.fixture.ts';

const stage = stageForFile();
const {
  createJob,
  metric,
  mine,
  minedUntil,
  pay,
  scannedToHead,
  stopWatchers,
  sumReceived,
  twoPolls,
  watch,
  watchedJob,
} = stage;

/** A node's fault: it has no blocks below a height. */
const prunedBelow =
  (height: number): FaultOf =>
  ({ method, params }) =>
    method === 'eth_getBlockByNumber' && Number(params[0]) < height ? { result: null } : undefined;

describe('a watcher that was down', () => {
  afterEach(stopWatchers);

  it('catches up hundreds of blocks without double credits', async () => {
    await watch();
    const first = await watchedJob();
    await pay(first.address, '0.1');
    await stopWatchers();
    const second = await createJob();
    await pay(first.address, '0.2');
    await mine(150);
    await pay(FORWARDER, '0.3', first.address);
    await pay(second.address, '0.5');
    await mine(150);
    await watch();
    await minedUntil(
      () => stage.job.received(first.jobId).length === 3 && stage.job.received(second.jobId).length === 1,
    );
    await twoPolls();
    const kinds = stage.job.received(first.jobId).map(({ kind }) => kind);
    expect(kinds.toSorted()).toEqual(['internal', 'transfer', 'transfer']);
    expect(sumReceived(first.jobId)).toBe(parseEther('0.6'));
    expect(stage.job.received(second.jobId)).toMatchObject([{ kind: 'transfer' }]);
  });

  it('credits a timely payment after downtime', async () => {
    await watch();
    const { jobId, address, deadlineMs } = await watchedJob();
    await stopWatchers();
    await stage.client.setNextBlockTimestamp({ timestamp: BigInt(deadlineMs / 1000) });
    await pay(address, '0.5');
    await stage.client.setNextBlockTimestamp({ timestamp: BigInt(deadlineMs / 1000 + 3600) });
    await mine(3);
    await watch();
    await minedUntil(() => stage.job.passed(jobId).length > 0);
    expect(stage.job.received(jobId)).toMatchObject([{ blockAt: new Date(deadlineMs).toISOString() }]);
    expect(stage.job.passed(jobId)[0]?.receivedWei).toBe(parseEther('0.5').toString());
  });

  it('finds payments in pruned blocks by balance', async () => {
    const node = await FaultyNode.start(stage.servers.rpcUrl);
    await watch();
    const { jobId, address } = await watchedJob();
    await scannedToHead();
    await stopWatchers();
    await pay(address, '0.5');
    await mine(50);
    node.fault = prunedBelow(Number(await stage.client.getBlockNumber()) - 10);
    stage.watchers.push(await startWatcher({ ...stage.servers, rpcUrl: node.url }));
    await minedUntil(() => stage.job.received(jobId).length > 0);
    expect(await metric('maker_watcher_missed_blocks_total')).toBeGreaterThan(30);
    await twoPolls();
    expect(stage.job.received(jobId)).toMatchObject([{ kind: 'balance', amountWei: parseEther('0.5').toString() }]);
    await stopWatchers();
    await node.stop();
  });
});

describe('a watcher with two endpoints', () => {
  afterEach(stopWatchers);

  it('reports a payment with its block, without the second', async () => {
    const other = await FaultyNode.start(stage.servers.rpcUrl);
    stage.watchers.push(await startWatcher({ ...stage.servers, otherRpcUrl: other.url }));
    const { jobId, address } = await watchedJob();
    other.fault = prunedBelow(Number.POSITIVE_INFINITY);
    await pay(address, '0.5');
    await vi.waitFor(() => expect(stage.job.received(jobId)).toHaveLength(1), PATIENT);
    await stopWatchers();
    await other.stop();
  });
});

describe('two watchers together', () => {
  afterEach(stopWatchers);

  it('credit once, with a standby that takes over', async () => {
    await watch();
    await watch();
    const { jobId, address } = await watchedJob();
    await pay(address, '0.1');
    await minedUntil(() => stage.job.received(jobId).length === 1);
    await stage.watchers.shift()?.close();
    await pay(address, '0.2');
    await minedUntil(() => stage.job.received(jobId).length === 2);
    await twoPolls();
    expect(sumReceived(jobId)).toBe(parseEther('0.3'));
  });
});
