import { erc20Abi } from '@maker/chain';
import {
  derivedPlan,
  type Execution,
  type Inclusion,
  type Pause,
  type TransactionPurpose,
  type TransactionRecord,
} from '@maker/execution-records';
import { startedExecution, WALLET } from '@maker/execution-records/testing';
import { type Deposit, NO_ORDERS, sumsOf } from '@maker/receipt';
import { DEFAULT_PLAN_LIMITS } from '@maker/rules';
import { type Address, encodeFunctionData, getAddress } from 'viem';
import { describe, expect, it } from 'vitest';
import { type HeadSources, receiptHead } from './receipt-head.ts';

const at = (minute: number) => new Date(Date.UTC(2026, 10, 21, 8, minute));
const depositWei = 10n ** 18n;
const plan = derivedPlan(depositWei / 2n, at(0).getTime(), DEFAULT_PLAN_LIMITS);
const job = { jobId: 'job_1', tokenAddress: WALLET, walletIndex: 1, depositWei, plan } as const;
const running = startedExecution(job, at(0));
const ended: Execution = { ...running, ending: { kind: 'completed', message: 'the budget is spent' }, endedAt: at(30) };

const pause = (from: number, to: number | null): Pause => ({
  id: `${from}`,
  jobId: 'job_1',
  reason: 'gas_guardrail',
  since: at(from),
  until: to === null ? null : at(to),
});

function pausesOf(execution: Execution, pauses: readonly Pause[]) {
  const none = { transfers: [], deposits: [], orders: NO_ORDERS, newestOrder: undefined, isUnfinished: false };
  return receiptHead({ ...none, execution, pauses, chainId: 31337 }).pauses.map(({ from, to }) => [
    new Date(from).getUTCMinutes(),
    to && new Date(to).getUTCMinutes(),
  ]);
}

it('lists every pause, open ones while the job runs', () => {
  const pauses = Array.from({ length: 300 }, (_, index) => pause(index % 20, (index % 20) + 1));
  expect(pausesOf(running, pauses)).toHaveLength(300);
  expect(pausesOf(running, [pause(1, 3), pause(5, null)])).toEqual([
    [1, 3],
    [5, null],
  ]);
});

it('cuts pauses at the job’s end', () => {
  expect(pausesOf(ended, [pause(1, 3), pause(5, null), pause(6, 40)])).toEqual([
    [1, 3],
    [5, 30],
    [6, 30],
  ]);
});

it('lets no pause end before it began', () => {
  expect(pausesOf(ended, [pause(7, 6), pause(35, null)])).toEqual([
    [7, 7],
    [35, 35],
  ]);
});

const PAYER = getAddress(`0x${'aa'.repeat(20)}`);
const STRANGER = getAddress(`0x${'bb'.repeat(20)}`);
const low = (address: Address) => address.toLowerCase() as Address;

function mined(
  purpose: TransactionPurpose,
  blockNumber: number,
  more: Partial<TransactionRecord> = {},
): TransactionRecord {
  const inclusion = {
    hash: `0x${blockNumber}`,
    blockNumber,
    blockHash: `0xb${blockNumber}`,
    blockAt: at(blockNumber),
    succeeded: true,
    gasWei: 3n,
    movedWei: 40n,
    receivedTokens: 0n,
    sentTokens: 7n,
  } as Inclusion;
  const id = `job_1/${purpose}/1`;
  return { id, jobId: 'job_1', purpose, nonce: blockNumber, to: PAYER, inclusion, ...more } as TransactionRecord;
}

const transferTo = (to: Address) => encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, 9n] });
const deposit = (from: Address | null, pays = true): Deposit => ({
  kind: from === null ? 'untraced' : 'transfer',
  from,
  transactionHash: null,
  blockNumber: null,
  amountWei: '100',
  pays,
});

function head(sources: Partial<HeadSources> = {}) {
  return receiptHead({
    execution: ended,
    chainId: 31337,
    transfers: [],
    isUnfinished: false,
    deposits: [],
    pauses: [],
    orders: NO_ORDERS,
    newestOrder: undefined,
    ...sources,
  });
}

describe('the head of a receipt (docs/receipt.md)', () => {
  it('states the job, its published terms and its end', () => {
    const transfers = [mined('fee', 2)];
    const deposits = [deposit(PAYER)];
    const token = { symbol: 'DEMO', decimals: 6 };
    const execution = {
      ...ended,
      token,
      returnAddress: PAYER,
      releasedAt: at(31),
      heldReason: 'the token reverts',
      plan: { ...plan, seenPriceX96: 77n },
    } as Execution;
    const complete = head({ execution, transfers, deposits });
    expect(complete).toEqual({
      format: 'maker-receipt-2',
      state: 'final',
      agreement: ended.terms,
      jobId: 'job_1',
      chainId: 31337,
      asOf: { blockNumber: 2, blockHash: '0xb2', at: '2026-11-21T08:02:00.000Z' },
      wallet: low(WALLET),
      token: { address: low(WALLET), ...token },
      payer: PAYER,
      returnAddress: low(PAYER),
      rules: {
        version: 1,
        feePercent: 30,
        paidWei: `${depositWei}`,
        slotMs: plan.slotMs,
        tradingEndsAt: plan.tradingEndsAt.toISOString(),
        latestEndAt: plan.latestEndAt.toISOString(),
        seenPriceX96: '77',
        bandBps: plan.bandBps,
        slippageBps: plan.slippageBps,
      },
      deposits,
      transfers: complete.transfers,
      pauses: [],
      ending: { kind: 'completed', message: 'the budget is spent', at: '2026-11-21T08:30:00.000Z' },
      releasedAt: '2026-11-21T08:31:00.000Z',
      heldReason: 'the token reverts',
      sums: sumsOf({ deposits, transfers: complete.transfers }, NO_ORDERS),
    });
  });

  it('leaves unknown facts empty', () => {
    expect(
      head({ execution: { ...ended, token: null, returnAddress: null, releasedAt: null } as Execution }),
    ).toMatchObject({
      asOf: null,
      token: { symbol: '', decimals: 18 },
      payer: null,
      returnAddress: null,
      rules: { seenPriceX96: null },
      releasedAt: null,
    });
  });

  it('is interim until everything has ended', () => {
    const stateOf = (sources: Partial<HeadSources>) => {
      const { state, ending } = head(sources);
      return [state, ending?.kind];
    };
    expect(stateOf({})).toEqual(['final', 'completed']);
    expect(stateOf({ isUnfinished: true })).toEqual(['interim', undefined]);
    expect(stateOf({ execution: running })).toEqual(['interim', undefined]);
    expect(stateOf({ execution: { ...ended, endedAt: null } })).toEqual(['interim', undefined]);
    expect(stateOf({ execution: { ...ended, ending: null } })).toEqual(['interim', undefined]);
  });

  it('names recipient and amount of each transfer', () => {
    const { transfers } = head({
      transfers: [
        mined('delivery', 3, { to: WALLET, data: transferTo(STRANGER) }),
        mined('refund', 4, { to: STRANGER }),
        mined('return', 5),
      ],
    });
    const shared = { succeeded: true, gasWei: '3' };
    expect(transfers).toEqual([
      { kind: 'delivery', nonce: 3, transactionHash: '0x3', blockNumber: 3, to: low(STRANGER), amount: '7', ...shared },
      { kind: 'refund', nonce: 4, transactionHash: '0x4', blockNumber: 4, to: low(STRANGER), amount: '40', ...shared },
      { kind: 'return', nonce: 5, transactionHash: '0x5', blockNumber: 5, to: low(PAYER), amount: '40', ...shared },
    ]);
  });

  it('rejects other transactions as transfers', () => {
    expect(() => head({ transfers: [mined('order', 3)] })).toThrow('job_1/order/1 is no transfer in a block');
    expect(() => head({ transfers: [mined('fee', 3, { inclusion: null })] })).toThrow('job_1/fee/1 is no transfer');
    const balanceOf = encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [PAYER] });
    expect(() => head({ transfers: [mined('delivery', 3, { data: balanceOf })] })).toThrow(
      'job_1/delivery/1 sends no tokens',
    );
  });

  it('covers the newest block of any transaction', () => {
    const newest = (blocks: number[], order?: number) =>
      head({
        transfers: blocks.map((block) => mined('fee', block)),
        newestOrder: order === undefined ? undefined : (mined('fee', order).inclusion ?? undefined),
      }).asOf?.blockNumber;
    expect([newest([2, 5, 4]), newest([2, 5], 9), newest([2, 5], 3), newest([], 0)]).toEqual([5, 9, 5, 0]);
    const first = mined('fee', 2);
    const second = mined('fee', 2, { inclusion: first.inclusion && { ...first.inclusion, blockHash: '0xb3' } });
    expect(head({ transfers: [first, second] }).asOf?.blockHash).toBe('0xb2');
  });

  it('names a payer only for a sole sender', () => {
    const payer = (...deposits: Deposit[]) => head({ deposits }).payer;
    expect(payer(deposit(PAYER), deposit(PAYER), deposit(STRANGER, false))).toBe(PAYER);
    expect(payer(deposit(PAYER), deposit(STRANGER))).toBeNull();
    expect(payer(deposit(PAYER), deposit(null))).toBeNull();
    expect(payer(deposit(null))).toBeNull();
    expect(payer(deposit(PAYER, false))).toBeNull();
  });
});
