import type { SignedReceipt } from '@maker/receipt';
import { parseHype } from '@maker/rules';
import { type Address, encodeFunctionData, type Hex, maxUint256, parseAbi } from 'viem';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { type PaidJob, stageForFile } from '../maker-stage.fixture.ts';
import { EVENTUALLY, RUN_MS } from '../stage-times.fixture.ts';
import { DeviatingWallet, OWN_EXCHANGE } from './deviating-wallet.fixture.ts';
import { fileOf, judge, vouchedFor } from './receipt-files.fixture.ts';

/** Long enough to tell a burst from the two minutes for which an order is valid. */
const SLOT_SECONDS = 60;
/** A sixth of an order's validity, twice a second, so that each order is in a block before it expires. */
const STEP_SECONDS = 20;
const STEPS = { ...EVENTUALLY, interval: 500 };
const STRANGER: Address = `0x${'99'.repeat(20)}`;

const own = stageForFile();
let job: PaidJob;
let honest: SignedReceipt;
let wallet: DeviatingWallet;
let before: Hex;

/** A real job of a dozen orders. It has no return address, so that its wallet keeps tokens for the deviations. */
beforeAll(async () => {
  await own.stage.startMaker();
  const plan = await own.stage.plan({ slotMs: SLOT_SECONDS * 1000 }, { tradingMs: 86_400_000 });
  const { v2Only } = own.stage.chain.tokens;
  const change = { depositWei: parseHype('0.15'), byTransfer: true, returnAddress: null, plan } as const;
  job = await own.stage.paidJob(v2Only, change);
  await vi.waitFor(async () => {
    await own.stage.client.increaseTime({ seconds: STEP_SECONDS });
    await own.stage.client.mine({ blocks: 1 });
    expect(own.stage.jobs.endings(job.jobId)).toMatchObject([{ kind: 'completed' }]);
  }, STEPS);
  const file = await fileOf(own.stage, job);
  expect((await judge(own.stage, file)).broken).toBeUndefined();
  honest = file.receipt;
  await own.stage.stopMakers();
}, RUN_MS * 2);

beforeEach(async () => {
  before = await own.stage.client.snapshot();
  // The reverted test moved the clock, and the first block after it makes up the time.
  await own.stage.client.mine({ blocks: 1 });
  wallet = new DeviatingWallet(own.stage, job, honest);
});

afterEach(() => own.stage.client.revert({ id: before }));

describe('the verifier finds a broken rule despite a valid signature', () => {
  it.each<[what: string, rule: string, sentence: string, deviate: () => Promise<unknown>]>([
    [
      'it funds a second wallet, not in the receipt (design § 2.1)',
      'wallet',
      'explains only',
      () => wallet.sends(undefined, STRANGER, { value: 1000n }),
    ],
    [
      'it funds a second wallet as a refund (design § 2.1)',
      'returns',
      'which is owed nothing',
      () => wallet.sends('refund', STRANGER, { value: 1000n }),
    ],
    [
      'another wallet funds the job as the payer (design § 2.1)',
      'money_in',
      'came from',
      () => wallet.isPaidBy(own.stage.strangerOf(1), parseHype('0.1'), job.payer),
    ],
    [
      'another wallet funds the job beside the payer (design § 2.1)',
      'money_in',
      'is not from this address alone',
      async () => {
        await wallet.isPaidBy(own.stage.strangerOf(1), parseHype('0.1'));
        wallet.receipt = { ...wallet.receipt, payer: honest.payer };
      },
    ],
    [
      'the treasury funds the job (design § 2.1)',
      'money_in',
      'its money must not trade',
      () => wallet.isPaidBy(own.stage.treasury, parseHype('0.1')),
    ],
    ['it sells what it bought (design § 2.2)', 'only_buys', `not a purchase of a token`, () => wallet.sells()],
    [
      'it buys from another wallet instead of a pool (design § 2.2)',
      'only_buys',
      'which is not the router of an exchange that this verifier knows',
      () => wallet.orders(STRANGER, { value: parseHype('0.0004') }),
    ],
    [
      'it trades with its own contract as router and pool (design § 2.2)',
      'only_buys',
      `went to ${OWN_EXCHANGE}, which is not the router of an exchange that this verifier knows`,
      async () => {
        const router = await wallet.ownExchange();
        await strangerBuys('1', router);
        await wallet.buys({ router });
        expect(BigInt(wallet.receipt.orders.at(-1)?.receivedTokens ?? 0)).toBeGreaterThan(0n);
      },
    ],
    [
      'it buys for another address (design § 2.2)',
      'only_buys',
      `sends what it buys to ${STRANGER}`,
      () => wallet.buys({ recipient: STRANGER }),
    ],
    [
      'it accepts any price (design § 2.2)',
      'only_buys',
      'does not follow from its quote',
      () => wallet.buys({ minimumTokens: 1n }),
    ],
    [
      'it leaves an order valid for an hour (design § 4a)',
      'only_buys',
      'was valid for longer than 120 seconds',
      () => wallet.buys({ lifeSeconds: 3600 }),
    ],
    [
      'it delivers to another address (design § 2.2)',
      'delivery',
      'neither the payer nor the return address',
      () => wallet.delivers(STRANGER, 1000n),
    ],
    [
      'it lets another address take bought tokens (design § 2.2)',
      'balance',
      'which it did not send',
      () => wallet.allows(STRANGER, 1000n),
    ],
    [
      'it returns to another address (design § 4 Return address)',
      'returns',
      'which is owed nothing',
      () => wallet.sends('return', STRANGER, { value: 1000n }),
    ],
    [
      'it takes the fee twice (design § 4 Fee)',
      'fee',
      'was taken 2 times',
      () => wallet.sends('fee', own.stage.treasury, { value: parseHype('0.001') }),
    ],
    [
      'it places nine orders at once (design § 2.3)',
      'schedule',
      'ahead of the schedule',
      async () => {
        for (let order = 0; order < 9; order++) await wallet.buys();
      },
    ],
    [
      'it buys above the band, at the market (design § 2.4)',
      'price_band',
      'above the reference price of the band',
      async () => {
        await strangerBuys('400');
        await wallet.buys();
      },
    ],
    [
      'it leaves out an order (design § 2.6)',
      'wallet',
      'does not explain the wallet',
      async () => {
        const [, ...later] = honest.orders;
        wallet.receipt = { ...honest, orders: later };
      },
    ],
    [
      'it spends more than the order budget (design § 4a)',
      'sums',
      'more than the order budget of 0.005 HYPE',
      async () => {
        await advanceChain(60);
        await wallet.buys();
      },
    ],
    [
      'it buys in a pause of the receipt (design § 4)',
      'pauses',
      `was mined in the pause 'operator'`,
      async () => {
        const from = await chainTime();
        await advanceChain(300);
        await wallet.buys();
        await advanceChain(120);
        wallet.receipt = { ...wallet.receipt, pauses: [{ reason: 'operator', from, to: await chainTime() }] };
      },
    ],
    [
      'it buys after trading had to end (design § 4 End)',
      'schedule',
      'trading had to end at',
      async () => {
        await advanceChain(90_000);
        await wallet.buys();
      },
    ],
  ])('%s', { timeout: RUN_MS }, async (_what, rule, sentence, deviate) => {
    await deviate();
    const { broken } = await judge(own.stage, await vouchedFor(own.stage, job, wallet.receipt));
    expect(broken).toEqual({ rule, problem: expect.stringContaining(sentence) });
  });
});

/** Buys as a stranger, which moves the price. */
async function strangerBuys(hype: string, recipient?: Address): Promise<void> {
  const { contracts } = own.stage.chain;
  const buyer = own.stage.strangerOf(2);
  await own.stage.client.setBalance({ address: buyer, value: parseHype('1000') });
  const data = encodeFunctionData({
    abi: parseAbi(['function swapExactETHForTokens(uint256,address[],address,uint256) payable']),
    functionName: 'swapExactETHForTokens',
    args: [0n, [contracts.whype, job.token], recipient ?? buyer, maxUint256],
  });
  await own.stage.sendAs(buyer, { to: contracts.v2Router, value: parseHype(hype), data });
}

async function chainTime(): Promise<string> {
  return new Date(Number((await own.stage.client.getBlock()).timestamp) * 1000).toISOString();
}

/** Moves the chain's clock. */
async function advanceChain(seconds: number): Promise<void> {
  await own.stage.client.increaseTime({ seconds });
  await own.stage.client.mine({ blocks: 1 });
}
