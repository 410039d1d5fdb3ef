import { type Hex, keccak256, parseEther } from 'viem';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DISPLACED_FOR_BLOCKS } from '../deposit/deposit.ts';
import { stageForFile, type WatchedJob } from '../watcher-stage.fixture.ts';

const stage = stageForFile();
const {
  metric,
  mine,
  minedUntil,
  pay,
  rollBack,
  scannedToHead,
  signedPayment,
  stopWatchers,
  sumReceived,
  twoPolls,
  watch,
  watchedJob,
} = stage;

describe('a watcher in a reorganisation', () => {
  beforeEach(async () => {
    await watch();
  });
  afterEach(stopWatchers);

  it('credits nothing twice across a reorganisation', async () => {
    const { jobId, address } = await watchedJob();
    await pay(address, '0.1');
    await minedUntil(() => stage.job.received(jobId).length === 1);
    await mine(6);
    await scannedToHead();
    await rollBack(4);
    await pay(address, '0.2');
    await mine(6);
    await minedUntil(() => stage.job.received(jobId).length === 2);
    await twoPolls();
    expect(await metric('maker_watcher_reorgs_total')).toBe(1);
    expect(sumReceived(jobId)).toBe(parseEther('0.3'));
  });

  describe('that removes a credited payment', () => {
    /** Pays, waits for the credit, and rolls the chain back to before the payment. */
    async function creditedAndRolledBack(): Promise<
      WatchedJob & { readonly transaction: Hex; readonly depth: number }
    > {
      const created = await watchedJob();
      const transaction = await signedPayment(created.address);
      await stage.client.sendRawTransaction({ serializedTransaction: transaction });
      await mine();
      await minedUntil(() => stage.job.received(created.jobId).length === 1);
      await mine(2);
      await scannedToHead();
      const receipt = await stage.client.getTransactionReceipt({ hash: keccak256(transaction) });
      const depth = Number((await stage.client.getBlockNumber()) - receipt.blockNumber) + 1;
      await rollBack(depth);
      return { ...created, transaction, depth };
    }

    it('reports a dropped payment once and uncounts it', async () => {
      const { jobId, deadlineMs, depth } = await creditedAndRolledBack();
      await mine(depth + DISPLACED_FOR_BLOCKS);
      await minedUntil(() => stage.job.dropped(jobId).length > 0);
      await twoPolls();
      const [received] = stage.job.received(jobId);
      expect(stage.job.dropped(jobId)).toEqual([received]);
      expect(stage.job.received(jobId)).toHaveLength(1);
      expect(await metric('maker_payment_credited_then_dropped_total')).toBe(1);
      expect((await stage.job.credited(jobId)).deposits).toEqual([]);
      await stage.client.setNextBlockTimestamp({ timestamp: BigInt(deadlineMs / 1000 + 1) });
      await minedUntil(() => stage.job.passed(jobId).length > 0);
      expect(stage.job.passed(jobId)[0]?.receivedWei).toBe('0');
    });

    it('reports the new block of the same deposit', async () => {
      const { jobId, transaction, depth } = await creditedAndRolledBack();
      await stage.client.setNextBlockTimestamp({ timestamp: (await stage.client.getBlock()).timestamp + 100n });
      await mine();
      const hash = await stage.client.sendRawTransaction({ serializedTransaction: transaction });
      // The watcher detects the branch once it is longer than the old one.
      await mine(depth);
      await minedUntil(() => stage.job.received(jobId).length === 2);
      await mine(8);
      await twoPolls();
      const [first, second] = stage.job.received(jobId);
      const { blockNumber } = await stage.client.getTransactionReceipt({ hash });
      expect(second).toEqual({
        ...first,
        occurrence: 2,
        blockNumber: Number(blockNumber),
        blockAt: expect.not.stringMatching(String(first?.blockAt)),
      });
      expect(stage.job.dropped(jobId)).toEqual([]);
      expect(stage.job.received(jobId)).toHaveLength(2);
    });

    it('credits a payment mined long after its drop', async () => {
      const { jobId, transaction, depth } = await creditedAndRolledBack();
      await mine(depth + DISPLACED_FOR_BLOCKS);
      await minedUntil(() => stage.job.dropped(jobId).length > 0);
      await stage.client.sendRawTransaction({ serializedTransaction: transaction });
      await minedUntil(() => stage.job.received(jobId).length === 2);
      expect(stage.job.received(jobId).map(({ occurrence }) => occurrence)).toEqual([1, 2]);
    });

    it('drops a rise missing from the new branch', async () => {
      const { jobId, address } = await watchedJob();
      await stage.client.setBalance({ address, value: parseEther('0.2') });
      await minedUntil(() => stage.job.received(jobId).length === 1);
      await mine(2);
      await scannedToHead();
      const { blockNumber } = stage.job.received(jobId)[0] ?? { blockNumber: 0 };
      const depth = Number(await stage.client.getBlockNumber()) - blockNumber + 1;
      await rollBack(depth);
      await stage.client.setBalance({ address, value: 0n });
      await mine(depth + DISPLACED_FOR_BLOCKS);
      await minedUntil(() => stage.job.dropped(jobId).length > 0);
      await twoPolls();
      expect(stage.job.dropped(jobId)).toMatchObject([{ kind: 'balance', amountWei: parseEther('0.2').toString() }]);
      expect(stage.job.received(jobId)).toHaveLength(1);
    });
  });
});
