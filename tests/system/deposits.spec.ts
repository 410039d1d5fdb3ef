import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { CreateJobResponse, JobRefund, OperatorJobResponse, ReconciliationResponse } from '@maker/contracts';
import { WORKSPACE_ROOT } from '@maker/local-stack/command';
import { parseHype } from '@maker/rules';
import { type Address, getAddress, isAddressEqual } from 'viem';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import { beforeAll, describe, expect, it } from 'vitest';
import { payThroughContract } from '../support/forwarder.ts';
import { ownStackForFile } from '../support/own-stack-for-file.ts';
import { expectProven } from '../support/proven-receipt.ts';
import { until } from '../support/until.ts';

// A separate stack, since the test changes clocks. The executor reconciles its ledgers every second.
const PACE = {
  'maker-executor': { MAKER_RECONCILE_SECONDS: '1' },
  'payment-watcher': { WATCHER_POLL_INTERVAL_SECONDS: '1' },
};
/** Payments and checks of ended wallets wait for blocks most of the time. */
const CLOCK = { blockMs: 125, secondsPerBlock: 1 };
const SOON_MS = 60_000;

const own = ownStackForFile(10, PACE, {}, { clock: CLOCK });
let jobs: Record<'completed' | 'under' | 'late' | 'dust' | 'contract' | 'given' | 'cancelled', CreateJobResponse>;
const givenAddress = newAddress();

beforeAll(async () => {
  const create = (returnAddress?: string) =>
    own.product.createJob(own.product.stack.tokens.v2Only, 0.25, returnAddress);
  jobs = {
    completed: await create(),
    under: await create(),
    late: await create(),
    dust: await create(),
    contract: await create(),
    given: await create(givenAddress),
    cancelled: await create(),
  };
  await own.product.pay(jobs.completed.paymentAddress, '0.25');
  await own.product.pay(jobs.under.paymentAddress, '0.1');
  await own.product.pay(jobs.under.paymentAddress, '0.02');
  await own.product.pay(jobs.dust.paymentAddress, '0.000000000000000001');
  await payThroughContract(own.product, jobs.contract.paymentAddress, '0.05');
  await payThroughContract(own.product, jobs.given.paymentAddress, '0.05');
  await own.product.pay(jobs.cancelled.paymentAddress, '0.03');
  await own.product.command({ action: 'cancel', jobId: jobs.cancelled.jobId });
  await own.product.completed(jobs.completed.jobId, { timeoutMs: 180_000 });
  await mineAt(Math.ceil(Date.parse(jobs.cancelled.paymentDeadline) / 1000) + 5);
  await own.product.pay(jobs.late.paymentAddress, '0.25');
  await own.product.pay(jobs.completed.paymentAddress, '0.2');
}, 400_000);

describe('unused money ends as returned or held (design § 4)', { timeout: 120_000 }, () => {
  it.each([
    ['under the amount, in two parts, and expired', 'under', '0.12', 'payment_expired'],
    ['late', 'late', '0.25', 'payment_expired'],
    ['a second time, after completion', 'completed', '0.2', 'completed'],
    ['for a job that an operator cancelled', 'cancelled', '0.03', 'cancelled'],
  ] as const)('%s: returns once to the sender, to the wei', async (_, name, hype, status) => {
    const { jobId, paymentAddress } = jobs[name];
    const [returned] = await returnsOf(jobId, 'returned');
    expect(await own.product.payment(jobId)).toMatchObject({ status });
    const { receipt } = await own.product.status(jobId);
    const transfer = receipt?.transfers.find(({ transactionHash }) => transactionHash === returned?.transactionHash);
    expect(transfer).toMatchObject({ kind: 'return', status: 'final', amount: returned?.returnedWei });
    expect(BigInt(returned?.returnedWei ?? '0') + BigInt(transfer?.gasWei ?? '0')).toBe(parseHype(hype));
    expect(isAddressEqual(returned?.to as Address, own.product.stack.payer.address as Address)).toBe(true);
    expect(await transferOnChain(returned)).toEqual({
      from: paymentAddress,
      to: getAddress(own.product.stack.payer.address),
      value: BigInt(returned?.returnedWei ?? '0'),
    });
    expect(await own.product.chain.getBalance({ address: paymentAddress as Address })).toBe(0n);
    await expectEqualBooks(jobId);
    if (status === 'completed') await expectProven(own.product, jobId);
  });

  it('of 1 wei: held as dust with its reason', async () => {
    const { jobId, paymentAddress } = jobs.dust;
    const [held] = await returnsOf(jobId, 'held');
    expect(held).toMatchObject({ amountWei: '1', reason: expect.stringMatching(/too small/) });
    expect((await own.product.status(jobId)).receipt).toMatchObject({
      heldWei: '1',
      heldReason: expect.stringMatching(/too small/),
      transfers: [],
    });
    expect(await own.product.chain.getBalance({ address: paymentAddress as Address })).toBe(1n);
    await expectEqualBooks(jobId);
  });

  it('from a contract: returned to the visitor’s address', async () => {
    const { jobId, paymentAddress } = jobs.given;
    const [returned] = await returnsOf(jobId, 'returned');
    expect(await own.product.chain.getBalance({ address: givenAddress })).toBe(BigInt(returned?.returnedWei ?? '0'));
    expect(await own.product.chain.getBalance({ address: paymentAddress as Address })).toBe(0n);
    await expectEqualBooks(jobId);
  });

  it('from a contract without address: held until release', async () => {
    const { jobId, paymentAddress } = jobs.contract;
    const [held] = await returnsOf(jobId, 'held');
    expect(held).toMatchObject({ reason: expect.stringMatching(/contract/) });
    expect((await own.product.status(jobId)).receipt).toMatchObject({ heldWei: parseHype('0.05').toString() });
    expect(await own.product.chain.getBalance({ address: paymentAddress as Address })).toBe(parseHype('0.05'));

    const to = newAddress();
    await own.product.release(jobId, to);
    await returnsOf(jobId, 'returned');
    const { receipt } = await own.product.status(jobId);
    expect(BigInt(receipt?.returnedWei ?? '0') + BigInt(receipt?.gasWei ?? '0')).toBe(parseHype('0.05'));
    expect(await own.product.chain.getBalance({ address: to })).toBe(BigInt(receipt?.returnedWei ?? '0'));
    expect(await own.product.chain.getBalance({ address: paymentAddress as Address })).toBe(0n);
    await expectEqualBooks(jobId);
    const { timeline } = await own.product.operate<OperatorJobResponse>('GET', `/jobs/${jobId}`);
    const actions = timeline.map(({ action }) => action);
    for (const action of [
      'deposit.credited',
      'deposit.return_due',
      'deposit.held',
      'operator.release',
      'funds.released',
    ])
      expect(actions).toContain(action);
  });

  // The last two wait for checks of ended wallets, each for its own job.
  it.concurrent('from a contract to a spent wallet: held once', async () => {
    const { jobId, paymentAddress } = jobs.under;
    await returnsOf(jobId, 'returned');
    await payThroughContract(own.product, paymentAddress, '0.07');
    const [, held] = await returnsOf(jobId, 'returned', 'held');
    expect(held).toMatchObject({ amountWei: parseHype('0.07').toString() });
    expect((await own.product.status(jobId)).receipt).toMatchObject({ heldWei: parseHype('0.07').toString() });
    await expectEqualBooks(jobId);
  });

  it.concurrent('after the end without transaction: found and held', async () => {
    const { jobId, paymentAddress } = jobs.late;
    await returnsOf(jobId, 'returned');
    await own.product.control.request('anvil_setBalance', paymentAddress, '0x4d');
    const [, held] = await returnsOf(jobId, 'returned', 'held');
    expect(held).toMatchObject({ amountWei: '77' });
    expect((await own.product.status(jobId)).receipt).toMatchObject({ heldWei: '77' });
    await expectEqualBooks(jobId);
  });
});

describe('npm run ops', { timeout: 120_000 }, () => {
  it('lists jobs, explains ledgers and logs operators', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'maker-ops-'));
    const keyFile = join(directory, 'key');
    await writeFile(keyFile, own.product.stack.operatorApiKey);
    const ops = async (...args: string[]) => {
      const cli = join(WORKSPACE_ROOT, 'apps', 'ops', 'dist', 'main.js');
      const env = { ...process.env, OPS_API_URL: own.product.stack.apiUrl, OPS_API_KEY_FILE: keyFile };
      const { stdout } = await promisify(execFile)(process.execPath, [cli, ...args], { env });
      return stdout;
    };
    try {
      const { jobId } = jobs.completed;
      // Each is a new process, which mostly loads its modules.
      const [listed, shown, compared, exported, paused] = await Promise.all([
        ops('list', '--status', 'completed'),
        ops('show', jobId),
        ops('reconcile', jobId),
        ops('export', jobId, '--reason', 'the yearly books'),
        ops('pause', jobId, '--reason', 'a check by hand'),
        expect(ops('pause', jobId)).rejects.toThrow(/--reason/),
      ]);
      expect(listed).toContain(jobId);
      expect(shown).toMatch(/deposit\.credited[\s\S]*transfer\.settled[\s\S]*deposit\.returned/);
      expect(compared).toMatch(/exactly what the ledger says/);
      expect(exported.split('\r\n')[0]).toMatch(/^id,recorded_at,kind/);
      expect(paused).toMatch(/nothing is signed for this job/);
      expect(await ops('log')).toMatch(/pause.*operator.*a check by hand/);
    } finally {
      await rm(directory, { recursive: true, force: true });
    }
  });
});

/** Waits until a job's returns have these states, in the order in which they were ordered. */
async function returnsOf(jobId: string, ...wanted: JobRefund['status'][]): Promise<readonly JobRefund[]> {
  const { returns = [] } = await until(
    `returns of ${jobId}: ${wanted}`,
    () => own.product.status(jobId),
    ({ returns: seen = [] }) => JSON.stringify(seen.map(({ status }) => status)) === JSON.stringify(wanted),
    { timeoutMs: SOON_MS },
  );
  return returns;
}

async function transferOnChain(returned: JobRefund | undefined) {
  const hash = returned?.transactionHash as `0x${string}`;
  const { from, to, value } = await own.product.chain.getTransaction({ hash });
  return { from: getAddress(from), to: to && getAddress(to), value };
}

/** Asserts that ledger and chain agree to the wei, by the operator's command. */
async function expectEqualBooks(jobId: string): Promise<void> {
  const answer = await own.product.operate<ReconciliationResponse>('GET', `/jobs/${jobId}/reconciliation`);
  expect(answer).toMatchObject({ verdict: 'equal', differenceWei: '0' });
  expect(answer.usedNonces).toBe(answer.signedNonces);
}

function newAddress(): Address {
  return privateKeyToAddress(generatePrivateKey());
}

/** Gives the chain's next block this timestamp; later ones continue from there. */
async function mineAt(timestampSeconds: number): Promise<void> {
  await own.product.control.request('evm_setNextBlockTimestamp', timestampSeconds);
  await own.product.control.request('evm_mine');
}
