import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { CreateJobResponse, OperatorJobResponse } from '@maker/contracts';
import { SERVICES } from '@maker/local-stack';
import { WORKSPACE_ROOT } from '@maker/local-stack/command';
import { parseHype } from '@maker/rules';
import { type Address, getAddress } from 'viem';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { payThroughContract } from '../support/forwarder.ts';
import { ownStackForFile } from '../support/own-stack-for-file.ts';
import { expectProven } from '../support/proven-receipt.ts';
import { runbookCommands } from '../support/runbook-commands.ts';
import { until } from '../support/until.ts';
import { accountOfWallet, sumOf, tokenBalance } from '../support/wallet-accounts.ts';

const PAID = '0.25';

const own = ownStackForFile(30);
let work: string;
let commands: readonly string[];
let environment: Record<string, string>;
let fromBlock: bigint;
let jobs: Record<'completed' | 'running' | 'under' | 'contract' | 'unpaid', CreateJobResponse>;
/** An address for money that a contract paid, after its owner proved the claim. */
const claimant = privateKeyToAddress(generatePrivateKey());
let tokensBefore: bigint;

async function runCommand(place: number): Promise<string> {
  const env = { ...process.env, ...environment, PATH: `${dirname(process.execPath)}:${process.env.PATH}` };
  const { stdout } = await promisify(execFile)('sh', ['-ec', commands[place] ?? 'false'], { cwd: WORKSPACE_ROOT, env });
  return stdout;
}

beforeAll(async () => {
  commands = await runbookCommands('recovery-drill');
  work = await mkdtemp(join(tmpdir(), 'maker-drill-'));
  fromBlock = await own.product.chain.getBlockNumber();
  const token = own.product.stack.tokens.both;
  tokensBefore = await tokenBalance(own.product, token, own.product.stack.payer.address);
  const create = () => own.product.createJob(token, Number(PAID));
  jobs = {
    completed: await create(),
    running: await create(),
    under: await create(),
    contract: await create(),
    unpaid: await create(),
  };
  environment = {
    CHAIN_ID: String(own.product.stack.chainId),
    RPC_URLS: own.product.stack.rpcUrl,
    XPUB: await xpubOfJob(),
    TREASURY: own.product.stack.treasury,
    FROM_BLOCK: String(fromBlock),
    SEED_FILE: join(own.running.directory, 'secrets', 'seed'),
    REASON: 'the databases are lost',
    WORK: work,
  };
}, 120_000);

afterAll(() => rm(work, { recursive: true, force: true }));

/** The xpub from the environment of the job service, where an operator finds it. */
async function xpubOfJob(): Promise<string> {
  const { job: pid } = JSON.parse(await readFile(join(own.running.directory, 'processes.json'), 'utf8'));
  const variables = await readFile(`/proc/${pid}/environ`, 'utf8');
  return /(?:^|\0)JOB_ACCOUNT_XPUB=([^\0]*)/.exec(variables)?.[1] ?? '';
}

const account = ({ paymentAddress }: CreateJobResponse) =>
  accountOfWallet(own.product, paymentAddress as Address, own.product.stack.tokens.both, fromBlock);

async function nextBlocks(count: bigint): Promise<void> {
  const now = await own.product.chain.getBlockNumber();
  await until(
    'further blocks',
    () => own.product.chain.getBlockNumber(),
    (number) => number >= now + count,
  );
}

describe('the recovery drill, by the commands of its runbook', { timeout: 300_000 }, () => {
  it('begins with lost data in every job state', async () => {
    await own.product.pay(jobs.completed.paymentAddress, PAID);
    await own.product.pay(jobs.under.paymentAddress, '0.1');
    await payThroughContract(own.product, jobs.contract.paymentAddress, '0.05');
    await own.product.completed(jobs.completed.jobId, { timeoutMs: 180_000 });
    await own.product.pay(jobs.running.paymentAddress, PAID);
    await until(
      'some orders of the second job',
      () => own.product.status(jobs.running.jobId),
      ({ receipt }) => (receipt?.ordersPlaced ?? 0) >= 10,
    );
    await Promise.all(SERVICES.map((service) => own.running.kill(service, 'SIGKILL')));
    await Promise.all([own.running.killServer('mongod', 'SIGKILL'), own.running.killServer('nats-server', 'SIGKILL')]);
    await own.running.startServer('mongod', { wipe: true });
    await own.running.startServer('nats-server', { wipe: true });
    // Mines the transactions in the mempool.
    await nextBlocks(3n);
    expect((await account(jobs.running)).balanceWei).toBeGreaterThan(0n);
  });

  it('finds every wallet from xpub and chain', async () => {
    const output = await runCommand(0);
    environment.FIRST_WALLET_INDEX = /JOB_FIRST_WALLET_INDEX=(\d+)/.exec(output)?.[1] ?? '';
    const { wallets, firstFreeIndex } = JSON.parse(await readFile(join(work, 'plan.json'), 'utf8'));
    expect(firstFreeIndex).toBe(1004);
    const payer = own.product.stack.payer.address;
    expect(wallets).toMatchObject([
      { address: jobs.completed.paymentAddress, balanceWei: '0', tokens: [] },
      { address: jobs.running.paymentAddress, returnTo: payer, history: { feeWei: parseHype('0.075').toString() } },
      { address: jobs.under.paymentAddress, returnTo: payer, balanceWei: parseHype('0.1').toString() },
      { address: jobs.contract.paymentAddress, returnTo: null, balanceWei: parseHype('0.05').toString() },
    ]);
    expect(wallets[1].tokens).toHaveLength(1);
    expect(output).toContain('not decided: a part of it came by no plain transfer');
  });

  it('creates no job on a used address', async () => {
    // In this order, so that no other service can answer the job service at its start.
    await own.running.restart('job');
    await Promise.all((['token-validation', 'api-gateway'] as const).map((service) => own.running.restart(service)));
    const refused = await own.product.call<{ message: string }>('POST', '/jobs/create', {
      tokenAddress: own.product.stack.tokens.both,
      paymentAmount: Number(PAID),
    });
    expect(refused).toMatchObject({ status: 503, body: { code: 'SERVICE_UNAVAILABLE' } });
    const ready = await fetch(`${own.product.stack.ops.job}/readyz`);
    expect([ready.status, await ready.text()]).toEqual([503, expect.stringContaining('wallet counter')]);
  });

  it('returns every wallet’s money once, during operation', async () => {
    const plan = JSON.parse(await readFile(join(work, 'plan.json'), 'utf8'));
    plan.wallets[3].returnTo = claimant;
    await writeFile(join(work, 'plan.json'), JSON.stringify(plan));
    await own.running.restart('job', 0, { JOB_FIRST_WALLET_INDEX: environment.FIRST_WALLET_INDEX ?? '' });
    await Promise.all(
      (['payment-watcher', 'maker-executor', 'receipts'] as const).map((service) => own.running.restart(service)),
    );

    const output = await runCommand(1);
    expect(output.match(/ returned /g)).toHaveLength(4);
    expect(await runCommand(1)).toBe(output);

    const running = await account(jobs.running);
    expect(running).toMatchObject({ balanceWei: 0n, feeWei: parseHype('0.075'), otherRecipients: [] });
    expect(sumOf(running)).toBe(parseHype(PAID));
    const under = await account(jobs.under);
    expect(under).toMatchObject({ balanceWei: 0n, feeWei: 0n, tradedWei: 0n, otherRecipients: [] });
    expect(sumOf(under)).toBe(parseHype('0.1'));
    const contract = await account(jobs.contract);
    expect(contract).toMatchObject({ balanceWei: 0n, otherRecipients: [getAddress(claimant)] });
    const claimed = await own.product.chain.getBalance({ address: claimant });
    expect(claimed + contract.gasWei).toBe(parseHype('0.05'));
    const { both } = own.product.stack.tokens;
    for (const { paymentAddress } of Object.values(jobs)) {
      expect(await tokenBalance(own.product, both, paymentAddress as Address)).toBe(0n);
    }
    expect(await tokenBalance(own.product, both, own.product.stack.payer.address)).toBeGreaterThan(tokensBefore);
    const journal = await readFile(join(work, 'journal.jsonl'), 'utf8');
    expect(journal).toContain('the databases are lost');
  });

  it('completes the next job at a new address', async () => {
    const { both } = own.product.stack.tokens;
    const job = await own.product.createJob(both, Number(PAID));
    const { job: shown } = await own.product.operate<OperatorJobResponse>('GET', `/jobs/${job.jobId}`);
    expect(shown.walletIndex).toBe(Number(environment.FIRST_WALLET_INDEX));
    expect(Object.values(jobs).map(({ paymentAddress }) => paymentAddress)).not.toContain(job.paymentAddress);
    // A late payment to an address from before the loss.
    await own.product.pay(jobs.unpaid.paymentAddress, '0.2');
    await own.product.pay(job.paymentAddress, PAID);
    await own.product.completed(job.jobId, { timeoutMs: 180_000 });
    await expectProven(own.product, job.jobId);
    const ended = await account(job);
    expect(ended).toMatchObject({ balanceWei: 0n, otherRecipients: [] });
    expect(sumOf(ended)).toBe(parseHype(PAID));
  });

  it('finds later money and skips live wallets', async () => {
    await runCommand(2);
    const { wallets } = JSON.parse(await readFile(join(work, 'plan-again.json'), 'utf8'));
    expect(wallets.map(({ index }: { index: number }) => index)).toEqual([0, 1, 2, 3, 4]);
    expect(await runCommand(3)).toContain(`${jobs.unpaid.paymentAddress} HYPE returned`);
    const unpaid = await account(jobs.unpaid);
    expect(unpaid.balanceWei).toBe(0n);
    expect(sumOf(unpaid)).toBe(parseHype('0.2'));
  });
});
