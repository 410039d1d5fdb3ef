import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { erc20Abi } from '@maker/chain';
import {
  type ExchangeChainPart,
  type NatsPart,
  openDatabases,
  startChain,
  startNats,
  type TestDatabases,
} from '@maker/local-stack';
import { Connection } from '@maker/persistence';
import type { INestMicroservice } from '@nestjs/common';
import {
  type Address,
  createTestClient,
  encodeFunctionData,
  getAddress,
  type Hex,
  http,
  numberToHex,
  parseAbi,
  parseEther,
  publicActions,
} from 'viem';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import { foundry } from 'viem/chains';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { SEARCH_ROUND_MS } from './find-wrong-assets/scheduled-search.ts';
import { FakeJobService, passTime, type Servers, startWatcher } from './payment-watcher.fixture.ts';

const AMOUNT = parseEther('0.25');
const RETURNED_TO = privateKeyToAddress(generatePrivateKey());
const MINUTE_MS = 60_000;
const patient = { timeout: 28_000, interval: 50 };
/** The same if each check mines a block, which the watcher then reads. */
const mining = { ...patient, interval: 100 };

let mongo: TestDatabases;
let nats: NatsPart;
let chain: ExchangeChainPart;
let job: FakeJobService;
let watcher: INestMicroservice;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'payment-watcher-'));
  mongo = openDatabases();
  [nats, chain] = await Promise.all([startNats(), startChain({ exchanges: true, blockSeconds: 0 })]);
  const exchangesFile = join(folder, 'exchanges.json');
  await writeFile(exchangesFile, JSON.stringify(chain.exchanges));
  const servers: Servers = {
    natsUrl: nats.url,
    rpcUrl: chain.rpcUrl,
    watcherMongoUrl: mongo.urlOf('payment_watcher'),
    jobMongoUrl: mongo.urlOf('job'),
  };
  job = await FakeJobService.start(servers);
  watcher = await startWatcher(servers, 1, { CHAIN_EXCHANGES_FILE: exchangesFile });
});

afterAll(async () => {
  await watcher?.close();
  await job?.stop();
  await Promise.all([mongo?.stop(), nats?.stop(), chain?.stop(), folder && rm(folder, { recursive: true })]);
});

const client = () =>
  createTestClient({ chain: foundry, mode: 'anvil', transport: http(chain.rpcUrl) }).extend(publicActions);

async function send(to: Address, data: Hex, value = 0n, from = chain.accounts[0]?.address as Address): Promise<void> {
  await client().impersonateAccount({ address: from });
  const transaction = { from, to, value: numberToHex(value), data, gas: numberToHex(300_000) };
  const hash = await client().request({ method: 'eth_sendTransaction', params: [transaction] } as never);
  await client().mine({ blocks: 1 });
  await client().getTransactionReceipt({ hash: hash as Hex });
}

const sendTokens = (token: Address, to: Address) =>
  send(token, encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, AMOUNT] }));

/** Sends all tokens of a wallet away, like an operator's release. */
async function sendAllTokens(token: Address, from: Address): Promise<void> {
  await client().setBalance({ address: from, value: AMOUNT });
  await send(
    token,
    encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [RETURNED_TO, AMOUNT] }),
    0n,
    from,
  );
}

/** Creates a waiting job of a given age. */
async function waitingJob(ageMs: number) {
  const jobId = `job_${randomBytes(16).toString('hex')}`;
  const address = privateKeyToAddress(generatePrivateKey()).toLowerCase() as Address;
  await job.createJob(jobId, address, Date.now() + 900_000, chain.tokens.both);
  const watches = watcher.get(Connection).collection<{ _id: string; createdAt: Date }>('watches');
  await vi.waitFor(async () => {
    const createdAt = new Date(Date.now() - ageMs);
    expect((await watches.updateOne({ _id: address }, { $set: { createdAt } })).matchedCount).toBe(1);
  }, patient);
  return { jobId, address };
}

/** Starts the next round of searches, after a block, and waits for its report. */
async function searched(check: () => void): Promise<void> {
  passTime(watcher, SEARCH_ROUND_MS);
  await vi.waitFor(async () => {
    await client().mine({ blocks: 1 });
    check();
  }, mining);
}

const whypeFound = () => ({
  tokenAddress: getAddress(chain.contracts.whype),
  amount: `${AMOUNT}`,
  // The symbol of the test contract for wrapped HYPE.
  symbol: 'WETH',
  decimals: 18,
});

describe('tokens at the address of a job (docs/adr/0093)', { timeout: 120_000 }, () => {
  it('are reported while waiting, at the end and on command', async () => {
    const { jobId, address } = await waitingJob(0);
    await send(chain.contracts.whype, encodeFunctionData({ abi: parseAbi(['function deposit() payable']) }), AMOUNT);
    await sendTokens(chain.contracts.whype, address);
    const empty = await waitingJob(MINUTE_MS);
    const watches = watcher
      .get(Connection)
      .collection<{ _id: string; createdAt: Date; watchUntil: Date | null; closed: boolean }>('watches');
    await watches.updateOne({ _id: address }, { $set: { createdAt: new Date(Date.now() - MINUTE_MS) } });
    await searched(() => expect(job.tokensFound(jobId)).toMatchObject([{ tokens: [whypeFound()] }]));

    await sendTokens(chain.tokens.both, address);
    await job.changeStatus(jobId, 'pending_payment', 'payment_expired');
    await vi.waitFor(async () => {
      const ended = { watchUntil: new Date(Date.now() + 86_400_000 - MINUTE_MS) };
      const changed = await watches.updateOne({ _id: address, watchUntil: { $ne: null } }, { $set: ended });
      expect(changed.matchedCount).toBe(1);
    }, patient);
    const both = { tokenAddress: getAddress(chain.tokens.both), amount: `${AMOUNT}`, decimals: 18 };
    await searched(() => expect(job.tokensFound(jobId).at(-1)?.tokens).toMatchObject([whypeFound(), both]));
    expect(job.tokensFound(empty.jobId)).toEqual([]);
    expect(job.received(jobId)).toEqual([]);

    // HyperCore is not configured here: the watcher still reports tokens on HyperEVM.
    await expect(job.findOnHyperCore(jobId, address)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    await vi.waitFor(() => expect(job.tokensFound(jobId)).toHaveLength(3), patient);

    // The tokens are returned after the end of the watch.
    await sendAllTokens(chain.contracts.whype, address);
    await sendAllTokens(chain.tokens.both, address);
    const due = { closed: true, watchUntil: new Date(0), 'finds.tokens.againAt': new Date() };
    expect((await watches.updateOne({ _id: address }, { $set: due })).matchedCount).toBe(1);
    await searched(() => expect(job.tokensFound(jobId).at(-1)?.tokens).toEqual([]));
    expect(job.tokensFound(jobId)).toHaveLength(4);
  });
});
