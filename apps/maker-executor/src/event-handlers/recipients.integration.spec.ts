import { randomBytes } from 'node:crypto';
import type { jobActivated, refundDue } from '@maker/contracts';
import { PAYER_REFUTED, UNPROVEN } from '@maker/execution-records';
import { parseHype } from '@maker/rules';
import { type Address, type Hash, parseAbi, toHex } from 'viem';
import { describe, expect, it, vi } from 'vitest';
import type { z } from 'zod';
import { stageForFile } from '../maker-stage.fixture.ts';
import { EVENTUALLY, FAST_CLOCK, RUN_MS } from '../stage-times.fixture.ts';

const DEPOSIT = parseHype('0.18');
const LIAR: Address = '0x7700000000000000000000000000000000000b01';
const DEAD: Address = '0x000000000000000000000000000000000000dEaD';

const own = stageForFile(FAST_CLOCK);

interface Wallet {
  readonly jobId: string;
  readonly token: Address;
  readonly wallet: Address;
  readonly walletIndex: number;
}

/** Returns a job's wallet that a new account paid by a transaction signed with its own key. */
async function paidWallet(amountWei = DEPOSIT): Promise<Wallet & { readonly payer: Address; readonly hash: Hash }> {
  const { stage } = own;
  const { jobId, wallet, walletIndex } = await stage.unpaidJob(0n);
  const payer = await stage.newSender();
  const { hash } = await stage.payAs(payer, wallet, amountWei);
  return { jobId, token: stage.chain.tokens.thin, wallet, walletIndex, payer: payer.address, hash };
}

async function activate(
  { jobId, token, wallet, walletIndex }: Wallet,
  more: Partial<z.input<typeof jobActivated.data>>,
): Promise<void> {
  const plan = await own.stage.plan();
  await own.stage.jobs.activate(jobId, {
    ...{ tokenAddress: token, walletAddress: wallet, walletIndex, depositWei: `${DEPOSIT}`, returnAddress: null, plan },
    ...more,
  });
}

const endingOf = async ({ jobId }: Wallet) => {
  await vi.waitFor(() => expect(own.stage.jobs.endings(jobId)).toHaveLength(1), EVENTUALLY);
  return own.stage.jobs.endings(jobId)[0];
};

const startMaker = (more = {}) =>
  own.stage.startMaker({ MAKER_LIQUIDITY_TIMEOUT_SECONDS: '2', CHAIN_TRUST_SINGLE_ENDPOINT: 'true', ...more });

describe('a payer that payment-watcher reports (docs/adr/0075)', () => {
  it('receives nothing when the chain shows another payer', { timeout: RUN_MS }, async () => {
    const maker = startMaker();
    const { stage } = own;
    const paid = await paidWallet();
    const before = await stage.balance(stage.treasury);
    await maker;
    await activate(paid, {
      returnAddress: LIAR,
      paidBy: [{ transactionHash: paid.hash, amountWei: `${DEPOSIT}` }],
    });
    expect(await endingOf(paid)).toMatchObject({ kind: 'failed', data: { message: PAYER_REFUTED, ordersPlaced: 0 } });
    expect(await stage.balance(paid.wallet)).toBe(DEPOSIT);
    expect(await stage.balance(LIAR)).toBe(0n);
    expect(await stage.balance(stage.treasury)).toBe(before);
    await expect(stage.release(paid, {}, ['anna'])).rejects.toThrow(/No return address is on record/);
  });

  it('receives the rest when the chain proves it', { timeout: RUN_MS }, async () => {
    await startMaker();
    const paid = await paidWallet();
    const before = await own.stage.balance(paid.payer);
    const paidBy = [{ transactionHash: paid.hash, amountWei: `${DEPOSIT}` }];
    await activate(paid, { returnAddress: paid.payer, paidBy });
    expect(await endingOf(paid)).toMatchObject({ kind: 'failed', data: { reason: 'liquidity' } });
    expect(await own.stage.balance(paid.wallet)).toBe(0n);
    expect((await own.stage.balance(paid.payer)) - before).toBeGreaterThan((DEPOSIT * 69n) / 100n);
  });

  it('receives nothing when only one untrusted endpoint proves it', { timeout: RUN_MS }, async () => {
    await startMaker({ CHAIN_TRUST_SINGLE_ENDPOINT: 'false' });
    const paid = await paidWallet();
    const before = await own.stage.balance(paid.payer);
    const paidBy = [{ transactionHash: paid.hash, amountWei: `${DEPOSIT}` }];
    await activate(paid, { returnAddress: paid.payer, paidBy });
    expect(await endingOf(paid)).toMatchObject({ kind: 'failed', data: { reason: 'liquidity', returnedWei: '0' } });
    expect(await own.stage.balance(paid.payer)).toBe(before);
  });
});

describe('a refund to the sender of a deposit (docs/adr/0075)', () => {
  it('goes only to the sender on the chain', { timeout: RUN_MS }, async () => {
    await startMaker();
    const { stage } = own;
    const due = async (to: Address | undefined) => {
      const paid = await paidWallet();
      const sentBy = [{ transactionHash: paid.hash, amountWei: `${DEPOSIT}` }];
      await returnDue(paid, {
        depositIds: [`${paid.wallet.toLowerCase()}:${paid.hash}`],
        to: to ?? paid.payer,
        sentBy,
      });
      await vi.waitFor(() => expect(stage.jobs.returns(paid.jobId)).toHaveLength(1), EVENTUALLY);
      return { ...paid, outcome: stage.jobs.returns(paid.jobId)[0] };
    };
    const stolen = await due(LIAR);
    expect(stolen.outcome).toMatchObject({ kind: 'held', data: { reason: UNPROVEN } });
    expect(await stage.balance(stolen.wallet)).toBe(DEPOSIT);
    const honest = await due(undefined);
    expect(honest.outcome).toMatchObject({ kind: 'returned', data: { to: honest.payer } });
    expect(await stage.balance(LIAR)).toBe(0n);
    await expect(stage.release(stolen, {}, ['anna'])).rejects.toThrow(/No return address is on record/);
  });
});

describe('an address that loses money (docs/adr/0071)', () => {
  it('from an event receives nothing', { timeout: RUN_MS }, async () => {
    await startMaker();
    const paid = await paidWallet();
    await activate(paid, { returnAddress: DEAD });
    await endingOf(paid);
    const receipt = async () => (await own.stage.receiptOf({ ...paid, depositWei: DEPOSIT })).heldReason;
    expect(await receipt()).toMatch(/This address has no owner/);
    const late = await paidWallet();
    await returnDue(late, { depositIds: ['deposit'], to: own.stage.chain.exchanges[0]?.router as never });
    await vi.waitFor(() => expect(own.stage.jobs.returns(late.jobId)).toHaveLength(1), EVENTUALLY);
    expect(own.stage.jobs.returns(late.jobId)).toMatchObject([
      { kind: 'held', data: { reason: expect.stringMatching(/an exchange's contract/) } },
    ]);
  });

  it('from an operator is refused', { timeout: RUN_MS }, async () => {
    await startMaker();
    const paid = await paidWallet();
    await activate(paid, {});
    await endingOf(paid);
    await expect(own.stage.release(paid, { to: paid.token })).rejects.toThrow(/token's own contract/);
    const to = await pairOf(own.stage.chain.tokens.both);
    await expect(own.stage.release(paid, { to })).rejects.toThrow(/an exchange's pool/);
  });
});

/** Reads the address of the pool of a token and wrapped HYPE. */
function pairOf(token: Address): Promise<Address> {
  const { client, chain } = own.stage;
  return client.readContract({
    address: chain.contracts.v2Factory,
    abi: parseAbi(['function getPair(address, address) view returns (address)']),
    functionName: 'getPair',
    args: [token, chain.contracts.whype],
  });
}

function returnDue(
  { jobId, token, wallet, walletIndex }: Wallet,
  more: Pick<z.input<typeof refundDue.data>, 'depositIds' | 'to' | 'sentBy'>,
): Promise<void> {
  return own.stage.jobs.returnDue(jobId, {
    ...{ tokenAddress: token, walletAddress: wallet, walletIndex, amountWei: `${DEPOSIT}`, activated: false },
    ...{ returnId: `return_${toHex(randomBytes(12)).slice(2)}`, blockNumber: 0, ...more },
  });
}
