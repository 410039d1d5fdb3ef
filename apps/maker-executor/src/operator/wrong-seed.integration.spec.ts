import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FOREIGN_WALLET } from '@maker/execution-records';
import { parseHype } from '@maker/rules';
import type { Address, Hash } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { stageForFile } from '../maker-stage.fixture.ts';
import { EVENTUALLY, FAST_CLOCK, RUN_MS } from '../stage-times.fixture.ts';

const ANOTHER_SEED = 'legal winner thank year wave sausage worth useful legal winner thank yellow';
const DEPOSIT = parseHype('0.18');
const GAS = parseHype('0.01');

const own = stageForFile(FAST_CLOCK);
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'wrong-seed-'));
  await writeFile(join(folder, 'seed'), ANOTHER_SEED, { mode: 0o400 });
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const startMaker = (more = {}) => own.stage.startMaker({ CHAIN_TRUST_SINGLE_ENDPOINT: 'true', ...more });
const startWithWrongSeed = () => startMaker({ MAKER_SEED_FILE: join(folder, 'seed') });

async function startWithRightSeed(): Promise<void> {
  await own.stage.stopMakers();
  await startMaker();
}

/** A job's wallet that a new account paid by a plain transfer. */
async function paidWallet() {
  const { jobId, wallet, walletIndex, token } = await own.stage.unpaidJob(0n);
  const account = privateKeyToAccount(generatePrivateKey());
  await own.stage.client.setBalance({ address: account.address, value: DEPOSIT + parseHype('0.1') });
  const fees = { gas: 21_000n, gasPrice: 100_000_000_000n, nonce: 0, chainId: 31_337 };
  const serializedTransaction = await account.signTransaction({ to: wallet, value: DEPOSIT, ...fees });
  const hash: Hash = await own.stage.client.sendRawTransaction({ serializedTransaction });
  const { blockNumber } = await own.stage.client.waitForTransactionReceipt({ hash });
  return { jobId, wallet, walletIndex, token, payer: account.address as Address, hash, blockNumber };
}

describe('a job that was refused under a wrong seed', { timeout: RUN_MS }, () => {
  it('returns to its proven payer under the right seed', async () => {
    await startWithWrongSeed();
    const paid = await paidWallet();
    const before = await own.stage.balance(paid.payer);
    await own.stage.jobs.activate(paid.jobId, {
      tokenAddress: paid.token,
      walletAddress: paid.wallet,
      walletIndex: paid.walletIndex,
      depositWei: `${DEPOSIT}`,
      returnAddress: paid.payer,
      paidBy: [{ transactionHash: paid.hash, amountWei: `${DEPOSIT}` }],
      plan: await own.stage.plan(),
    });
    await vi.waitFor(
      () => expect(own.stage.jobs.endings(paid.jobId)).toMatchObject([{ data: { message: FOREIGN_WALLET } }]),
      EVENTUALLY,
    );
    await expect(own.stage.release(paid, {}, ['anna'])).rejects.toThrow(/not one of this seed/);
    await startWithRightSeed();
    expect(await own.stage.release(paid, {}, ['anna'])).toContain(paid.payer);
    await own.stage.mineUntil(async () => expect(await own.stage.balance(paid.wallet)).toBe(0n));
    const received = (await own.stage.balance(paid.payer)) - before;
    expect(received).toBeLessThanOrEqual(DEPOSIT);
    expect(received).toBeGreaterThan(DEPOSIT - GAS);
  });

  it('refunds an unpaid job’s deposits under the right seed', async () => {
    await startWithWrongSeed();
    const paid = await paidWallet();
    const before = await own.stage.balance(paid.payer);
    await own.stage.jobs.returnDue(paid.jobId, {
      returnId: `${paid.jobId}/return-1`,
      amountWei: `${DEPOSIT}`,
      walletAddress: paid.wallet,
      walletIndex: paid.walletIndex,
      tokenAddress: paid.token,
      depositIds: [`${paid.wallet.toLowerCase()}:${paid.hash}`],
      to: paid.payer,
      sentBy: [{ transactionHash: paid.hash, amountWei: `${DEPOSIT}` }],
      activated: false,
      blockNumber: Number(paid.blockNumber),
    });
    const kinds = () => own.stage.jobs.returns(paid.jobId).map(({ kind }) => kind);
    await vi.waitFor(() => expect(kinds()).toEqual(['held']), EVENTUALLY);
    await expect(own.stage.release(paid, {}, ['anna'])).rejects.toThrow(/not one of this seed/);
    await startWithRightSeed();
    expect(await own.stage.release(paid, {}, ['anna'])).toMatch(/of this seed again/);
    await own.stage.mineUntil(async () => expect(await own.stage.balance(paid.wallet)).toBe(0n));
    const received = (await own.stage.balance(paid.payer)) - before;
    expect(received).toBeLessThanOrEqual(DEPOSIT);
    expect(received).toBeGreaterThan(DEPOSIT - GAS);
  });
});
