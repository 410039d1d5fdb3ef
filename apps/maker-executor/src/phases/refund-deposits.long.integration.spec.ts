import { reconcileJob } from '@maker/contracts';
import { parseHype } from '@maker/rules';
import { describe, expect, it, vi } from 'vitest';
import { ChainAccess } from '../chain/chain-access.ts';
import { stageForFile } from '../maker-stage.fixture.ts';
import { EVENTUALLY, FAST_CLOCK, RUN_MS, SOON } from '../stage-times.fixture.ts';
import { type Answer, returnsOn } from './refund-due.fixture.ts';

const SOME = parseHype('0.1');
/** The maker may prove senders with the local chain's one endpoint. */
const PROVES_SENDERS = { MAKER_RECONCILE_SECONDS: '1', CHAIN_TRUST_SINGLE_ENDPOINT: 'true' };
/** Number of dust deposits, one a block: enough for pauses of 5, 10 and 20 blocks. */
const DUST_DEPOSITS = 40;
/** Code of a contract that sends back all money that it receives. */
const SENDS_BACK = '0x5f5f5f5f34335af100';
const NO_CONTRACT = '0x9965507D1a55bcC2695C58ba16FB37d819B0A4dc';

const own = stageForFile(FAST_CLOCK);
const { ask, due, answers, answered, receiptOf } = returnsOn(own);

describe('money besides a job’s deposit (design § 4)', () => {
  it('goes to its own sender, to the wei', { timeout: RUN_MS * 2 }, async () => {
    await own.stage.startMaker(PROVES_SENDERS);
    const job = await own.stage.paidJob(own.stage.chain.tokens.both);
    const [second, third] = await Promise.all([own.stage.newSender(), own.stage.newSender()]);
    await own.stage.placed(job, 5);
    const first = await own.stage.payAs(second, job.wallet, SOME);
    const leftOfSecond = await own.stage.balance(second.address);
    await due(job, SOME, second.address, { activated: true, returnId: `${job.jobId}/second`, paidBy: first.hash });
    expect(await own.stage.ended(job)).toMatchObject({ kind: 'completed' });
    const [early] = await answered(job.jobId, ['returned']);
    expect(await own.stage.balance(second.address)).toBe(leftOfSecond + BigInt(early?.returnedWei ?? '0'));

    const last = await own.stage.payAs(third, job.wallet, SOME);
    const leftOfThird = await own.stage.balance(third.address);
    await due(job, SOME, third.address, { activated: true, returnId: `${job.jobId}/third`, paidBy: last.hash });
    const [, late] = await answered(job.jobId, ['returned', 'returned']);
    expect(await own.stage.balance(third.address)).toBe(leftOfThird + BigInt(late?.returnedWei ?? '0'));

    const { feeWei, tradedWei, gasWei, returnedWei, heldWei } = await own.stage.receiptOf(job);
    const gone = [feeWei, tradedWei, gasWei, returnedWei, heldWei].reduce((sum, wei) => sum + BigInt(wei), 0n);
    expect(gone).toBe(job.depositWei + SOME * 2n);
    expect(await own.stage.balance(job.wallet)).toBe(0n);
    const { verdict } = await ask().request(reconcileJob, { jobId: job.jobId, walletAddress: NO_CONTRACT });
    expect(verdict).toBe('equal');
  });

  it('is found despite transactions in every block', { timeout: RUN_MS }, async () => {
    await own.stage.startMaker({ MAKER_RECONCILE_SECONDS: '2', windowSeconds: 300 });
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

  it('waits for payment-watcher and the job service to explain it', { timeout: RUN_MS }, async () => {
    await own.stage.startMaker(PROVES_SENDERS);
    const { explanations } = own.stage.jobs;
    const job = await own.stage.unpaidJob(SOME);
    await due(job, SOME, job.payer, job);
    await answered(job.jobId, ['returned']);
    const sender = await own.stage.newSender();
    const { hash: paidBy } = await own.stage.payAs(sender, job.wallet, SOME);
    await vi.waitFor(async () => expect((await receiptOf(job)).heldWei).toBe(SOME.toString()), SOON);
    await own.stage.blocksPass(6);
    explanations.completeToBlock = Number.MAX_SAFE_INTEGER;
    explanations.credited = ['late'];
    await own.stage.blocksPass(6);
    explanations.known = ['late'];
    await due(job, SOME, sender.address, { ...job, returnId: `${job.jobId}/late`, paidBy });
    await answered(job.jobId, ['returned', 'returned']);
    expect(await own.stage.balance(job.wallet)).toBe(0n);
    await own.stage.blocksPass(6);
    expect(answers(job.jobId)).toHaveLength(2);
    Object.assign(explanations, { completeToBlock: -1, credited: [], known: [] });
  });
});

describe('money that its recipient sends back (threats, law 1)', () => {
  it('is retried, then held with the reason', { timeout: RUN_MS }, async () => {
    await own.stage.startMaker(PROVES_SENDERS);
    own.stage.jobs.explanations.completeToBlock = Number.MAX_SAFE_INTEGER;
    const recipient = own.stage.strangerOf(8);
    await own.stage.client.setCode({ address: recipient, bytecode: SENDS_BACK });
    const job = await own.stage.unpaidJob(SOME);
    await due(job, SOME, recipient, job);
    const kinds: string[] = [];
    for (let round = 1; round <= 4; round += 1) {
      kinds.push('returned', 'surplus');
      const { amountWei, depositId } = (await answered(job.jobId, kinds)).at(-1) as Answer;
      const refund = { returnId: `${job.jobId}/back-${round}`, depositIds: [depositId as string] };
      await due(job, BigInt(amountWei), recipient, { ...job, ...refund });
    }
    const all = await answered(job.jobId, [...kinds, 'held']);
    expect(all.at(-1)?.reason).toMatch(/came back each time/);
    expect((await receiptOf(job)).heldReason).toMatch(/came back each time/);
    expect((await receiptOf(job)).heldWei).toBe(String(await own.stage.balance(job.wallet)));
    own.stage.jobs.explanations.completeToBlock = -1;
  });
});

describe('repeated dust to an ended wallet (threats, law 3)', () => {
  it('backs off for dust and returns real money', { timeout: RUN_MS }, async () => {
    const maker = await own.stage.startMaker(PROVES_SENDERS);
    const chain = maker.get(ChainAccess);
    const read = chain.reading.bind(chain);
    let balanceReads = 0;
    const job = await own.stage.unpaidJob(SOME);
    Object.assign(chain, {
      reading: (...asked: Parameters<typeof read>) => {
        if (asked[0] === job.wallet) balanceReads += 1;
        return read(...asked);
      },
    });
    await due(job, SOME, job.payer, job);
    await answered(job.jobId, ['returned']);
    balanceReads = 0;
    for (let number = 1; number <= DUST_DEPOSITS; number += 1) {
      await own.stage.send(job.wallet, 1n);
      await due(job, 1n, own.stage.strangerOf(6), { ...job, returnId: `${job.jobId}/dust-${number}` });
    }
    expect(balanceReads).toBeLessThan(DUST_DEPOSITS / 3);

    const sender = await own.stage.newSender();
    const { hash: paidBy } = await own.stage.payAs(sender, job.wallet, SOME);
    const leftWei = await own.stage.balance(sender.address);
    await due(job, SOME, sender.address, { ...job, returnId: `${job.jobId}/real`, paidBy });
    // In any order: a lost notice of an event delays only this event.
    await vi.waitFor(() => expect(answers(job.jobId)).toHaveLength(DUST_DEPOSITS + 2), EVENTUALLY);
    const returned = answers(job.jobId).filter(({ kind }) => kind === 'returned');
    const [, returnedWei] = returned.map(({ data }) => (data as Answer).returnedWei);
    expect(await own.stage.balance(sender.address)).toBe(leftWei + BigInt(returnedWei ?? '0'));
    expect(await own.stage.balance(job.wallet)).toBe(BigInt(DUST_DEPOSITS));
  });
});
