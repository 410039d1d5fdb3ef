import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { erc20Abi } from '@maker/chain';
import { getSignedReceipt, listSignedOrders, setPause } from '@maker/contracts';
import { RequestClient } from '@maker/messaging';
import {
  addOrder,
  contentHashOf,
  NO_ORDERS,
  openReceipt,
  type ReceiptFile,
  readFacts,
  receiptTypedData,
  type SignedReceipt,
  type SignedTransfer,
  sumsOf,
  type Verdict,
  verifyReceipt,
} from '@maker/receipt';
import { parseHype } from '@maker/rules';
import { type Address, encodeFunctionData, type Hash, maxUint256, parseAbi } from 'viem';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { MakerStage, type PaidJob, RUN_MS, SOON } from '../maker-stage.fixture.ts';

const run = promisify(execFile);
const VERIFY = new URL('../../../verify/src/main.ts', import.meta.url).pathname;

let stage: MakerStage;
let folder: string;

beforeAll(async () => {
  stage = await MakerStage.start();
  folder = await mkdtemp(join(tmpdir(), 'receipts-'));
});
afterEach(() => stage.stopMakers());
afterAll(async () => {
  await stage?.stop();
  await rm(folder, { recursive: true, force: true });
});

/** The file as the gateway puts it together. */
async function fileOf({ jobId }: PaidJob): Promise<ReceiptFile> {
  const requests = stage.jobs.app.get(RequestClient);
  const { receipt } = await requests.request(getSignedReceipt, { jobId });
  if (!receipt) throw new Error('nothing is signed');
  const { orders } = await requests.request(listSignedOrders, { jobId, limit: 500 });
  const head = JSON.parse(receipt.headPart) as SignedReceipt;
  const told = orders.slice(0, receipt.orderCount).map((order) => JSON.parse(order) as SignedReceipt['orders'][number]);
  return { receipt: { ...head, orders: told }, signature: receipt.signature as Hash };
}

async function judge(file: ReceiptFile): Promise<Verdict> {
  const opened = await openReceipt(JSON.parse(JSON.stringify(file)));
  if ('broken' in opened) return { broken: opened.broken, proven: [], unknown: [] };
  return verifyReceipt(opened.file, await readFacts(stage.client, opened.file.receipt));
}

/** Whether one of the newest blocks has this time. */
async function isBlockTime(time: string): Promise<boolean> {
  const seconds = BigInt(Date.parse(time) / 1000);
  let block = await stage.client.getBlock();
  while (block.timestamp > seconds) block = await stage.client.getBlock({ blockNumber: block.number - 1n });
  return block.timestamp === seconds;
}

/** A receipt as a dishonest service would sign it, by the job's own key, with sums that fit. */
async function vouchedFor(job: PaidJob, receipt: SignedReceipt): Promise<ReceiptFile> {
  const fitting = { ...receipt, sums: sumsOf(receipt, receipt.orders.reduce(addOrder, NO_ORDERS)) };
  const signature = await stage.signerOf(job).signTypedData(receiptTypedData(fitting, await contentHashOf(fitting)));
  return { receipt: fitting, signature };
}

/** A transaction of the wallet, told as a transfer of some kind. */
async function toldAs(kind: SignedTransfer['kind'], hash: Hash, to: Address, amount: bigint): Promise<SignedTransfer> {
  const { nonce } = await stage.client.getTransaction({ hash });
  const { blockNumber, gasUsed, effectiveGasPrice } = await stage.client.getTransactionReceipt({ hash });
  return {
    kind,
    succeeded: true,
    nonce,
    transactionHash: hash,
    blockNumber: Number(blockNumber),
    to: to.toLowerCase() as Address,
    amount: `${amount}`,
    gasWei: `${gasUsed * effectiveGasPrice}`,
  };
}

/** The receipt up to a later transaction. */
async function upTo(receipt: SignedReceipt, transfer: SignedTransfer): Promise<SignedReceipt> {
  const block = await stage.client.getBlock({ blockNumber: BigInt(transfer.blockNumber) });
  const at = new Date(Number(block.timestamp) * 1000).toISOString();
  return {
    ...receipt,
    asOf: { blockNumber: transfer.blockNumber, blockHash: block.hash, at },
    transfers: [...receipt.transfers, transfer],
  };
}

describe('the signed receipt of a job (design § 2.6)', () => {
  it(
    'is accepted by a stranger, during the job and at its end, and by the program with nothing but an endpoint',
    async () => {
      await stage.startMaker();
      const job = await stage.paidJob(stage.chain.tokens.both, { byTransfer: true });
      await stage.placed(job, 10);
      const interim = await fileOf(job);
      expect(interim.receipt.state).toBe('interim');
      expect((await judge(interim)).broken).toBeUndefined();
      expect(await stage.ended(job)).toMatchObject({ kind: 'completed' });
      const file = await fileOf(job);
      expect(file.receipt).toMatchObject({ state: 'final', payer: job.payer.toLowerCase() });
      expect((await judge(file)).broken).toBeUndefined();
      // What came after an interim receipt is not its matter.
      expect((await judge(interim)).broken).toBeUndefined();

      const path = join(folder, 'receipt.json');
      await writeFile(path, JSON.stringify(file));
      const program = ['--conditions=@maker/source', VERIFY, path, '--rpc', stage.chain.rpcUrl];
      const { stdout } = await run(process.execPath, program);
      expect(stdout).toContain('All of this receipt that the chain can tell is so.');
      const forged = { ...file, receipt: { ...file.receipt, payer: job.wallet.toLowerCase() } };
      await writeFile(path, JSON.stringify(forged));
      await expect(run(process.execPath, program)).rejects.toMatchObject({ code: 1 });
    },
    RUN_MS * 2,
  );
});

describe('pauses in the signed receipt (design § 4)', () => {
  it(
    'are all told by the chain’s clock, the operators’ as well, and one that lasts as such',
    async () => {
      await stage.startMaker();
      const plan = await stage.plan({ slotMs: 500 });
      const job = await stage.paidJob(stage.chain.tokens.both, { byTransfer: true, plan });
      const { jobId } = job;
      await stage.placed(job, 1);
      await stage.client.setNextBlockBaseFeePerGas({ baseFeePerGas: 20n * 10n ** 9n });
      await vi.waitFor(
        () => expect(stage.jobs.pauses(jobId)).toEqual(['paused gas_guardrail', 'resumed gas_guardrail']),
        SOON,
      );
      const pause = (which: { jobId?: string }) =>
        stage.jobs.app.get(RequestClient).request(setPause, { ...which, operator: 'spec' });
      await pause({ jobId });
      const waiting = await fileOf(job);
      expect(waiting.receipt.pauses).toMatchObject([{ reason: 'gas_guardrail' }, { reason: 'operator', to: null }]);
      await stage.command({ action: 'resume', jobId }, ['anna']);
      await pause({});
      await stage.command({ action: 'resume_all' });
      await pause({ jobId });
      await stage.jobs.cancel(jobId);
      expect(await stage.ended(job)).toMatchObject({ kind: 'failed' });
      const { receipt } = await fileOf(job);
      const reasons = receipt.pauses.map(({ reason }) => reason);
      expect(reasons).toEqual(['gas_guardrail', 'operator', 'operator', 'operator']);
      for (const { from, to } of receipt.pauses) {
        expect(await isBlockTime(from)).toBe(true);
        expect(await isBlockTime(to ?? '')).toBe(true);
      }
      expect((await judge(await fileOf(job))).broken).toBeUndefined();
      // After its end the job does not wait for anything.
      await pause({});
      await stage.command({ action: 'resume_all' });
      expect(await stage.receiptOf(job)).toMatchObject({ pausesInAll: receipt.pauses.length });
    },
    RUN_MS * 2,
  );
});

describe('an executor that breaks a rule is found out on the chain, though the wallet vouches for it', () => {
  let job: PaidJob;
  let honest: SignedReceipt;
  const stranger = `0x${'99'.repeat(20)}` as const;

  /** A job that holds tokens and HYPE, so that its wallet has something to do wrong. */
  beforeAll(async () => {
    await stage.startMaker();
    job = await stage.paidJob(stage.chain.tokens.v2Only, { byTransfer: true, returnAddress: null });
    expect(await stage.ended(job)).toMatchObject({ kind: 'completed' });
    const file = await fileOf(job);
    expect((await judge(file)).broken).toBeUndefined();
    honest = file.receipt;
    await stage.stopMakers();
  }, RUN_MS * 2);

  async function findingOf(receipt: SignedReceipt) {
    return (await judge(await vouchedFor(job, receipt))).broken;
  }

  it('when it funds a second wallet, told as a refund or not at all (design § 2.1)', async () => {
    const value = parseHype('0.001');
    const hash = await stage.sendAs(job.wallet, { to: stranger, value });
    expect(await findingOf(honest)).toMatchObject({
      rule: 'wallet',
      problem: expect.stringContaining('explains only'),
    });
    honest = await upTo(honest, await toldAs('refund', hash, stranger, value));
    expect(await findingOf(honest)).toMatchObject({ rule: 'returns', problem: expect.stringContaining(stranger) });
  });

  it('when it delivers elsewhere (design § 2.2)', async () => {
    const amount = 1000n;
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [stranger, amount] });
    const hash = await stage.sendAs(job.wallet, { to: job.token, data });
    honest = await upTo(honest, await toldAs('delivery', hash, stranger, amount));
    expect(await findingOf(honest)).toMatchObject({
      rule: 'delivery',
      problem: expect.stringContaining('neither the payer nor the return address'),
    });
  });

  it('when it sells what it bought (design § 2.2)', async () => {
    const { v2Router } = stage.chain.contracts;
    const abi = parseAbi([
      'function approve(address spender, uint256 amount)',
      'function swapExactTokensForETHSupportingFeeOnTransferTokens(uint256 amountIn, uint256 amountOutMin, address[] path, address to, uint256 deadline)',
    ]);
    const approve = encodeFunctionData({ abi, functionName: 'approve', args: [v2Router, maxUint256] });
    const approved = await stage.sendAs(job.wallet, { to: job.token, data: approve });
    const sell = encodeFunctionData({
      abi,
      functionName: 'swapExactTokensForETHSupportingFeeOnTransferTokens',
      args: [10n ** 12n, 0n, [job.token, stage.chain.contracts.whype], job.wallet, maxUint256],
    });
    const sold = await stage.sendAs(job.wallet, { to: v2Router, data: sell });
    honest = await upTo(honest, await toldAs('delivery', approved, stranger, 0n));
    const [last] = honest.orders.slice(-1);
    const { nonce, blockNumber, gasWei } = await toldAs('return', sold, v2Router, 0n);
    const block = await stage.client.getBlock({ blockNumber: BigInt(blockNumber) });
    if (!last) throw new Error('no order');
    const sale = {
      ...last,
      number: last.number + 1,
      nonce,
      transactionHash: sold,
      blockNumber,
      gasWei,
      minedAt: new Date(Number(block.timestamp) * 1000).toISOString(),
    };
    const asOf = { blockNumber, blockHash: block.hash, at: sale.minedAt };
    expect(await findingOf({ ...honest, asOf, orders: [...honest.orders, sale] })).toMatchObject({
      rule: 'only_buys',
      problem: expect.stringContaining(`Order ${sale.number}`),
    });
  });
});
