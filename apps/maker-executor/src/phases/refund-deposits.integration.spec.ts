import { reconcileJob, setPause } from '@maker/contracts';
import { RequestClient } from '@maker/messaging';
import { parseHype } from '@maker/rules';
import { MetricsRegistry } from '@maker/service-kit';
import type { Address } from 'viem';
import { describe, expect, it, vi } from 'vitest';
import { ChainAccess } from '../chain/chain-access.ts';
import { stageForFile } from '../maker-stage.fixture.ts';
import { EVENTUALLY, FAST_BLOCKS, RUN_MS, SOON } from '../stage-times.fixture.ts';
import { Broadcaster } from '../wallet/broadcaster.ts';

const SOME = parseHype('0.1');
/** In as many blocks: pauses of 5, 10 and 20 blocks go by meanwhile. */
const DUST_DEPOSITS = 40;
/** Calls whoever calls it, with all that came. */
const SENDS_BACK = '0x5f5f5f5f34335af100';
const NO_CONTRACT = '0x9965507D1a55bcC2695C58ba16FB37d819B0A4dc';

const own = stageForFile(FAST_BLOCKS);

interface Wallet {
  readonly jobId: string;
  readonly wallet: Address;
  readonly token: Address;
}

async function due(
  { jobId, wallet, token }: Wallet,
  amountWei: bigint,
  to: Address | null,
  {
    activated = false,
    walletIndex = 0,
    returnId = `${jobId}/return-1`,
    depositIds = [`${returnId}/deposit`],
  }: { activated?: boolean; walletIndex?: number; returnId?: string; depositIds?: string[] } = {},
): Promise<void> {
  await own.stage.jobs.returnDue(jobId, {
    returnId,
    amountWei: amountWei.toString(),
    walletAddress: wallet,
    walletIndex,
    tokenAddress: token,
    depositIds,
    to,
    activated,
    blockNumber: 1,
    ...(to === null ? { holdReason: 'it came from a contract' } : {}),
  });
}

const words = (jobId: string) => own.stage.jobs.returns(jobId);

interface Told {
  readonly depositId?: string;
  readonly returnedWei?: string;
  readonly reason?: string;
  readonly amountWei: string;
}

async function told(jobId: string, kinds: readonly string[]) {
  await vi.waitFor(() => expect(words(jobId).map(({ kind }) => kind)).toEqual(kinds), EVENTUALLY);
  return words(jobId).map(({ data }) => data as Told);
}

const ask = () => own.stage.jobs.app.get(RequestClient);

async function blocksPass(count: number): Promise<void> {
  const until = (await own.stage.client.getBlockNumber()) + BigInt(count);
  await vi.waitFor(async () => expect(await own.stage.client.getBlockNumber()).toBeGreaterThanOrEqual(until), SOON);
}

const receiptOf = ({ jobId }: Wallet) => own.stage.receiptOf({ jobId } as never);

describe('money of a job that never ran (design § 4)', () => {
  it('is returned once, less gas to the wei', { timeout: RUN_MS }, async () => {
    await own.stage.startMaker();
    const job = await own.stage.unpaidJob(SOME);
    await due(job, SOME, job.payer, job);
    await due(job, SOME, job.payer, job);
    const [word] = await told(job.jobId, ['returned']);
    const receipt = await receiptOf(job);
    expect(await own.stage.balance(job.payer)).toBe(BigInt(word?.returnedWei ?? '0'));
    expect(BigInt(word?.returnedWei ?? '0') + BigInt(receipt.gasWei)).toBe(SOME);
    expect(await own.stage.balance(job.wallet)).toBe(0n);
    expect(receipt).toMatchObject({
      heldWei: '0',
      returnedWei: word?.returnedWei,
      ordersPlaced: 0,
      plannedOrders: 0,
    });
    expect(receipt.transfers).toMatchObject([{ kind: 'return', status: 'final', to: job.payer }]);
  });

  it('holds dust and unknown senders until a release', { timeout: RUN_MS }, async () => {
    await own.stage.startMaker();
    const dust = await own.stage.unpaidJob(1n);
    await due(dust, 1n, dust.payer, dust);
    const contract = await own.stage.unpaidJob(SOME);
    await due(contract, SOME, null, contract);
    expect((await told(dust.jobId, ['held']))[0]?.reason).toMatch(/too small/);
    expect((await told(contract.jobId, ['held']))[0]?.reason).toBe('it came from a contract');
    expect(await receiptOf(contract)).toMatchObject({
      heldWei: SOME.toString(),
      heldReason: 'it came from a contract',
    });
    expect(await own.stage.balance(dust.wallet)).toBe(1n);

    await expect(own.stage.release(contract)).rejects.toMatchObject({ code: 'NOT_POSSIBLE_NOW' });
    const { jobId } = contract;
    await own.stage.release(contract, { to: contract.payer });
    await told(jobId, ['held', 'released', 'returned']);
    const { returnedWei, gasWei, heldReason } = await receiptOf(contract);
    expect(BigInt(returnedWei) + BigInt(gasWei)).toBe(SOME);
    expect(heldReason).toBeUndefined();
    expect(await own.stage.balance(contract.payer)).toBe(BigInt(returnedWei));
    await expect(own.stage.release(contract)).rejects.toMatchObject({
      code: 'NOT_POSSIBLE_NOW',
      message: expect.stringMatching(/Nothing/),
    });
  });

  it('waits, visibly, while an operator pauses all jobs', { timeout: RUN_MS }, async () => {
    await own.stage.startMaker();
    await ask().request(setPause, { operator: 'spec' });
    const job = await own.stage.unpaidJob(SOME);
    await due(job, SOME, job.payer, job);
    await vi.waitFor(async () => expect((await receiptOf(job)).paused?.reason).toBe('operator'), SOON);
    const since = await own.stage.client.getBlockNumber();
    await vi.waitFor(async () => expect(await own.stage.client.getBlockNumber()).toBeGreaterThan(since + 3n), SOON);
    expect(await own.stage.balance(job.wallet)).toBe(SOME);
    await own.stage.command({ action: 'resume_all' });
    await told(job.jobId, ['returned']);
  });
});

describe('a return (design § 5)', () => {
  it('sends the same bytes once after a crash', { timeout: RUN_MS }, async () => {
    const first = await own.stage.startMaker();
    Object.assign(first.get(Broadcaster), { broadcast: () => Promise.reject(new Error('the process died here')) });
    const job = await own.stage.unpaidJob(SOME);
    await due(job, SOME, job.payer, job);
    const transfers = async () => (await receiptOf(job)).transfers;
    await vi.waitFor(async () => expect(await transfers()).toMatchObject([{ status: 'signed' }]), SOON);
    const [signed] = await transfers();
    await own.stage.crash(first);
    await own.stage.startMaker();
    await told(job.jobId, ['returned']);
    expect(await transfers()).toMatchObject([{ status: 'final', transactionHash: signed?.transactionHash }]);
    expect(await own.stage.client.getTransactionCount({ address: job.wallet })).toBe(1);
  });

  it('is sent once by two concurrent processes', { timeout: RUN_MS }, async () => {
    await Promise.all([own.stage.startMaker(), own.stage.startMaker()]);
    const jobs = await Promise.all(Array.from({ length: 4 }, () => own.stage.unpaidJob(SOME)));
    await Promise.all(jobs.map((job) => due(job, SOME, job.payer, job)));
    for (const job of jobs) {
      const [word] = await told(job.jobId, ['returned']);
      expect(await own.stage.balance(job.payer)).toBe(BigInt(word?.returnedWei ?? '0'));
      expect(await own.stage.client.getTransactionCount({ address: job.wallet })).toBe(1);
    }
  });
});

describe('a wallet at rest (design § 5)', () => {
  it('stops on missing money and resumes when back', { timeout: RUN_MS }, async () => {
    const maker = await own.stage.startMaker({ MAKER_RECONCILE_SECONDS: '1' });
    const job = await own.stage.unpaidJob(SOME);
    await due(job, SOME, null, job);
    await told(job.jobId, ['held']);
    await own.stage.client.setBalance({ address: job.wallet, value: SOME - 5n });
    await vi.waitFor(async () => expect((await receiptOf(job)).paused?.reason).toBe('ledger_drift'), SOON);
    const asked = { jobId: job.jobId, walletAddress: job.wallet.toLowerCase() as Address };
    const { verdict, differenceWei, explanation } = await ask().request(reconcileJob, asked);
    expect({ verdict, differenceWei }).toEqual({ verdict: 'missing', differenceWei: '-5' });
    expect(explanation.join(' ')).toMatch(/less than the ledger.*is stopped/);
    const metrics = await maker.get(MetricsRegistry).metrics();
    expect(metrics).toMatch(/maker_\w*drift\w*\{[^}]*missing[^}]*\} [1-9]/);
    await own.stage.client.setBalance({ address: job.wallet, value: SOME });
    await vi.waitFor(async () => expect((await receiptOf(job)).paused).toBeUndefined(), SOON);
  });

  it('writes off lost money on an operator’s release', { timeout: RUN_MS }, async () => {
    await own.stage.startMaker({ MAKER_RECONCILE_SECONDS: '1' });
    const job = await own.stage.unpaidJob(SOME);
    await due(job, SOME, null, job);
    await told(job.jobId, ['held']);
    await own.stage.client.setBalance({ address: job.wallet, value: 0n });
    await vi.waitFor(async () => expect((await receiptOf(job)).paused?.reason).toBe('ledger_drift'), SOON);
    await own.stage.release(job, { to: job.payer });
    const [, gone] = await told(job.jobId, ['held', 'held']);
    expect(gone).toMatchObject({ absent: true, reason: expect.stringMatching(/chain does not show/) });
    const asked = { jobId: job.jobId, walletAddress: job.wallet.toLowerCase() as Address };
    const missing = { verdict: 'equal', totals: { missing: SOME.toString(), held: SOME.toString() } };
    expect(await ask().request(reconcileJob, asked)).toMatchObject(missing);
    await vi.waitFor(async () => expect((await receiptOf(job)).paused).toBeUndefined(), SOON);
    expect(await receiptOf(job)).toMatchObject({ heldWei: '0' });
  });
});

describe('money that comes to a job beside its deposit (design § 4)', () => {
  it('goes to its own sender, to the wei', { timeout: RUN_MS * 2 }, async () => {
    await own.stage.startMaker({ MAKER_RECONCILE_SECONDS: '1' });
    const job = await own.stage.paidJob(own.stage.chain.tokens.both);
    const [second, third] = [own.stage.strangerOf(1), own.stage.strangerOf(2)];
    await own.stage.placed(job, 5);
    await own.stage.send(job.wallet, SOME);
    await due(job, SOME, second, { activated: true, returnId: `${job.jobId}/second` });
    expect(await own.stage.ended(job)).toMatchObject({ kind: 'completed' });
    const [early] = await told(job.jobId, ['returned']);
    expect(await own.stage.balance(second)).toBe(BigInt(early?.returnedWei ?? '0'));

    await own.stage.send(job.wallet, SOME);
    await due(job, SOME, third, { activated: true, returnId: `${job.jobId}/third` });
    const [, late] = await told(job.jobId, ['returned', 'returned']);
    expect(await own.stage.balance(third)).toBe(BigInt(late?.returnedWei ?? '0'));

    const { feeWei, tradedWei, gasWei, returnedWei, heldWei } = await own.stage.receiptOf(job);
    const gone = [feeWei, tradedWei, gasWei, returnedWei, heldWei].reduce((sum, wei) => sum + BigInt(wei), 0n);
    expect(gone).toBe(job.depositWei + SOME * 2n);
    expect(await own.stage.balance(job.wallet)).toBe(0n);
    const { verdict } = await ask().request(reconcileJob, { jobId: job.jobId, walletAddress: NO_CONTRACT });
    expect(verdict).toBe('equal');
  });

  it('is noticed between transactions of every block', { timeout: RUN_MS }, async () => {
    await own.stage.startMaker({ MAKER_RECONCILE_SECONDS: '2', windowSeconds: 60 });
    const job = await own.stage.paidJob(own.stage.chain.tokens.both);
    await own.stage.placed(job, 3);
    await own.stage.send(job.wallet, SOME);
    const came = (job.depositWei + SOME).toString();
    await vi.waitFor(async () => expect((await own.stage.receiptOf(job)).depositWei).toBe(came), SOON);
    const { ordersPlaced, plannedOrders } = await own.stage.receiptOf(job);
    expect(ordersPlaced).toBeLessThan(plannedOrders);
    expect(own.stage.jobs.pauses(job.jobId)).toEqual([]);
    await own.stage.placed(job, ordersPlaced + 3);
    await own.stage.jobs.cancel(job.jobId);
    await own.stage.ended(job);
  });

  it('is reported once by the sender’s witness', { timeout: RUN_MS }, async () => {
    await own.stage.startMaker({ MAKER_RECONCILE_SECONDS: '1' });
    const { explanations } = own.stage.jobs;
    const job = await own.stage.unpaidJob(SOME);
    await due(job, SOME, job.payer, job);
    await told(job.jobId, ['returned']);
    await own.stage.send(job.wallet, SOME);
    await vi.waitFor(async () => expect((await receiptOf(job)).heldWei).toBe(SOME.toString()), SOON);
    await blocksPass(6);
    explanations.completeToBlock = Number.MAX_SAFE_INTEGER;
    explanations.credited = ['late'];
    await blocksPass(6);
    explanations.known = ['late'];
    await due(job, SOME, own.stage.strangerOf(4), { ...job, returnId: `${job.jobId}/late` });
    await told(job.jobId, ['returned', 'returned']);
    expect(await own.stage.balance(job.wallet)).toBe(0n);
    await blocksPass(6);
    expect(words(job.jobId)).toHaveLength(2);
    Object.assign(explanations, { completeToBlock: -1, credited: [], known: [] });
  });

  it('is found by the ledger and reported', { timeout: RUN_MS }, async () => {
    await own.stage.startMaker({ MAKER_RECONCILE_SECONDS: '1' });
    const job = await own.stage.unpaidJob(SOME);
    await due(job, SOME, job.payer, job);
    await told(job.jobId, ['returned']);
    await own.stage.client.setBalance({ address: job.wallet, value: 77n });
    own.stage.jobs.explanations.completeToBlock = Number.MAX_SAFE_INTEGER;
    const [, found] = await told(job.jobId, ['returned', 'surplus']);
    expect(found?.amountWei).toBe('77');
    own.stage.jobs.explanations.completeToBlock = -1;
  });
});

describe('money that its recipient sends back (threats, law 1)', () => {
  it('is retried, then held with the reason', { timeout: RUN_MS }, async () => {
    await own.stage.startMaker({ MAKER_RECONCILE_SECONDS: '1' });
    own.stage.jobs.explanations.completeToBlock = Number.MAX_SAFE_INTEGER;
    const recipient = own.stage.strangerOf(8);
    await own.stage.client.setCode({ address: recipient, bytecode: SENDS_BACK });
    const job = await own.stage.unpaidJob(SOME);
    await due(job, SOME, recipient, job);
    const kinds: string[] = [];
    for (let round = 1; round <= 4; round += 1) {
      kinds.push('returned', 'surplus');
      const { amountWei, depositId } = (await told(job.jobId, kinds)).at(-1) as Told;
      const refund = { returnId: `${job.jobId}/back-${round}`, depositIds: [depositId as string] };
      await due(job, BigInt(amountWei), recipient, { ...job, ...refund });
    }
    const all = await told(job.jobId, [...kinds, 'held']);
    expect(all.at(-1)?.reason).toMatch(/came back each time/);
    expect((await receiptOf(job)).heldReason).toMatch(/came back each time/);
    expect((await receiptOf(job)).heldWei).toBe(String(await own.stage.balance(job.wallet)));
    own.stage.jobs.explanations.completeToBlock = -1;
  });
});

describe('dust that comes to an ended wallet again and again (threats, law 3)', () => {
  it('backs off for dust and returns real money', { timeout: RUN_MS }, async () => {
    const maker = await own.stage.startMaker({ MAKER_RECONCILE_SECONDS: '1' });
    const chain = maker.get(ChainAccess);
    const read = chain.reading.bind(chain);
    let looks = 0;
    const job = await own.stage.unpaidJob(SOME);
    Object.assign(chain, {
      reading: (...asked: Parameters<typeof read>) => {
        if (asked[0] === job.wallet) looks += 1;
        return read(...asked);
      },
    });
    await due(job, SOME, job.payer, job);
    await told(job.jobId, ['returned']);
    looks = 0;
    for (let number = 1; number <= DUST_DEPOSITS; number += 1) {
      await own.stage.send(job.wallet, 1n);
      await due(job, 1n, own.stage.strangerOf(6), { ...job, returnId: `${job.jobId}/dust-${number}` });
    }
    expect(looks).toBeLessThan(DUST_DEPOSITS / 3);

    await own.stage.send(job.wallet, SOME);
    await due(job, SOME, own.stage.strangerOf(7), { ...job, returnId: `${job.jobId}/real` });
    const all = await told(job.jobId, ['returned', ...Array(DUST_DEPOSITS).fill('held'), 'returned']);
    expect(await own.stage.balance(own.stage.strangerOf(7))).toBe(BigInt(all.at(-1)?.returnedWei ?? '0'));
    expect(await own.stage.balance(job.wallet)).toBe(BigInt(DUST_DEPOSITS));
  });
});
