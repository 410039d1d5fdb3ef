import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ChainClient, createChainClient, networkOf, viemChain } from '@maker/chain';
import { ACCOUNT_INDEX, type ChainPart, chainTestClient, demoAccount, startChain } from '@maker/local-stack';
import { indexInSeries } from '@maker/signing/derivation';
import { SeedKeyring } from '@maker/signing/private';
import { type Address, createWalletClient, http, parseEther } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sentenceOf } from '../command-error.ts';
import { runOps } from '../run-ops.fixture.ts';
import { RecoveryJournal } from './recovery-journal.ts';
import { readPlan } from './recovery-plan.ts';
import { surveyWallets } from './survey-wallets.ts';

const MNEMONIC = 'legal winner thank year wave sausage worth useful legal winner thank yellow';
const keyring = SeedKeyring.fromMnemonic(MNEMONIC);
const payer = demoAccount(ACCOUNT_INDEX.payer);
const other = demoAccount(ACCOUNT_INDEX.spare);

let chain: ChainPart;
let client: ChainClient;
let test: ReturnType<typeof chainTestClient>;
let directory: string;
let fromBlock: number;

beforeAll(async () => {
  chain = await startChain({ exchanges: false, clock: { blockMs: 100, gainedSeconds: 1 } });
  client = createChainClient({ network: networkOf(chain.chainId), rpcUrls: [chain.rpcUrl] });
  test = chainTestClient(chain.rpcUrl);
  directory = await mkdtemp(join(tmpdir(), 'maker-recovery-'));
  await writeFile(join(directory, 'seed'), MNEMONIC, { mode: 0o400 });
});

afterAll(async () => {
  await chain?.stop();
  await rm(directory, { recursive: true, force: true });
});

let run = 0;
beforeEach(async () => {
  run += 1;
  // The head may hold payments of the previous test.
  fromBlock = Number(await client.getBlockNumber({ cacheTime: 0 })) + 1;
});

const wallet = (index: number) => keyring.wallet(index).address;
const file = (name: string) => join(directory, `${name}-${run}`);
const balance = (address: Address) => client.getBalance({ address });

async function pay(index: number, hype: string, from = payer): Promise<void> {
  const account = privateKeyToAccount(from.privateKey);
  const sender = createWalletClient({
    account,
    chain: viemChain(networkOf(chain.chainId)),
    transport: http(chain.rpcUrl),
  });
  const hash = await sender.sendTransaction({ to: wallet(index), value: parseEther(hype) });
  await client.waitForTransactionReceipt({ hash, pollingInterval: 50 });
}

async function ops(...args: string[]): Promise<string> {
  const [step = '', ...rest] = args;
  const common = ['--chain-id', String(chain.chainId), '--rpc', chain.rpcUrl];
  return (await runOps(['recover', step, ...common, ...rest])).output;
}

/** @param margin replaces the default of 1,000 indexes, which take seconds to derive */
const survey = (margin: readonly string[] = ['--margin', '20']) =>
  ops('survey', '--xpub', keyring.accountXpub, '--out', file('plan'), '--from-block', String(fromBlock), ...margin);

const sendBack = (...more: string[]) =>
  ops(
    'return',
    ...['--plan', file('plan'), '--journal', file('journal'), '--below', '100', '--reason', 'the database is lost'],
    ...(more.includes('--seed-file') ? [] : ['--seed-file', join(directory, 'seed')]),
    ...more,
  );

describe('a recovery by the xpub and the chain', { timeout: 60_000 }, () => {
  it('finds wallets behind gaps with their payers', async () => {
    await pay(0, '0.5');
    await pay(30, '0.25');
    await pay(30, '0.25', other);
    const plan = await surveyWallets(client, { accountXpub: keyring.accountXpub, fromBlock, margin: 20 });
    expect(plan.wallets.map(({ index, returnTo, balanceWei }) => [index, returnTo, balanceWei])).toEqual([
      [0, payer.address, parseEther('0.5').toString()],
      [30, null, parseEther('0.5').toString()],
    ]);
    expect(plan.firstFreeIndex).toBe(51);
    expect(plan.wallets[1]?.history?.payers.map(({ from }) => from)).toEqual([payer.address, other.address]);

    const narrow = await surveyWallets(client, { accountXpub: keyring.accountXpub, margin: 20, below: 30 });
    expect(narrow.wallets.map(({ index, because }) => [index, because])).toEqual([
      [0, 'no blocks were read: who paid is not known'],
    ]);
    expect(narrow.firstFreeIndex).toBe(30);
  });

  it('finds wallets of named series', async () => {
    const used = [indexInSeries(28_512_003, 2), indexInSeries(28_512_003, 21), indexInSeries(28_598_402, 0)];
    for (const index of used) await pay(index, '0.01');
    const series = [28_512_003, 28_598_400, 28_598_401, 28_598_402];
    const plan = await surveyWallets(client, { accountXpub: keyring.accountXpub, margin: 20, series });
    const found = plan.wallets.map(({ index }) => index).filter((index) => index >= 2 ** 32);
    expect(found).toEqual(used);
    expect(plan.firstFreeIndex).toBeLessThan(1000);
    for (const index of used) await test.setBalance({ address: wallet(index), value: 0n });
  });

  it('returns each wallet’s money once, to the wei', async () => {
    await test.setBalance({ address: wallet(0), value: 0n });
    await test.setBalance({ address: wallet(30), value: 0n });
    await pay(1, '0.5');
    const output = await survey([]);
    expect(output).toContain(wallet(1));
    expect(output).toMatch(/JOB_FIRST_WALLET_INDEX=1002/);
    const before = await balance(payer.address);
    expect(await sendBack()).toMatch(new RegExp(`${wallet(1)} HYPE returned`));
    const gas = 21_000n * (await signedPrice());
    expect(await balance(payer.address)).toBe(before + parseEther('0.5') - gas);
    expect(await balance(wallet(1))).toBe(0n);

    await pay(1, '0.1');
    await sendBack();
    expect(await balance(wallet(1))).toBe(parseEther('0.1'));
    expect(await client.getTransactionCount({ address: wallet(1) })).toBe(1);
  });

  it('sends only saved bytes after a crash', async () => {
    await pay(2, '0.5');
    await survey();
    const { sha256 } = await readPlan(file('plan'));
    const signed = await signOnly(2, sha256);
    await sendBack();
    const receipt = await client.getTransactionReceipt({ hash: signed });
    expect(receipt.status).toBe('success');
    expect((await entries()).filter(({ kind, wallet: of }) => kind === 'signed' && of === wallet(2))).toHaveLength(1);
  });

  it('raises the fee at the same nonce', async () => {
    await pay(3, '0.5');
    await survey();
    const { sha256 } = await readPlan(file('plan'));
    const cheap = await signOnly(3, sha256, 1n);
    await sendBack();
    const signed = (await entries()).filter(({ kind, wallet: of }) => kind === 'signed' && of === wallet(3));
    expect(signed.map(({ nonce }) => nonce)).toEqual([0, 0]);
    await expect(client.getTransactionReceipt({ hash: cheap })).rejects.toThrow();
    expect(await balance(wallet(3))).toBe(0n);
  });

  it('never sends more than the plan saw', async () => {
    await pay(4, '0.5');
    await survey();
    await pay(4, '0.2', other);
    await sendBack();
    expect(await balance(wallet(4))).toBe(parseEther('0.2'));
  });

  it('skips wallets without recipient and journals the operator', async () => {
    await pay(5, '0.1');
    await pay(5, '0.1', other);
    await survey();
    await sendBack('--operator', 'ana');
    expect(await balance(wallet(5))).toBe(parseEther('0.2'));
    expect((await entries())[0]).toMatchObject({ kind: 'opened', operator: 'ana', reason: 'the database is lost' });
  });
});

describe('a recovery signs nothing', { timeout: 60_000 }, () => {
  const expectRefused = async (change: (plan: string) => string, message: RegExp, ...more: string[]) => {
    const nonces = () =>
      Promise.all([0, 1, 2, 6].map((index) => client.getTransactionCount({ address: wallet(index) })));
    const before = await nonces();
    await writeFile(file('plan'), change(await readFile(file('plan'), 'utf8')));
    await expect(sendBack(...more)).rejects.toThrow(message);
    expect(await nonces()).toEqual(before);
  };
  const same = (plan: string) => plan;

  beforeEach(async () => {
    await test.setBalance({ address: wallet(6), value: 0n });
    await pay(6, '0.1');
    await survey();
  });

  it('for a wallet of the running product', () =>
    expectRefused(same, /belongs to the running product/, '--below', '6'));

  it('for a plan of another seed', async () => {
    const seed = file('another-seed');
    await writeFile(seed, 'test test test test test test test test test test test junk', { mode: 0o400 });
    await expectRefused(same, /none of this seed/, '--seed-file', seed);
  });

  it('for a plan of another chain', () => expectRefused((plan) => plan.replace('31337', '998'), /for chain 998/));

  it('from one wallet of the seed to another', () =>
    expectRefused((plan) => plan.replaceAll(payer.address, wallet(0)), /another wallet of this seed/));

  it('for a wallet that is in the plan twice', () =>
    expectRefused((plan) => {
      const parsed = JSON.parse(plan);
      parsed.wallets.push(parsed.wallets.at(-1));
      return JSON.stringify(parsed);
    }, /names a wallet twice/));

  it('for an address with a typing error', () =>
    expectRefused(
      (plan) => plan.replaceAll(payer.address, payer.address.toLowerCase().replace('a', 'A')),
      /wrong character or capital letter/,
    ));

  it('under a journal of another plan', async () => {
    const opening = { plan: 'of another', operator: 'ana', reason: 'a test' };
    await RecoveryJournal.open(file('journal'), opening);
    await expectRefused(same, /belongs to another plan/);
  });

  it('after a truncated line', async () => {
    await writeFile(file('journal'), '{"kind":"op');
    await expectRefused(same, /unfinished/);
  });

  it.each([
    [
      'an endpoint that does not answer',
      ['--rpc', 'http://user:secret@127.0.0.1:9/key'],
      /Could not read the chain id/,
    ],
    ['no address of an endpoint', ['--rpc', 'ftp://somewhere'], /--rpc/],
    ['an unknown network', ['--chain-id', '5'], /not a known network/],
    ['a key that is no xpub', ['--xpub', 'abc'], /account xpub cannot be read/],
  ] as const)('and reports %s in one line', async (_, args, message) => {
    const failure = await ops('survey', '--xpub', keyring.accountXpub, '--out', file('none'), ...args).catch(
      sentenceOf,
    );
    expect(failure).toMatch(message);
    expect(failure).not.toMatch(/secret|\/key/);
  });

  it('without a reason or a name, which the journal keeps', async () => {
    await expect(sendBack('--reason', ' ')).rejects.toThrow(/--reason/);
    await expect(sendBack('--operator', ' ')).rejects.toThrow(/--operator/);
  });
});

it('lets no two runs write one journal', async () => {
  const opening = { plan: 'one', operator: 'ana', reason: 'a test' };
  const first = await RecoveryJournal.open(file('journal'), opening);
  await RecoveryJournal.open(file('journal'), opening);
  const line = { kind: 'skipped', wallet: wallet(0), asset: 'HYPE', because: 'a test' } as const;
  await expect(first.append(line)).rejects.toThrow(/another run/);
});

async function entries(): Promise<Record<string, unknown>[]> {
  const text = await readFile(file('journal'), 'utf8');
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
}

async function signedPrice(): Promise<bigint> {
  const signed = (await entries()).find(({ kind }) => kind === 'signed');
  return BigInt(String(signed?.maxFeePerGasWei));
}

/** Leaves the journal of a run that crashed right after it saved its bytes. @returns the hash */
async function signOnly(index: number, plan: string, priceWei = 1_000_000_000n) {
  const journal = await RecoveryJournal.open(file('journal'), { plan, operator: 'ana', reason: 'a test' });
  const amount = parseEther('0.5') - 21_000n * priceWei;
  const nonce = await client.getTransactionCount({ address: wallet(index) });
  const { hash, rawTransaction } = await keyring.wallet(index).signTransaction({
    chainId: chain.chainId,
    nonce,
    to: payer.address,
    valueWei: amount,
    data: '0x',
    gas: 21_000n,
    maxFeePerGasWei: priceWei,
    maxPriorityFeePerGasWei: priceWei,
  });
  const entry = { kind: 'signed', wallet: wallet(index), asset: 'HYPE', to: payer.address, nonce, hash } as const;
  await journal.append({ ...entry, rawTransaction, amount: String(amount), maxFeePerGasWei: String(priceWei) });
  return hash;
}
