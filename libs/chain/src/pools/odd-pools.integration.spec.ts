import { ACCOUNT_INDEX, type ExchangeChainPart, startChain } from '@maker/local-stack';
import { type Abi, type Address, createWalletClient, http, parseAbi, parseEther, parseGwei } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ChainClient, createChainClient } from '../client.ts';
import { ExchangeWatch } from '../exchange-checks/exchange-watch.ts';
import { exchangesFileSchema } from '../exchanges/exchanges.ts';
import { networkOf } from '../networks.ts';
import { Market } from './market.ts';

const ORDER = parseEther('0.0004');
const GAS_PRICE = parseGwei('0.1');
const FEES = { maxFeePerGas: parseGwei('10'), maxPriorityFeePerGas: 0n, gas: 8_000_000n };
const FACTORIES = parseAbi([
  'function createPair(address, address)',
  'function createPool(address, address, uint24)',
  'function createPool(address, address, bytes)',
]);
const POOL = parseAbi(['function initialize(uint160)']);
/** A unit of the token for more HYPE than there is, and the other way around. */
const ABSURD_PRICES = [4_295_128_740n, 2n ** 159n];
const ANY_DEPTH = { minimumLiquidityWei: 1n, budgetWei: parseEther('1') };

let chain: ExchangeChainPart;
let client: ChainClient;
let market: Market;

beforeAll(async () => {
  chain = await startChain({ exchanges: true, clock: { blockMs: 200, gainedSeconds: 1 } });
  client = createChainClient({ network: networkOf(chain.chainId), rpcUrls: [chain.rpcUrl] });
  market = new Market(client, await new ExchangeWatch(client, exchangesFileSchema.parse(chain.exchanges)).start());
});
afterAll(() => chain?.stop());

async function send(address: Address, abi: Abi, functionName: string, args: readonly unknown[]): Promise<void> {
  const account = privateKeyToAccount(chain.accounts[ACCOUNT_INDEX.deployer]?.privateKey ?? '0x');
  const wallet = createWalletClient({ account, chain: client.chain, transport: http(chain.rpcUrl) });
  const hash = await wallet.writeContract({ address, abi, functionName, args, ...FEES });
  const { status } = await client.waitForTransactionReceipt({ hash, pollingInterval: 50 });
  expect(status).toBe('success');
}

/** The pools of a token that cannot be bought from: found, and neither deep nor quoted. */
async function expectIgnored(token: Address, exchangeIds: readonly string[]): Promise<void> {
  const surveys = await market.survey(token, ORDER);
  expect(surveys.map(({ pool }) => pool.exchangeId).sort()).toEqual(exchangeIds);
  for (const survey of surveys) expect(survey).toMatchObject({ liquidityWei: 0n, tokensOut: undefined });
  expect(await market.quotes(token, ORDER, GAS_PRICE)).toEqual([]);
  expect(await market.deepMarket(token, ANY_DEPTH, GAS_PRICE)).toEqual({ quotes: [], states: [] });
}

describe('pools that nobody can buy from', () => {
  it('are ignored when empty, unpriced or absurdly priced', async () => {
    const { whype, v2Factory, camelotFactory, v3Factory, algebraFactory } = chain.contracts;
    const token = chain.tokens.unpaired;
    for (const factory of [v2Factory, camelotFactory]) await send(factory, FACTORIES, 'createPair', [token, whype]);
    for (const fee of [500, 3000]) await send(v3Factory, FACTORIES, 'createPool', [token, whype, fee]);
    await send(algebraFactory, FACTORIES, 'createPool', [token, whype, '0x']);
    const ids = ['algebra', 'camelot', 'uniswap-v2', 'uniswap-v3', 'uniswap-v3'];
    await expectIgnored(token, ids);
    const unpriced = (await market.pools(token)).filter(({ exchangeId }) => /algebra|v3/.test(exchangeId));
    for (const [index, { address }] of unpriced.entries())
      await send(address, POOL, 'initialize', [ABSURD_PRICES[index % 2]]);
    await expectIgnored(token, ids);
  });
});
