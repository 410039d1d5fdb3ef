import { randomBytes } from 'node:crypto';
import { type Address, parseEther } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { WatchesRepository } from '../watch/watches.repository.ts';
import { FORWARDER, PATIENT, QUARTER_OF_AN_HOUR_MS, SPLITTER, stageForFile } from '../watcher-stage.fixture.ts';

const stage = stageForFile();
const {
  chainTimeMs,
  mine,
  minedToReading,
  minedUntil,
  pay,
  scannedToHead,
  send,
  stopWatchers,
  sumReceived,
  twoPolls,
  watch,
  watchedJob,
} = stage;

describe('a running watcher', () => {
  beforeEach(async () => {
    await watch();
  });
  afterEach(stopWatchers);

  it('credits a confirmed transfer with sender and time', async () => {
    const { jobId, address } = await watchedJob();
    const receipt = await pay(address, '0.5');
    await minedUntil(() => stage.job.received(jobId).length > 0, 1, 10_000);
    const block = await stage.client.getBlock({ blockNumber: receipt.blockNumber });
    expect(stage.job.received(jobId)).toEqual([
      {
        depositId: `${address.toLowerCase()}:${receipt.transactionHash}`,
        kind: 'transfer',
        amountWei: parseEther('0.5').toString(),
        from: stage.client.account.address.toLowerCase(),
        transactionHash: receipt.transactionHash,
        blockNumber: Number(receipt.blockNumber),
        blockAt: new Date(Number(block.timestamp) * 1000).toISOString(),
        occurrence: 1,
      },
    ]);
  });

  it('reports a payment before its confirmation', async () => {
    const { jobId, address } = await watchedJob();
    await pay(address, '0.5');
    const seen = [{ seenWei: parseEther('0.5').toString(), revision: 1 }];
    await vi.waitFor(() => expect(stage.job.seen(jobId)).toEqual(seen), PATIENT);
    expect(stage.job.received(jobId)).toEqual([]);
    await minedUntil(() => stage.job.received(jobId).length > 0, 1, 10_000);
    await pay(address, '0.1');
    await minedUntil(() => stage.job.received(jobId).length > 1);
    expect(stage.job.seen(jobId)).toEqual([...seen, { seenWei: parseEther('0.6').toString(), revision: 2 }]);
  });

  it('credits two partial transfers in any blocks', async () => {
    const { jobId, address } = await watchedJob();
    await send(address, '0.1');
    await send(address, '0.2');
    await mine();
    await pay(address, '0.3');
    await minedUntil(() => stage.job.received(jobId).length === 3);
    await twoPolls();
    expect(stage.job.received(jobId).map(({ kind }) => kind)).toEqual(['transfer', 'transfer', 'transfer']);
    expect(sumReceived(jobId)).toBe(parseEther('0.6'));
  });

  it('credits a contract’s payment with its transaction', async () => {
    const { jobId, address } = await watchedJob();
    const receipt = await pay(FORWARDER, '0.5', address);
    await minedUntil(() => stage.job.received(jobId).length > 0, 3, 3000);
    await twoPolls();
    expect(stage.job.received(jobId)).toHaveLength(1);
    expect(stage.job.received(jobId)[0]).toMatchObject({
      kind: 'internal',
      amountWei: parseEther('0.5').toString(),
      transactionHash: receipt.transactionHash,
      blockNumber: Number(receipt.blockNumber),
    });
  });

  it('credits a contract’s payment to an unnamed address', async () => {
    const { jobId, address } = await watchedJob();
    await stage.client.setStorageAt({ address: SPLITTER, index: 0, value: `0x${address.slice(2).padStart(64, '0')}` });
    await pay(SPLITTER, '0.5', '0x01');
    await minedUntil(() => stage.job.received(jobId).length > 0);
    expect(stage.job.received(jobId)).toMatchObject([{ kind: 'balance', amountWei: parseEther('0.5').toString() }]);
  });

  it('credits each HyperCore rise once', async () => {
    const { jobId, address } = await watchedJob();
    await stage.client.setBalance({ address, value: parseEther('0.2') });
    await minedUntil(() => stage.job.received(jobId).length === 1);
    await stage.client.setBalance({ address, value: parseEther('0.5') });
    await minedUntil(() => stage.job.received(jobId).length === 2);
    await twoPolls();
    expect(stage.job.received(jobId).map(({ kind, amountWei }) => [kind, amountWei])).toEqual([
      ['balance', parseEther('0.2').toString()],
      ['balance', parseEther('0.3').toString()],
    ]);
  });

  it('drops a vanished rise after an equal transfer', async () => {
    const { jobId, address } = await watchedJob();
    await stage.client.setBalance({ address, value: parseEther('0.5') });
    // One more block would confirm the rise.
    await minedToReading(address);
    await vi.waitFor(() => expect(stage.job.seen(jobId)).not.toEqual([]), PATIENT);
    expect(stage.job.received(jobId)).toEqual([]);
    await stage.client.setBalance({ address, value: 0n });
    await pay(address, '0.5');
    await minedUntil(() => stage.job.received(jobId).length > 0);
    await twoPolls();
    expect(stage.job.received(jobId)).toMatchObject([{ kind: 'transfer', amountWei: parseEther('0.5').toString() }]);
  });

  it('drops an unconfirmed rise once the wallet spends', async () => {
    const { jobId, address, wallet } = await watchedJob();
    await stage.client.setBalance({ address, value: parseEther('0.5') });
    // One more block would confirm the rise.
    await minedToReading(address);
    await vi.waitFor(() => expect(stage.job.seen(jobId)).not.toEqual([]), PATIENT);
    const value = parseEther('0.1');
    await stage.client.sendTransaction({
      account: wallet,
      to: FORWARDER,
      value,
      gas: 100_000n,
      gasPrice: 2_000_000_000n,
    });
    await mine(3);
    await scannedToHead();
    await vi.waitFor(() => expect(stage.job.seen(jobId).at(-1)?.seenWei).toBe('0'), PATIENT);
    expect(stage.job.received(jobId)).toEqual([]);
  });

  it('separates a transfer and a rise together', async () => {
    const { jobId, address } = await watchedJob();
    await send(address, '0.2');
    await send(FORWARDER, '0.3', address);
    await mine();
    await minedUntil(() => stage.job.received(jobId).length === 2);
    await twoPolls();
    const received = stage.job.received(jobId).toSorted((a, b) => a.kind.localeCompare(b.kind));
    expect(received.map(({ kind, amountWei }) => [kind, amountWei])).toEqual([
      ['internal', parseEther('0.3').toString()],
      ['transfer', parseEther('0.2').toString()],
    ]);
  });

  it('leaves out a transfer that failed', async () => {
    const { jobId, address } = await watchedJob();
    await stage.client.setCode({ address, bytecode: '0x5f5ffd' });
    const receipt = await pay(address, '0.5');
    expect(receipt.status).toBe('reverted');
    await stage.client.setCode({ address, bytecode: '0x' });
    await pay(address, '0.25');
    await minedUntil(() => stage.job.received(jobId).length > 0);
    expect(sumReceived(jobId)).toBe(parseEther('0.25'));
  });

  it('finds a payment from before the watch', async () => {
    const wallet = privateKeyToAccount(generatePrivateKey());
    const jobId = `job_${randomBytes(16).toString('hex')}`;
    const receipt = await pay(wallet.address, '0.5');
    await mine(5);
    await stage.job.createJob(jobId, wallet.address, (await chainTimeMs()) + QUARTER_OF_AN_HOUR_MS);
    await minedUntil(() => stage.job.received(jobId).length > 0);
    await twoPolls();
    expect(stage.job.received(jobId)).toMatchObject([
      { kind: 'transfer', from: stage.client.account.address.toLowerCase(), transactionHash: receipt.transactionHash },
    ]);
  });

  it('follows blocks only once the wallet spends', async () => {
    const { jobId, wallet, address } = await watchedJob();
    await pay(address, '0.5');
    await minedUntil(() => stage.job.received(jobId).length > 0);
    await stage.client.sendTransaction({
      account: wallet,
      to: FORWARDER,
      value: parseEther('0.1'),
      data: stage.client.account.address,
      gas: 100_000n,
      gasPrice: 2_000_000_000n,
    });
    await mine();
    await pay(address, '0.2');
    await minedUntil(() => stage.job.received(jobId).length === 2);
    await mine(3);
    await scannedToHead();
    expect(stage.job.received(jobId).map(({ kind }) => kind)).toEqual(['transfer', 'transfer']);
    expect(sumReceived(jobId)).toBe(parseEther('0.7'));
  });

  it('rewrites no row for an unchanged balance', async () => {
    const { jobId, address } = await watchedJob();
    const key = address.toLowerCase() as Address;
    const readAtBlock = async () =>
      (await stage.watchers[0]?.get(WatchesRepository).findMany([key]))?.get(key)?.readAtBlock;
    await twoPolls();
    const before = await readAtBlock();
    await twoPolls();
    expect(await readAtBlock()).toBe(before);
    await stage.client.setBalance({ address, value: parseEther('0.5') });
    await minedUntil(() => stage.job.received(jobId).length > 0);
    expect(sumReceived(jobId)).toBe(parseEther('0.5'));
  });
});
