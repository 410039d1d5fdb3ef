import type { ClaimVerdict } from '@maker/chain';
import type { CreditedDeposit } from '@maker/contracts';
import type { CreditedDeposits, CreditedPage, Execution, RefundsRepository } from '@maker/execution-records';
import { type RequestClient, RequestFailedError } from '@maker/messaging';
import { pino } from 'pino';
import { beforeEach, expect, it } from 'vitest';
import { DepositsKnown } from './deposits-known.ts';

/** Answers of the fakes: payment-watcher's pages, the job service's deposits and refunds, and the refunds stored here. */
let pages: CreditedPage[];
let jobKnows: string[];
let returnIds: string[];
let here: string[];
let failure: Error | undefined;
let explained: DepositsKnown;
let lines: object[];
let verdict: ClaimVerdict;

const WALLET = { id: 'job', walletAddress: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' } as unknown as Execution;
const TRANSFER = { from: `0x${'aa'.repeat(20)}`, transactionHash: `0x${'01'.repeat(32)}`, amountWei: '5' };

const page = (completeToBlock: number, ...depositIds: string[]): CreditedPage => ({
  completeToBlock,
  deposits: depositIds.map((depositId) => ({ depositId, ...TRANSFER }) as CreditedDeposit),
});

beforeEach(() => {
  pages = [page(10, 'a', 'b'), page(10, 'c')];
  jobKnows = ['a', 'b', 'c'];
  returnIds = ['r'];
  here = ['r'];
  failure = undefined;
  lines = [];
  verdict = 'waiting';
  const requests = {
    async request(_contract: unknown, { depositIds }: { depositIds: string[] }) {
      if (failure) throw failure;
      return { depositIds: depositIds.filter((id) => jobKnows.includes(id)), returnIds };
    },
  };
  const credited = {
    async *pages() {
      yield* pages;
    },
  };
  const refunds = { areKnown: async (ids: string[]) => ids.every((id) => here.includes(id)) };
  explained = new DepositsKnown(
    requests as unknown as RequestClient,
    credited as unknown as CreditedDeposits,
    refunds as unknown as RefundsRepository,
    { prove: async () => verdict },
    pino({ level: 'debug' }, { write: (line: string) => lines.push(JSON.parse(line)) }),
  );
});

it('is complete when every deposit and refund is known', async () => {
  expect(await explained.isComplete(WALLET, 10)).toBe(true);
});

it('is complete without a deposit that the chain refutes', async () => {
  jobKnows.pop();
  verdict = 'refuted';
  expect(await explained.isComplete(WALLET, 10)).toBe(true);
});

it.each<[string, () => void]>([
  ['payment-watcher has not credited all up to the block', () => pages.splice(0, 1, page(9, 'a', 'b'))],
  ['the job service does not know a deposit', () => jobKnows.pop()],
  ['this service does not know a refund', () => here.pop()],
  [
    'a service does not answer',
    () => {
      failure = new RequestFailedError('UNAVAILABLE', 'no answer');
    },
  ],
])('is incomplete while %s', async (_, change) => {
  change();
  expect(await explained.isComplete(WALLET, 10)).toBe(false);
});

it('logs a service that does not answer at debug level', async () => {
  failure = new RequestFailedError('UNAVAILABLE', 'no answer');
  await explained.isComplete(WALLET, 10);
  expect(lines).toMatchObject([
    {
      level: 20,
      jobId: 'job',
      err: { code: 'UNAVAILABLE' },
      msg: 'deposits not explained, a service does not answer',
    },
  ]);
});

it('rethrows an internal error', async () => {
  failure = new TypeError('undefined is no function');
  await expect(explained.isComplete(WALLET, 10)).rejects.toThrow(failure);
});
