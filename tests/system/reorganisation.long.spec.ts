import type { CreateJobResponse, OperatorJobResponse, ReconciliationResponse } from '@maker/contracts';
import { formatHype, parseHype } from '@maker/rules';
import { type Address, createWalletClient, type Hex, http } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { describe, expect, it } from 'vitest';
import { ownStackForFile } from '../support/own-stack-for-file.ts';
import { expectProven } from '../support/proven-receipt.ts';
import { rollBackBelow } from '../support/roll-back.ts';
import { until } from '../support/until.ts';

const AMOUNT = '0.25';

const own = ownStackForFile(20, {
  'maker-executor': { MAKER_RECONCILE_SECONDS: '2' },
  'payment-watcher': { WATCHER_POLL_INTERVAL_SECONDS: '2' },
});

/** Signs and sends a payment; the same bytes can be sent again on another branch. */
async function pay(to: string, hype: string): Promise<Hex> {
  const { chain, stack } = own.product;
  const account = privateKeyToAccount(stack.payer.privateKey as Hex);
  const wallet = createWalletClient({ account, transport: http(stack.rpcUrl) });
  const bytes = await wallet.signTransaction({
    chain: null,
    type: 'eip1559',
    chainId: stack.chainId,
    to: to as Address,
    value: parseHype(hype),
    gas: 21_000n,
    nonce: await chain.getTransactionCount({ address: account.address }),
    maxFeePerGas: 20_000_000_000n,
    maxPriorityFeePerGas: 0n,
  });
  const hash = await chain.sendRawTransaction({ serializedTransaction: bytes });
  await chain.waitForTransactionReceipt({ hash });
  return bytes;
}

const paymentOf = ({ jobId }: CreateJobResponse) => own.product.payment(jobId);

async function timelineOf({ jobId }: CreateJobResponse): Promise<readonly string[]> {
  const { timeline } = await own.product.operate<OperatorJobResponse>('GET', `/jobs/${jobId}`);
  return timeline.map(({ action }) => action);
}

const reconciliationOf = ({ jobId }: CreateJobResponse) =>
  own.product.operate<ReconciliationResponse>('GET', `/jobs/${jobId}/reconciliation`);

const newJob = () => own.product.createJob(own.product.stack.tokens.v2Only, Number(AMOUNT));

describe('a reorganisation that drops a credited deposit (design § 4)', { timeout: 300_000 }, () => {
  it('before the job begins: uncounts until mined again', async () => {
    const job = await newJob();
    const before = await own.product.chain.getBlockNumber();
    const bytes = await pay(job.paymentAddress, '0.1');
    await until(
      'the credit',
      () => paymentOf(job),
      ({ receivedWei }) => receivedWei !== '0',
    );
    await rollBackBelow(own.product, before + 1n);
    const dropped = await until(
      'the drop',
      () => paymentOf(job),
      ({ droppedWei }) => droppedWei !== undefined,
    );
    expect(dropped).toMatchObject({
      receivedWei: '0',
      droppedWei: parseHype('0.1').toString(),
      status: 'pending_payment',
    });
    await own.product.chain.sendRawTransaction({ serializedTransaction: bytes });
    const back = await until(
      'its return to the chain',
      () => paymentOf(job),
      ({ receivedWei }) => receivedWei !== '0',
    );
    expect(back.droppedWei).toBeUndefined();
    expect(formatHype(BigInt(back.receivedWei))).toBe('0.1');
    const actions = (await timelineOf(job)).filter((action) => action.startsWith('deposit.'));
    expect(actions).toEqual(['deposit.credited', 'deposit.dropped', 'deposit.restored']);
  });

  it('amid trading: resends the same bytes exactly', async () => {
    const job = await newJob();
    const wallet = job.paymentAddress as Address;
    const before = await own.product.chain.getBlockNumber();
    const bytes = await pay(job.paymentAddress, AMOUNT);
    await until(
      'some orders',
      () => own.product.status(job.jobId),
      ({ receipt }) => (receipt?.ordersPlaced ?? 0) >= 5,
    );
    const fee = (await own.product.status(job.jobId)).receipt?.transfers[0];
    const treasury = await own.product.chain.getBalance({ address: own.product.stack.treasury as Address });
    await rollBackBelow(own.product, before + 1n);
    await until(
      'the stop of the wallet',
      () => own.product.status(job.jobId),
      ({ receipt }) => receipt?.paused?.reason === 'ledger_drift',
    );
    await until(
      'the drop',
      () => paymentOf(job),
      ({ droppedWei }) => droppedWei !== undefined,
    );
    expect(await own.product.chain.getTransactionCount({ address: wallet })).toBe(0);

    await own.product.chain.sendRawTransaction({ serializedTransaction: bytes });
    await until(
      'the end',
      () => paymentOf(job),
      ({ status }) => status === 'completed',
      { timeoutMs: 200_000 },
    );
    const { receipt } = await own.product.status(job.jobId);
    expect(receipt?.transfers[0]).toMatchObject({
      kind: 'fee',
      status: 'final',
      transactionHash: fee?.transactionHash,
    });
    expect(await own.product.chain.getBalance({ address: own.product.stack.treasury as Address })).toBe(treasury);
    const { verdict, differenceWei, usedNonces, signedNonces } = await reconciliationOf(job);
    expect({ verdict, differenceWei, usedNonces }).toEqual({
      verdict: 'equal',
      differenceWei: '0',
      usedNonces: signedNonces,
    });
    expect(await own.product.chain.getBalance({ address: wallet })).toBe(0n);
    await expectProven(own.product, job.jobId);
  });

  it('for good: is cancelled with a booked loss', async () => {
    const job = await newJob();
    const before = await own.product.chain.getBlockNumber();
    await pay(job.paymentAddress, AMOUNT);
    await until(
      'some orders',
      () => own.product.status(job.jobId),
      ({ receipt }) => (receipt?.ordersPlaced ?? 0) >= 2,
    );
    await rollBackBelow(own.product, before + 1n);
    await until(
      'the drop',
      () => paymentOf(job),
      ({ droppedWei }) => droppedWei !== undefined,
    );
    await own.product.command({ action: 'cancel', jobId: job.jobId });
    await until(
      'the end',
      () => paymentOf(job),
      ({ status }) => status === 'cancelled',
      { timeoutMs: 120_000 },
    );
    const { totals, differenceWei } = await reconciliationOf(job);
    expect(totals).toMatchObject({ missing: parseHype(AMOUNT).toString(), fee: '0', order: '0', returned: '0' });
    expect(differenceWei).toBe('0');
  });
});
