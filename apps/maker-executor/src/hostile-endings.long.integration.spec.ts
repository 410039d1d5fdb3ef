import { type DemoToken, type HostileContract, ownArtifacts } from '@maker/local-stack';
import { parseHype } from '@maker/rules';
import type { INestMicroservice } from '@nestjs/common';
import type { Address, Hex } from 'viem';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { MakerStage, type PaidJob } from './maker-stage.fixture.ts';
import { seriesOf } from './metrics/series-of.fixture.ts';
import { type Answer, returnsOn } from './phases/refund-due.fixture.ts';
import { EVENTUALLY, FAST_CLOCK, RUN_MS } from './stage-times.fixture.ts';

const SOME = parseHype('0.1');
const SLOW = { windowSeconds: 1000, MAKER_RECONCILE_SECONDS: '1', CHAIN_TRUST_SINGLE_ENDPOINT: 'true' };

let stage: MakerStage;
let maker: INestMicroservice;
let artifacts: Awaited<ReturnType<typeof ownArtifacts>>;
const { due, answers } = returnsOn({
  get stage() {
    return stage;
  },
});

beforeAll(async () => {
  [stage, artifacts] = await Promise.all([MakerStage.start(FAST_CLOCK), ownArtifacts()]);
  maker = await stage.startMaker(SLOW);
});

afterAll(() => stage?.stop());

/** Replaces the code of a contract and keeps its storage. @returns a function that restores the old code */
async function upgrade(address: Address, contract: HostileContract): Promise<() => Promise<void>> {
  const before = ((await stage.client.getCode({ address })) ?? '0x') as Hex;
  await stage.client.setCode({ address, bytecode: artifacts[contract].deployedBytecode });
  return () => stage.client.setCode({ address, bytecode: before });
}

/** Runs a job whose token's code is replaced after some purchases. @returns once the job has ended */
async function endWith(name: DemoToken, contract: HostileContract): Promise<PaidJob> {
  const job = await stage.paidJob(stage.chain.tokens[name]);
  await stage.placed(job, 2);
  const restore = await upgrade(job.token, contract);
  try {
    await stage.jobs.cancel(job.jobId);
    expect(await stage.ended(job)).toMatchObject({ kind: 'failed', data: { reason: 'cancelled' } });
  } finally {
    await restore();
  }
  return job;
}

async function expectAllHypeAccounted(job: PaidJob): Promise<void> {
  const { feeWei, tradedWei, gasWei, returnedWei, heldWei } = await stage.receiptOf(job);
  const sums = [feeWei, tradedWei, gasWei, returnedWei].reduce((sum, wei) => sum + BigInt(wei), 0n);
  expect(heldWei).toBe('0');
  expect(sums).toBe(job.depositWei);
  expect(await stage.balance(job.wallet)).toBe(0n);
  expect(await stage.balance(job.payer)).toBe(BigInt(returnedWei));
}

describe('a token that turns hostile before its delivery (design § 4)', () => {
  const cases: readonly (readonly [DemoToken, HostileContract, RegExp])[][] = [
    [
      ['both', 'MovesNothing', /still in the wallet/],
      ['v2Only', 'SaysNo', /still in the wallet/],
      ['v3Only', 'LiesInItsEvent', /still in the wallet/],
      ['camelotOnly', 'RefusesTransfers', /cannot be delivered: it refuses/],
      ['router02Only', 'RefusesWhenMined', /reverted its delivery/],
    ],
    [
      ['both', 'NeedsTooMuchGas', /more gas/],
      ['v2Only', 'RefusesBalanceOf', /does not report/],
      ['v3Only', 'BurnsGasOfReaders', /does not report/],
      ['camelotOnly', 'AnswersTooMuch', /does not report/],
    ],
  ];

  it.each(cases)('holds tokens after three deliveries, returns the rest', { timeout: RUN_MS * 2 }, async (...rows) => {
    await Promise.all(
      rows.map(async ([name, contract, reason]) => {
        const job = await endWith(name, contract);
        const receipt = await stage.receiptOf(job);
        expect.soft(receipt.heldReason, contract).toMatch(reason);
        const deliveries = receipt.transfers.filter(({ kind }) => kind === 'delivery');
        expect.soft(deliveries.length, contract).toBeLessThanOrEqual(3);
        expect.soft(receipt.deliveredTokens, contract).toBe('0');
        await expectAllHypeAccounted(job);
        expect.soft(await stage.tokensOf(job, job.wallet), contract).toBeGreaterThan(0n);
      }),
    );
  });

  it('delivers once despite kept units and false events', { timeout: RUN_MS }, async () => {
    const jobs = await Promise.all([endWith('both', 'KeepsOneUnit'), endWith('v2Only', 'BoastsInItsEvent')]);
    for (const job of jobs) {
      const receipt = await stage.receiptOf(job);
      expect(receipt.heldReason).toBeUndefined();
      expect(receipt.transfers.filter(({ kind }) => kind === 'delivery')).toHaveLength(1);
      expect(await stage.tokensOf(job, job.wallet)).toBeLessThanOrEqual(1n);
      const payers = await stage.tokensOf(job, job.payer);
      expect(payers).toBeGreaterThan(0n);
      expect(BigInt(receipt.deliveredTokens) - payers).toBeLessThanOrEqual(1n);
      await expectAllHypeAccounted(job);
    }
  });

  it('trades without a name when reading burns gas', { timeout: RUN_MS }, async () => {
    const restore = await upgrade(stage.chain.tokens.both, 'BurnsGasForItsSymbol');
    const job = await stage.paidJob(stage.chain.tokens.both);
    await stage.placed(job, 1);
    expect((await stage.receiptOf(job)).token).toMatchObject({ symbol: '', decimals: 18 });
    await stage.jobs.cancel(job.jobId);
    await stage.ended(job);
    await restore();
  });
});

/** Reads the counter of fees that the treasury refused. */
async function feesRefused(): Promise<number> {
  return (await seriesOf(maker, 'maker_execution_fees_refused_total'))[0]?.value ?? 0;
}

describe('a treasury that refuses the fee (design § 4)', () => {
  it.each(['TakesNothing', 'RefusesWhenItIsMined'] as const)(
    '%s: the job fails, the payer loses gas only',
    { timeout: RUN_MS },
    async (contract) => {
      const restore = await upgrade(stage.treasury, contract);
      try {
        const before = await feesRefused();
        const job = await stage.paidJob(stage.chain.tokens.both);
        expect(await stage.ended(job)).toMatchObject({
          kind: 'failed',
          data: { message: 'the treasury refused the fee' },
        });
        const { ordersPlaced, gasWei, returnedWei } = await stage.receiptOf(job);
        expect(ordersPlaced).toBe(0);
        expect(BigInt(gasWei) + BigInt(returnedWei)).toBe(job.depositWei);
        expect(await stage.balance(job.payer)).toBe(BigInt(returnedWei));
        expect(await feesRefused()).toBe(before + 1);
      } finally {
        await restore();
      }
    },
  );
});

// Concurrent, because a hostile contract affects only its own wallet.
describe.concurrent('a hostile recipient (design § 4)', () => {
  it.each([
    ['TakesTooMuchGas', /more gas/],
    ['TakesNothing', /refuses/],
    ['TakesLittle', /refuses/],
    ['RefusesWhenItIsMined', /reverted/],
  ] as const)(
    '%s: holds its refund, untouched by other deposits',
    async (contract, reason) => {
      const job = await stage.unpaidJob(SOME);
      const friend = await stage.newSender();
      const { hash: paidBy } = await stage.payAs(friend, job.wallet, SOME);
      const leftWei = await stage.balance(friend.address);
      await upgrade(job.payer, contract);
      await due(job, SOME, job.payer, { ...job, returnId: `${job.jobId}/hostile` });
      await due(job, SOME, friend.address, { ...job, returnId: `${job.jobId}/friend`, paidBy });
      const refundEvents = () => stage.jobs.returns(job.jobId);
      await vi.waitFor(() => expect(refundEvents()).toHaveLength(2), EVENTUALLY);
      expect(refundEvents().find(({ kind }) => kind === 'held')?.data).toMatchObject({
        reason: expect.stringMatching(reason),
      });
      const receipt = await stage.receiptOf(job as never);
      const failed = receipt.transfers.filter(({ status }) => status === 'failed');
      const failedGas = failed.reduce((sum, { gasWei }) => sum + BigInt(gasWei), 0n);
      expect(failed.length).toBeLessThanOrEqual(3);
      expect(receipt.heldWei).toBe((SOME - failedGas).toString());
      expect(await stage.balance(job.wallet)).toBe(BigInt(receipt.heldWei));
      expect((await stage.balance(friend.address)) - leftWei + BigInt(receipt.gasWei) - failedGas).toBe(SOME);

      const other = stage.strangerOf(200 + contract.length);
      await stage.release(job, { to: other });
      await vi.waitFor(async () => expect(await stage.balance(job.wallet)).toBe(0n), EVENTUALLY);
      expect(await stage.balance(other)).toBeGreaterThan(SOME / 2n);
    },
    RUN_MS,
  );

  it('ends the job and holds the rest', { timeout: RUN_MS }, async () => {
    const job = await stage.paidJob(stage.chain.tokens.both);
    await upgrade(job.payer, 'TakesTooMuchGas');
    await stage.placed(job, 1);
    await stage.jobs.cancel(job.jobId);
    await stage.ended(job);
    const receipt = await stage.receiptOf(job);
    expect(receipt).toMatchObject({ returnedWei: '0', heldReason: expect.stringMatching(/more gas/) });
    expect(await stage.balance(job.wallet)).toBe(BigInt(receipt.heldWei));
    expect(await stage.tokensOf(job, job.payer)).toBeGreaterThan(0n);
  });
});

describe('a payment whose payer is unknown (design § 4)', () => {
  it('shows held HYPE and tokens until operators release both', { timeout: RUN_MS }, async () => {
    const job = await stage.paidJob(stage.chain.tokens.both, { returnAddress: null });
    await stage.placed(job, 2);
    await stage.jobs.cancel(job.jobId);
    await stage.ended(job);
    const { heldWei, heldTokens, heldReason } = await stage.receiptOf(job);
    expect(heldReason).toMatch(/no return address is known/);
    expect(BigInt(heldWei)).toBe(await stage.balance(job.wallet));
    const walletTokens = await stage.tokensOf(job, job.wallet);
    expect(walletTokens).toBeGreaterThan(0n);
    expect(heldTokens).toBe(`${walletTokens}`);

    const named = stage.strangerOf(300);
    await stage.release(job, { to: named });
    await vi.waitFor(async () => expect(await stage.balance(job.wallet)).toBe(0n), EVENTUALLY);
    expect(await stage.tokensOf(job, named)).toBe(walletTokens);
    const settled = { heldWei: '0', heldTokens: '0', returnAddress: named };
    await vi.waitFor(async () => expect(await stage.receiptOf(job)).toMatchObject(settled), EVENTUALLY);
  });
});

describe.concurrent('repeated transfers of a stranger (design § 4)', () => {
  it.each([
    ['an unexplained wei', 1n, false],
    ['a wei with a refund', 1n, true],
    ['a larger sum with a refund', parseHype('0.001'), true],
  ])('%s: the job ends and the payer gets the rest', { timeout: RUN_MS * 3 }, async (_, amountWei, isExplained) => {
    const job = await stage.paidJob(stage.chain.tokens.both);
    await stage.placed(job, 1);
    await stage.jobs.cancel(job.jobId);
    let strangersWei = parseHype('10');
    const stranger = await stage.newSender(strangersWei);
    let number = 0;
    while (stage.jobs.endings(job.jobId).length === 0 && number < 150) {
      number += 1;
      const { hash, gasWei } = await stage.payAs(stranger, job.wallet, amountWei);
      strangersWei -= amountWei + gasWei;
      const refund = { activated: true, returnId: `${job.jobId}/dust-${number}`, paidBy: hash };
      if (isExplained) await due(job, amountWei, stranger.address, refund);
    }
    expect(stage.jobs.endings(job.jobId)).toHaveLength(1);
    const { returnedWei } = await stage.receiptOf(job);
    expect(BigInt(returnedWei)).toBeGreaterThan(0n);
    // Equal to the wei once the last refund is sent too.
    await vi.waitFor(async () => {
      const { returnedWei: inAllWei } = await stage.receiptOf(job);
      const refunds = answers(job.jobId).map(({ data }) => data as Answer);
      const refundsWei = refunds.reduce((sum, { returnedWei: ofOne }) => sum + BigInt(ofOne ?? 0), 0n);
      expect(await stage.balance(stranger.address)).toBe(strangersWei + refundsWei);
      expect((await stage.balance(job.payer)) + refundsWei).toBe(BigInt(inAllWei));
      expect(refundsWei > 0n).toBe(isExplained && amountWei > 1n);
    }, EVENTUALLY);
  });
});
