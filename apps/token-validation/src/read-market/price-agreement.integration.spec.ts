import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readMarket } from '@maker/contracts';
import {
  type ExchangeChainPart,
  type NatsPart,
  openDatabases,
  startChain,
  startNats,
  type TestDatabases,
} from '@maker/local-stack';
import { connectionOptions, RequestClient } from '@maker/messaging';
import { startServer } from '@maker/messaging/testing';
import { createLogger } from '@maker/service-kit';
import type { INestMicroservice } from '@nestjs/common';
import { type Address, createPublicClient, http, numberToHex, parseAbi } from 'viem';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type FaultOf, FaultyNode } from '../../../../libs/chain/src/endpoints/faulty-node.fixture.ts';
import { tokenValidationEnvironment } from '../configuration.ts';
import { SERVICE, tokenValidationModule } from '../token-validation.module.ts';

const PAIR = parseAbi([
  'function getPair(address, address) view returns (address)',
  'function token0() view returns (address)',
  'function getReserves() view returns (uint112, uint112, uint32)',
]);
/** Storage slot of a pair's reserves, 112 bits each. */
const RESERVES_SLOT = numberToHex(8, { size: 32 });

let chain: ExchangeChainPart;
let mongo: TestDatabases;
let nats: NatsPart;
let folder: string;
let endpoints: readonly [FaultyNode, FaultyNode, FaultyNode];
let app: INestMicroservice | undefined;

beforeAll(async () => {
  mongo = openDatabases();
  [chain, nats] = await Promise.all([startChain({ exchanges: true }), startNats()]);
  folder = mkdtempSync(join(tmpdir(), 'price-agreement-'));
  writeFileSync(join(folder, 'exchanges.json'), JSON.stringify(chain.exchanges));
  await market([{ url: chain.rpcUrl }], true);
  await app?.close();
});

afterAll(async () => {
  await Promise.all([chain?.stop(), mongo?.stop(), nats?.stop()]);
  rmSync(folder, { recursive: true, force: true });
});

beforeEach(async () => {
  const start = () => FaultyNode.start(chain.rpcUrl);
  endpoints = [await start(), await start(), await start()];
});

afterEach(async () => {
  await app?.close();
  app = undefined;
  await Promise.all(endpoints.map((endpoint) => endpoint.stop()));
});

/** Log lines of the services. */
const logLines: string[] = [];

/** Starts a service with these endpoints and requests the market of a token with one pool. */
async function market(used: readonly Pick<FaultyNode, 'url'>[], trustsSingle = false) {
  const configuration = tokenValidationEnvironment.parse({
    LOG_LEVEL: 'warn',
    LISTEN_HOST: '127.0.0.1',
    OPS_PORT: '0',
    NATS_URL: nats.url,
    MONGO_URL: mongo.urlOf('token_validation'),
    CHAIN_ID: String(chain.chainId),
    CHAIN_RPC_URLS: used.map(({ url }) => url).join(),
    CHAIN_EXCHANGES_FILE: join(folder, 'exchanges.json'),
    CHAIN_TRUST_SINGLE_ENDPOINT: String(trustsSingle),
  });
  const module = tokenValidationModule(
    configuration,
    createLogger(SERVICE, 'warn', { write: (line) => logLines.push(line) }),
    // The service reads the correct verdict once.
    3_600_000,
  );
  app = await startServer(module, { ...connectionOptions(SERVICE, configuration), queue: SERVICE });
  const client = app.get(RequestClient, { strict: false });
  const answer = await client.request(readMarket, { tokenAddress: chain.tokens.v2Only }, 20_000);
  return answer.market?.pools.map(({ samples }) => samples);
}

/** Scales the pool's token reserve in an endpoint's answers, in millionths. A larger reserve lowers the price. */
async function tokensTimes(millionths: bigint): Promise<FaultOf> {
  const client = createPublicClient({ transport: http(chain.rpcUrl) });
  const { whype, v2Factory } = chain.contracts;
  const args = [whype, chain.tokens.v2Only] as const;
  const pair = await client.readContract({ address: v2Factory, abi: PAIR, functionName: 'getPair', args });
  const [one, other] = await client.readContract({ address: pair, abi: PAIR, functionName: 'getReserves' });
  const first: Address = await client.readContract({ address: pair, abi: PAIR, functionName: 'token0' });
  const times = (reserve: bigint) => (reserve * millionths) / 1_000_000n;
  const isFirst = first.toLowerCase() === chain.tokens.v2Only.toLowerCase();
  const [reserve0, reserve1] = isFirst ? [times(one), other] : [one, times(other)];
  const stateDiff = { [RESERVES_SLOT]: numberToHex((reserve1 << 112n) | reserve0, { size: 32 }) };
  return ({ method, params: [transaction, block = 'latest'] }, ask) =>
    method === 'eth_call' ? ask({ method, params: [transaction, block, { [pair]: { stateDiff } }] }) : undefined;
}

describe('the price of a plan (docs/adr/0097)', { timeout: 60_000 }, () => {
  it('is accepted if two endpoints report the same', async () => {
    const [one, other] = endpoints;
    const [samples] = (await market([one, other])) ?? [];
    expect(samples?.length).toBeGreaterThan(20);
    expect(other.methods).toContain('eth_call');
  });

  it.each([
    ['first', 0, 500_000n],
    ['first', 0, 2_000_000n],
    ['second', 1, 500_000n],
    ['second', 1, 2_000_000n],
  ] as const)('is refused if the %s of two lies', async (_which, liar, millionths) => {
    endpoints[liar].fault = await tokensTimes(millionths);
    await expect(market(endpoints.slice(0, 2))).rejects.toMatchObject({ code: 'PRICE_UNCONFIRMED' });
    await app?.close();
    await expect(market(endpoints.slice(0, 2), true)).rejects.toMatchObject({ code: 'PRICE_UNCONFIRMED' });
  });

  it('is that of two agreeing endpoints of three', async () => {
    const [liar, ...honest] = endpoints;
    const truth = await market(honest);
    await app?.close();
    liar.fault = await tokensTimes(500_000n);
    expect(await market(endpoints)).toEqual(truth);
  });

  it('may differ by a half percent', async () => {
    const [one, other] = endpoints;
    other.fault = await tokensTimes(995_000n);
    expect(await market([one, other])).toHaveLength(1);
  });

  it('warns at the start about one host', async () => {
    const [one, other] = endpoints;
    const isWarned = () => logLines.some((line) => line.includes('CHAIN_RPC_URLS names one host'));
    logLines.length = 0;
    await market([one, other]);
    await app?.close();
    await market([one], true);
    await app?.close();
    expect(isWarned()).toBe(false);
    await market([one]).catch(() => undefined);
    expect(isWarned()).toBe(true);
  });

  it('needs a second endpoint or the operator’s setting', async () => {
    const [one, other] = endpoints;
    await expect(market([one])).rejects.toMatchObject({ code: 'PRICE_UNCONFIRMED' });
    await app?.close();
    await other.stop();
    await expect(market([one, other])).rejects.toMatchObject({ code: 'PRICE_UNCONFIRMED' });
    await app?.close();
    expect(await market([one, other], true)).toHaveLength(1);
    await app?.close();
    expect(await market([one], true)).toHaveLength(1);
  });
});
