import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ACCOUNT_INDEX, type ExchangeChainPart, startChain } from '@maker/local-stack';
import {
  type Address,
  createWalletClient,
  encodeAbiParameters,
  encodeEventTopics,
  encodeFunctionData,
  erc20Abi,
  getContractAddress,
  type Hex,
  http,
  parseAbi,
  parseEther,
  parseGwei,
} from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { ChainFacts } from '../../../receipt/src/chain/chain-facts.ts';
import type { OrderPlan } from '../../../receipt/src/simulated-executor.fixture.ts';
import { compiledContracts } from '../compiled-contract.fixture.ts';
import { networkOf } from '../networks.ts';
import type { Exchange, VerifiedExchange } from '../shapes/shapes.ts';
import type { ToyExchange } from './toy-shape.fixture.ts';

/** The one added line: all other code that this file runs is the product's own. */
async function importWithToy() {
  vi.resetModules();
  vi.doMock('../shapes/registry.ts', async (original) => {
    const { SHAPES } = await original<typeof import('../shapes/registry.ts')>();
    const { toyShape } = await import('./toy-shape.fixture.ts');
    return { SHAPES: [...SHAPES, toyShape] };
  });
  return {
    ...(await import('./toy-shape.fixture.ts')),
    ...(await import('../index.ts')),
    ...(await import('../venues.ts')),
    ...(await import('../exchange-checks/exchange-watch.ts')),
    ...(await import('../recipients/dead-ends.ts')),
    ...(await import('../../../receipt/src/parties.fixture.ts')),
    ...(await import('../../../receipt/src/purchases.fixture.ts')),
    ...(await import('../../../receipt/src/simulated-executor.fixture.ts')),
    ...(await import('../../../receipt/src/chain/read-purchase.ts')),
    ...(await import('../../../receipt/src/chain/read-pools.ts')),
    ...(await import('../../../receipt/src/verify/verify-receipt.ts')),
    ...(await import('../../../../apps/ops/src/simulation/simulate-job.ts')),
  };
}

const ORDER = parseEther('0.0004');
const PRICE = 500n;
const FEES = { maxFeePerGas: parseGwei('10'), maxPriorityFeePerGas: 0n };
const SOURCE = new URL('ToyExchange.sol', import.meta.url);
const openAbi = parseAbi(['function open(address token) payable']);

let product: Awaited<ReturnType<typeof importWithToy>>;
let chain: ExchangeChainPart;
let toy: ToyExchange;
let token: Address;

beforeAll(async () => {
  product = await importWithToy();
  chain = await startChain({ exchanges: true, clock: { blockMs: 200, gainedSeconds: 1 } });
  token = chain.tokens.unpaired;
  toy = await deployToy();
}, 240_000);
afterAll(async () => {
  await chain?.stop();
  vi.doUnmock('../shapes/registry.ts');
  vi.resetModules();
});

const clientOf = () => product.createChainClient({ network: networkOf(chain.chainId), rpcUrls: [chain.rpcUrl] });

function walletOf(index: number) {
  const account = privateKeyToAccount(chain.accounts[index]?.privateKey ?? '0x');
  return createWalletClient({ account, chain: clientOf().chain, transport: http(chain.rpcUrl) });
}

async function deployToy(): Promise<ToyExchange> {
  const client = clientOf();
  const deployer = walletOf(ACCOUNT_INDEX.deployer);
  const { address: from } = deployer.account;
  let nonce = await client.getTransactionCount({ address: from });
  const send = async (data: Hex, to?: Address) => {
    const hash = await deployer.sendTransaction({ data, to, nonce, gas: 2_000_000n, ...FEES });
    nonce += 1;
    const { status } = await client.waitForTransactionReceipt({ hash, pollingInterval: 50 });
    expect(status).toBe('success');
  };
  const compiled = compiledContracts(SOURCE);
  const code = (name: string, argument: Address): Hex =>
    `0x${compiled[name]}${encodeAbiParameters([{ type: 'address' }], [argument]).slice(2)}`;
  const factory = getContractAddress({ from, nonce: BigInt(nonce) });
  const router = getContractAddress({ from, nonce: BigInt(nonce) + 1n });
  const wrappedNative = chain.contracts.whype;
  await send(code('ToyFactory', wrappedNative));
  await send(code('ToyRouter', factory));
  await send(encodeFunctionData({ abi: openAbi, args: [token] }), factory);
  const stall = getContractAddress({ from: factory, nonce: 1n });
  await send(encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [stall, parseEther('1000')] }), token);
  return { id: 'toys', kind: 'toy', factory, router, till: stall, wrappedNative };
}

const registry = () => product.exchangesFileSchema.parse([...chain.exchanges, toy]);

/** A verifier's view of a job through the toy exchange. @param change of one order */
function judged(change: Partial<OrderPlan>) {
  const { SimulatedExecutor, PURCHASE_FORMATS, WRAPPED, TOKEN, toyRouterAbi, toyEvents } = product;
  PURCHASE_FORMATS.toy = {
    buyCall: ({ path: [paid = WRAPPED, bought = TOKEN], minimum, recipient, deadline }) =>
      encodeFunctionData({
        abi: toyRouterAbi,
        functionName: 'buy',
        args: [paid, bought, minimum, recipient, deadline],
      }),
    swapLog: (paid, sold) => ({
      topics: encodeEventTopics({ abi: toyEvents, args: { token: TOKEN, wrapped: WRAPPED } }) as Hex[],
      data: encodeAbiParameters([{ type: 'uint256' }, { type: 'uint256' }], [paid, sold]),
    }),
  };
  const venue = { ...toy, wrappedNative: WRAPPED } as unknown as Exchange;
  const executor = new SimulatedExecutor({ venue, orderCount: 6 });
  const plan = executor.planOrder.bind(executor);
  executor.planOrder = (number) => ({ ...plan(number), ...(number === 1 && change) });
  const { receipt, facts } = executor.run();
  const known = withToy(facts, venue);
  return product.verifyReceipt({ receipt, signature: '0x' }, known);
}

/** The toy exchange is in the verifier's build, and its factory names the pool. */
function withToy(facts: ChainFacts, venue: Exchange): ChainFacts {
  const { readPurchase, poolKey, POOL } = product;
  const venues = [...facts.venues, venue];
  const reads = [...facts.transactions.values()].map((fact) => readPurchase(fact, venues));
  const pools = reads.flatMap((read) => (read?.venue ? [[poolKey(read.venue, read.purchase), POOL] as const] : []));
  return { ...facts, venues, pools: new Map(pools) };
}

describe('a shape added by a folder and a registry line (docs/adr/0076)', () => {
  it('is checked against the chain, and named where missing', async () => {
    const client = clientOf();
    const wrong = [
      { ...toy, router: token, id: 'other' },
      { ...toy, till: token, id: 'another' },
    ];
    const [verified, ...refused] = await product.verifyExchanges(
      client,
      product.exchangesFileSchema.parse([toy, ...wrong]),
    );
    expect(verified).toEqual(toy);
    expect(product.describeExchange(verified as VerifiedExchange)).toBe('toy, one price');
    for (const failure of refused) expect(String(failure)).toContain(`no toy at ${token}`);
  });

  it('keeps money away from all its contracts', () => {
    const [exchange] = product.exchangesFileSchema.parse([toy]) as VerifiedExchange[];
    const deadEnds = product.deadEndsOf({ token, treasury: undefined }, exchange ? [exchange] : []);
    const { factory, router, till, wrappedNative } = toy;
    expect(deadEnds.map(({ address }) => address)).toEqual([token, factory, router, till, wrappedNative]);
  });

  it('is in the market, in plans and in trials', async () => {
    const client = clientOf();
    const market = new product.Market(client, await new product.ExchangeWatch(client, registry()).start());
    const [quote] = await market.quotes(token, ORDER, parseGwei('0.1'));
    if (!quote) throw new Error('no quote');
    expect(quote).toMatchObject({ pool: { exchangeId: 'toys' }, tokensOut: ORDER * PRICE });
    const exchange = market.exchangeOf(quote.pool);
    expect(product.hasPairs(exchange.kind)).toBe(true);
    expect(await product.probeTrade(client, exchange, quote.pool, ORDER)).toMatchObject({ kind: 'tradable' });
    const { states } = await market.deepMarket(
      token,
      { minimumLiquidityWei: 1n, budgetWei: parseEther('1') },
      parseGwei('0.1'),
    );
    expect(states[0]).toMatchObject({ exchange: 'toys', orderGas: 120_000n });
  });

  it('is in the simulation of a job', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'toy-exchange-'));
    const file = join(folder, 'exchanges.json');
    writeFileSync(file, JSON.stringify([...chain.exchanges, toy]));
    const { text } = await product.simulateJob({ token, amount: '0.5', rpc: chain.rpcUrl, exchanges: file });
    rmSync(folder, { recursive: true });
    expect(text).toMatch(/^orders +625 of 0.0004 HYPE/m);
    // 0.25 HYPE at 500 tokens each.
    expect(text).toMatch(/^tokens +about 125 \w+, first from toys$/m);
    expect(text).toContain('- 1 pools: toys');
  });

  it('executes a purchase and proves it', async () => {
    const client = clientOf();
    const market = new product.Market(client, await new product.ExchangeWatch(client, registry()).start());
    const [quote] = await market.quotes(token, ORDER, parseGwei('0.1'));
    if (!quote) throw new Error('no quote');
    const { pool, tokensOut } = quote;
    const wallet = walletOf(ACCOUNT_INDEX.spare);
    const recipient = wallet.account.address;
    const terms = { amountInWei: ORDER, minimumTokensOut: tokensOut, recipient, deadlineSeconds: 2n ** 40n };
    const { gasLimit: gas, ...transaction } = market.buyTransaction({ pool, ...terms });
    const hash = await wallet.sendTransaction({ ...transaction, gas, ...FEES });
    const receipt = await client.waitForTransactionReceipt({ hash, pollingInterval: 50 });
    expect(product.tokensReceived(receipt, token, recipient)).toBe(ORDER * PRICE);
    expect(product.tokensFromPool(receipt)).toBe(ORDER * PRICE);
    const fact = { to: toy.router.toLowerCase(), input: transaction.data } as never;
    const read = product.readPurchase(fact, registry());
    expect(read?.purchase).toMatchObject({ tokenOut: token, recipient, minimumTokens: tokensOut });
    const [named] = (await product.readPools(client, [fact], registry())).values();
    expect(named).toBe(pool.address.toLowerCase());
    expect(read?.proof.tradesIn(receipt.logs)).toMatchObject([{ pool: pool.address.toLowerCase() }]);
  });

  it.each([
    ['accepted', {}, undefined],
    ['rejected with its own contract as router', { router: 'ACCOMPLICE' }, 'only_buys'],
    ['rejected with its own contract as pool', { pool: 'ACCOMPLICE' }, 'only_buys'],
    ['rejected with its own contract as both', { router: 'ACCOMPLICE', pool: 'ACCOMPLICE' }, 'only_buys'],
  ])('has receipts that are %s', (_, change, rule) => {
    const own = Object.fromEntries(Object.keys(change).map((key) => [key, product.ACCOMPLICE]));
    expect(judged(own).broken?.rule).toBe(rule);
  });
});
