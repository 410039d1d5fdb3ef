import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readMarket, type ValidateTokenResponse, validateToken } from '@maker/contracts';
import {
  chainTestClient,
  type ExchangeChainPart,
  type NatsPart,
  openDatabases,
  startChain,
  startNats,
  type TestDatabases,
} from '@maker/local-stack';
import { connectionOptions, RequestClient, type RequestFailure } from '@maker/messaging';
import { startServer } from '@maker/messaging/testing';
import { createLogger, MetricsRegistry, Readiness } from '@maker/service-kit';
import type { INestMicroservice } from '@nestjs/common';
import type { Address } from 'viem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tokenValidationEnvironment } from '../configuration.ts';
import { SERVICE, tokenValidationModule } from '../token-validation.module.ts';
import { TokenVerdictsService } from './token-verdicts.service.ts';
import { ValidateTokenHandler } from './validate-token.handler.ts';

/** Longer than the spec, so that each token is read once. */
const HOUR_MS = 3_600_000;

let chain: ExchangeChainPart;
let mongo: TestDatabases;
let nats: NatsPart;
let app: INestMicroservice;
let folder: string;

beforeAll(async () => {
  mongo = openDatabases();
  [chain, nats] = await Promise.all([startChain({ exchanges: true }), startNats()]);
  folder = mkdtempSync(join(tmpdir(), 'token-validation-'));
  app = await start({}, HOUR_MS);
});

afterAll(async () => {
  await app?.close();
  await Promise.all([chain?.stop(), mongo?.stop(), nats?.stop()]);
  rmSync(folder, { recursive: true, force: true });
});

async function start(
  environment: Record<string, string>,
  snapshotReuseMs: number,
  exchanges: unknown = chain.exchanges,
) {
  const exchangesFile = join(folder, 'exchanges.json');
  writeFileSync(exchangesFile, JSON.stringify(exchanges));
  const configuration = tokenValidationEnvironment.parse({
    LOG_LEVEL: 'fatal',
    LISTEN_HOST: '127.0.0.1',
    OPS_PORT: '0',
    NATS_URL: nats.url,
    MONGO_URL: mongo.urlOf('token_validation'),
    CHAIN_ID: String(chain.chainId),
    CHAIN_RPC_URLS: chain.rpcUrl,
    CHAIN_EXCHANGES_FILE: exchangesFile,
    CHAIN_TRUST_SINGLE_ENDPOINT: 'true',
    ...environment,
  });
  const module = tokenValidationModule(configuration, createLogger(SERVICE, 'fatal'), snapshotReuseMs);
  const started = await startServer(module, { ...connectionOptions(SERVICE, configuration), queue: SERVICE });
  started.get(Readiness, { strict: false }).started();
  return started;
}

function ask(tokenAddress: string): Promise<ValidateTokenResponse> {
  return app.get(RequestClient, { strict: false }).request(validateToken, { tokenAddress });
}

async function counted(name: string, labels: Record<string, string>): Promise<number> {
  const metric = await app.get(MetricsRegistry, { strict: false }).getSingleMetric(name)?.get();
  const matching = metric?.values.filter((value) =>
    Object.entries(labels).every(([label, expected]) => value.labels[label] === expected),
  );
  return matching?.reduce((sum, { value }) => sum + value, 0) ?? 0;
}

describe('an endpoint with a limit of requests', () => {
  it('serves known tokens beside unknown ones', { timeout: 120_000 }, async () => {
    await ask(chain.tokens.both);
    const limited = await start({ CHAIN_RPC_REQUESTS_PER_MINUTE: '1000' }, 0);
    try {
      const validate = (tokenAddress: string, clientAddress: string) =>
        limited.get(TokenVerdictsService, { strict: false }).answer(tokenAddress as Address, clientAddress);
      const unknown = Array.from({ length: 60 }, (_, index) => `0x${(index + 1).toString(16).padStart(40, 'c')}`);
      const ends: string[] = [];
      for (const address of unknown)
        ends.push(
          await validate(address, '203.0.113.1').then(
            () => 'read',
            (error: RequestFailure) => error.code,
          ),
        );
      expect(new Set(ends)).toEqual(new Set(['read', 'TOO_MANY_REQUESTS']));
      expect(ends.filter((end) => end === 'read').length).toBeLessThan(10);
      for (let attempt = 0; attempt < 8; attempt += 1)
        expect(await validate(chain.tokens.both, '203.0.113.2')).toMatchObject({ isValid: true });
      expect(await validate(`0x${'d'.repeat(40)}`, '203.0.113.3')).toMatchObject({ isValid: false });
    } finally {
      await limited.close();
    }
  });
});

describe('token.validate', () => {
  it('accepts V2 and V3 pools with both figures', async () => {
    const { liquidityStatus, ...answer } = await ask(chain.tokens.both);
    expect(answer).toMatchObject({ isValid: true, token: { symbol: 'BOTH', name: 'Both Pools', decimals: 18 } });
    expect(liquidityStatus).toMatchObject({ meetsMinimum: true, hasV2: true, hasV3: true, selectedDex: 'uniswap-v2' });
    expect(liquidityStatus.v2LiquidityHype).toBe(3000);
    expect(liquidityStatus.v2LiquidityWei).toBe('3000000000000000000000');
    expect(liquidityStatus.v3LiquidityHype).toBeCloseTo(3000, 9);
    expect(liquidityStatus.v3LiquidityWei).toMatch(/^2999\d{18}$/);
  });

  it('accepts an address in any letter case', async () => {
    expect((await ask(`0x${chain.tokens.both.slice(2).toUpperCase()}`)).isValid).toBe(true);
  });

  it.each([
    ['v2Only', { hasV2: true, hasV3: false, selectedDex: 'uniswap-v2' }],
    ['v3Only', { hasV2: false, hasV3: true, selectedDex: 'uniswap-v3' }],
    ['camelotOnly', { hasV2: true, hasV3: false, selectedDex: 'camelot' }],
    ['router02Only', { hasV2: false, hasV3: true, selectedDex: 'uniswap-v3-router02' }],
    ['algebraOnly', { hasV2: false, hasV3: true, selectedDex: 'algebra' }],
  ] as const)('accepts %s', async (name, status) => {
    expect(await ask(chain.tokens[name])).toMatchObject({ isValid: true, liquidityStatus: status });
  });

  it('accepts a deep V3 pool despite a broken V2', async () => {
    expect(await ask(chain.tokens.v2Closed)).toMatchObject({
      isValid: true,
      liquidityStatus: { hasV2: true, hasV3: true, selectedDex: 'uniswap-v3', v2LiquidityHype: 10 },
    });
  });

  it('refuses a token with only a stable pair', async () => {
    const answer = await ask(chain.tokens.stableOnly);
    expect(answer).toMatchObject({ isValid: false, reason: 'UNSUPPORTED_POOL' });
    expect(answer.errorMessage).toContain('stable pair');
  });

  it.each(['thin', 'unpaired'] as const)('refuses %s with the minimum-liquidity message', async (name) => {
    expect(await ask(chain.tokens[name])).toMatchObject({
      isValid: false,
      reason: 'BELOW_MINIMUM_LIQUIDITY',
      errorMessage: 'Token does not meet minimum liquidity requirements',
    });
  });

  it('names a transfer fee and a honeypot', async () => {
    const taxed = await ask(chain.tokens.taxed);
    expect(taxed).toMatchObject({ isValid: false, reason: 'FEE_ON_TRANSFER' });
    expect(taxed.errorMessage).toContain('fee of about 5%');
    const honeypot = await ask(chain.tokens.honeypot);
    expect(honeypot).toMatchObject({ isValid: false, reason: 'CANNOT_SELL' });
    expect(honeypot.errorMessage).toContain('limits trades in one block');
    expect(honeypot.errorMessage).not.toContain('honeypot');
  });

  it('refuses a wallet, and a contract that is no token', async () => {
    expect(await ask(chain.accounts[4]?.address ?? '')).toMatchObject({ isValid: false, reason: 'NOT_A_CONTRACT' });
    expect(await ask(chain.contracts.v2Router)).toMatchObject({ isValid: false, reason: 'NOT_A_TOKEN' });
  });

  it('refuses an invalid address', async () => {
    await expect(ask('0x12')).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
  });

  it('reuses a snapshot, but always reads the newest block', async () => {
    const first = await ask(chain.tokens.v2Only);
    await chainTestClient(chain.rpcUrl).mine({ blocks: 2, interval: 1 });
    const callsBefore = await counted('maker_rpc_requests_total', { method: 'eth_call' });
    const second = await ask(chain.tokens.v2Only);
    expect(await counted('maker_rpc_requests_total', { method: 'eth_call' })).toBe(callsBefore);
    expect(second.liquidityStatus).toEqual(first.liquidityStatus);
    expect(second.checkedAtBlock.number).toBeGreaterThanOrEqual(first.checkedAtBlock.number + 2);
    expect(Date.parse(second.checkedAtBlock.at)).toBeGreaterThan(Date.parse(first.checkedAtBlock.at));
  });

  it('shares one validation among concurrent callers', async () => {
    const before = await counted('maker_rpc_requests_total', { method: 'eth_getBlockByNumber' });
    const answers = await Promise.all(Array.from({ length: 10 }, () => ask(chain.contracts.v3Factory)));
    const asked = (await counted('maker_rpc_requests_total', { method: 'eth_getBlockByNumber' })) - before;
    expect(asked).toBeLessThan(10);
    expect(answers.every(({ reason }) => reason === 'NOT_A_TOKEN')).toBe(true);
  });

  it('counts its answers by outcome', async () => {
    expect(await counted('maker_validation_answers_total', { outcome: 'fee_on_transfer' })).toBe(1);
    expect(await counted('maker_validation_answers_total', { outcome: 'valid' })).toBeGreaterThan(3);
  });
});

describe('token.market.get', () => {
  const market = (tokenAddress: string) =>
    app.get(RequestClient, { strict: false }).request(readMarket, { tokenAddress });

  it('quotes deep pools at rising amounts with gas', async () => {
    const { verdict, market: facts } = await market(chain.tokens.both);
    expect(verdict.isValid).toBe(true);
    expect(facts?.pools.map(({ exchange }) => exchange).sort()).toEqual(['uniswap-v2', 'uniswap-v3']);
    expect(facts).toMatchObject({ token: { symbol: 'BOTH', decimals: 18 }, blockTimeMs: 1000 });
    expect(BigInt(facts?.blockGas ?? 0)).toBeGreaterThan(1_000_000n);
    for (const { orderGas, samples } of facts?.pools ?? []) {
      expect(Number(orderGas)).toBeGreaterThan(100_000);
      expect(samples.length).toBeGreaterThan(20);
      const quoted = samples.map(({ tokens }) => BigInt(tokens));
      expect(quoted.every((tokens, index) => index === 0 || tokens > (quoted[index - 1] ?? 0n))).toBe(true);
    }
  });

  it('quotes no more than a pool holds', async () => {
    const { market: facts } = await market(chain.tokens.v2Closed);
    expect(facts?.pools.map(({ exchange }) => exchange)).toContain('uniswap-v3');
    for (const { samples } of facts?.pools ?? []) expect(samples.length).toBeGreaterThan(1);
  });

  it('is read once per few seconds', async () => {
    await market(chain.tokens.v3Only);
    const before = await counted('maker_rpc_requests_total', { method: 'eth_call' });
    await Promise.all(Array.from({ length: 5 }, () => market(chain.tokens.v3Only)));
    expect(await counted('maker_rpc_requests_total', { method: 'eth_call' })).toBe(before);
  });

  it('reveals no market of a refused token', async () => {
    const { verdict, market: facts } = await market(chain.tokens.honeypot);
    expect(verdict).toMatchObject({ isValid: false, reason: 'CANNOT_SELL' });
    expect(facts).toBeUndefined();
  });
});

describe('the service', () => {
  it('refuses to start without any true exchange', async () => {
    const wrong = chain.exchanges.map((exchange) => ({ ...exchange, wrappedNative: chain.tokens.both }));
    await expect(start({}, HOUR_MS, wrong)).rejects.toThrow("'uniswap-v3-router02'");
  });

  it('starts without a false exchange and raises its gauge', async () => {
    const [first, ...others] = chain.exchanges;
    const started = await start({ MONGO_URL: mongo.urlOf('one_wrong') }, HOUR_MS, [
      { ...first, router: first?.factory },
      ...others,
    ]);
    try {
      const gauge = started.get(MetricsRegistry, { strict: false }).getSingleMetric('maker_chain_exchanges');
      const values = (await gauge?.get())?.values.map(({ labels, value }) => [labels.state, value]);
      expect(Object.fromEntries(values ?? [])).toEqual({ in_use: chain.exchanges.length - 1, set_aside: 1 });
      const handler = started.get(ValidateTokenHandler, { strict: false });
      const { liquidityStatus } = await handler.validate({ tokenAddress: chain.tokens.both });
      expect(liquidityStatus).toMatchObject({ hasV2: false, hasV3: true, selectedDex: 'uniswap-v3' });
    } finally {
      await started.close();
    }
  });

  it('reports unavailability while the chain is down', async () => {
    const ready = app.get(Readiness, { strict: false });
    expect((await ready.report()).ready).toBe(true);
    await chain.kill();
    await expect(ask(chain.tokens.thin)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(await counted('maker_validation_answers_total', { outcome: 'unavailable' })).toBe(1);
  });
});
