import { ACCOUNT_INDEX, type ExchangeChainPart, startChain } from '@maker/local-stack';
import {
  type Abi,
  type Address,
  createPublicClient,
  createTestClient,
  createWalletClient,
  encodeFunctionData,
  type Hex,
  http,
  maxUint256,
  type PublicClient,
  parseAbi,
  parseEther,
  parseGwei,
} from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ChainClient, createChainClient } from '../client.ts';
import type { EventLog } from '../decode.ts';
import { ExchangeWatch } from '../exchange-checks/exchange-watch.ts';
import { exchangesFileSchema } from '../exchanges/exchanges.ts';
import { networkOf } from '../networks.ts';
import { all, query, queryAll } from '../query.ts';
import type { Pool } from './exchange-adapter.ts';
import { isFirst } from './exchange-entry.ts';
import type { PoolPoint } from './pool-history.ts';
import { adapterOf, historyOf, type VerifiedExchange } from './shapes.ts';

const ROUNDS = 12;
const FEES = { maxFeePerGas: parseGwei('10'), maxPriorityFeePerGas: 0n, gas: 3_000_000n };
const DEADLINE = 9_999_999_999n;
/** A small order, and trades that cross the narrow positions. */
const AMOUNTS = ['0.0004', '0.0064', '1', '30'].map((hype) => parseEther(hype));
const ERC20 = parseAbi(['function approve(address, uint256)']);
const WRAPPED = parseAbi(['function deposit() payable']);
const V3_POSITIONS = parseAbi([
  'function mint((address token0, address token1, uint24 fee, int24 tickLower, int24 tickUpper, uint256 amount0, uint256 amount1, uint256 least0, uint256 least1, address recipient, uint256 deadline)) returns (uint256)',
  'function decreaseLiquidity((uint256 tokenId, uint128 liquidity, uint256 least0, uint256 least1, uint256 deadline))',
  'function positions(uint256 tokenId) view returns (uint96, address, address, address, uint24, int24, int24, uint128 liquidity)',
  'function totalSupply() view returns (uint256)',
]);

let chain: ExchangeChainPart;
let client: ChainClient;
/** Reads logs, which the product's client does not. */
let reader: PublicClient;
let mine: () => Promise<void>;
let exchanges: readonly VerifiedExchange[];

beforeAll(async () => {
  chain = await startChain({ exchanges: true, blockSeconds: 0 });
  client = createChainClient({ network: networkOf(chain.chainId), rpcUrls: [chain.rpcUrl] });
  reader = createPublicClient({ chain: client.chain, transport: http(chain.rpcUrl) });
  const test = createTestClient({ mode: 'anvil', transport: http(chain.rpcUrl) });
  mine = () => test.mine({ blocks: 1 });
  exchanges = await new ExchangeWatch(client, exchangesFileSchema.parse(chain.exchanges)).start();
  const { whype, v3PositionManager } = chain.contracts;
  await send(whype, WRAPPED, 'deposit', [], parseEther('1000'));
  for (const { router } of exchanges)
    for (const token of tokens()) await send(token, ERC20, 'approve', [router, maxUint256]);
  for (const token of [whype, chain.tokens.both]) await send(token, ERC20, 'approve', [v3PositionManager, maxUint256]);
});
afterAll(() => chain?.stop());

function deployer() {
  return privateKeyToAccount(chain.accounts[ACCOUNT_INDEX.deployer]?.privateKey ?? '0x');
}

function tokens(): readonly Address[] {
  const { both, camelotOnly, algebraOnly } = chain.tokens;
  return [both, camelotOnly, algebraOnly];
}

async function send(to: Address, abi: Abi, functionName: string, args: readonly unknown[], value = 0n): Promise<void> {
  await sendData(to, encodeFunctionData({ abi, functionName, args }), value);
}

async function sendData(to: Address, data: Hex, value = 0n): Promise<void> {
  const wallet = createWalletClient({ account: deployer(), chain: client.chain, transport: http(chain.rpcUrl) });
  const hash = await wallet.sendTransaction({ to, data, value, ...FEES });
  await mine();
  const { status } = await reader.getTransactionReceipt({ hash });
  expect(status).toBe('success');
}

interface Followed {
  readonly exchange: VerifiedExchange;
  readonly pool: Pool;
  readonly isFirstIn: boolean;
}

async function followedPools(): Promise<readonly Followed[]> {
  const pairs = exchanges.flatMap((exchange) => tokens().map((token) => ({ exchange, token })));
  const found = await queryAll(
    client,
    pairs.map(({ exchange, token }) => historyOf(exchange).poolsOf(exchange, token)),
  );
  return pairs.flatMap(({ exchange, token }, index) =>
    (found[index] ?? []).map((pool) => ({
      exchange,
      pool,
      isFirstIn: isFirst(exchange.wrappedNative, token),
    })),
  );
}

/** What the exchanges' own contracts quote now. */
function quotedNow(pools: readonly Followed[]) {
  return query(
    client,
    all(pools.flatMap(({ exchange, pool }) => AMOUNTS.map((amount) => adapterOf(exchange).quoteBuy(pool, amount)))),
  );
}

/** A stranger's turn: buys, sells and moves positions around the price. */
async function turn(round: number, { exchange, pool }: Followed): Promise<void> {
  const adapter = adapterOf(exchange);
  const amount = parseEther(String(1 + ((round * 7) % 30)));
  const recipient = deployer().address;
  if (round % 2 === 0) {
    const buy = { pool, amountInWei: amount, minimumTokensOut: 0n, recipient, deadlineSeconds: DEADLINE };
    const { to, data, value } = adapter.buyTransaction(buy);
    await sendData(to, data, value);
  } else {
    const sale = { pool, amount: amount * 900n, recipient, deadlineSeconds: DEADLINE };
    const { to, data } = adapter.saleCall(sale);
    await sendData(to, data);
  }
}

async function movePosition(round: number, tick: number): Promise<void> {
  const { whype, v3PositionManager } = chain.contracts;
  const token = chain.tokens.both;
  if (round % 3 === 2) {
    const tokenId = await reader.readContract({
      address: v3PositionManager,
      abi: V3_POSITIONS,
      functionName: 'totalSupply',
    });
    const [, , , , , , , liquidity] = await reader.readContract({
      address: v3PositionManager,
      abi: V3_POSITIONS,
      functionName: 'positions',
      args: [tokenId],
    });
    if (liquidity > 0n)
      await send(v3PositionManager, V3_POSITIONS, 'decreaseLiquidity', [
        { tokenId, liquidity, least0: 0n, least1: 0n, deadline: DEADLINE },
      ]);
    return;
  }
  const [token0, token1] = BigInt(token) < BigInt(whype) ? [token, whype] : [whype, token];
  const base = Math.floor(tick / 60) * 60;
  const [amount0, amount1] =
    token0 === whype ? [parseEther('5'), parseEther('5000')] : [parseEther('5000'), parseEther('5')];
  await send(v3PositionManager, V3_POSITIONS, 'mint', [
    {
      ...{ token0, token1, fee: 3000, tickLower: base - 120 - 60 * round, tickUpper: base + 60 },
      ...{ amount0, amount1, least0: 0n, least1: 0n, recipient: deployer().address, deadline: DEADLINE },
    },
  ]);
}

it('rebuilds every quote of four shapes from events', async () => {
  const pools = await followedPools();
  expect(new Set(pools.map(({ exchange }) => exchange.kind)).size).toBe(4);
  const first = await reader.getBlockNumber({ cacheTime: 0 });
  const quoted = new Map<bigint, Awaited<ReturnType<typeof quotedNow>>>();
  quoted.set(first, await quotedNow(pools));
  const v3 = pools.find(({ exchange, pool }) => exchange.kind === 'uniswap-v3' && pool.token === chain.tokens.both);
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const pool of pools) await turn(round, pool);
    const [, tick] = await reader.readContract({
      address: v3?.pool.address ?? '0x',
      abi: parseAbi(['function slot0() view returns (uint160, int24)']),
      functionName: 'slot0',
    });
    await movePosition(round, tick);
    quoted.set(await reader.getBlockNumber({ cacheTime: 0 }), await quotedNow(pools));
  }
  for (const [index, { exchange, pool, isFirstIn }] of pools.entries()) {
    const { logs, blocks } = await logsOf(pool.address, first + 1n);
    let newest = await query(client, historyOf(exchange).newest(exchange, pool));
    for (let more = newest?.completed(logs); more; more = newest?.completed(logs)) newest = await query(client, more);
    if (!newest) throw new Error(`${pool.address} is of another shape`);
    let point: PoolPoint = newest.before(logs);
    let passed = 0;
    for (const [block, quotes] of quoted) {
      for (; (blocks[passed] ?? block + 1n) <= block; passed += 1) point = point.after(logs[passed] as EventLog);
      // Before its first event, only a pool without any is known.
      if (block === first && logs.length > 0) continue;
      for (const [one, amount] of AMOUNTS.entries()) {
        const expected = quotes[index * AMOUNTS.length + one] ?? 0n;
        const found = point.output(amount, isFirstIn);
        const what = `${exchange.kind} ${pool.token} ${amount} at ${block}`;
        expect(found, what).toBeDefined();
        if (!found) continue;
        if (exchange.kind === 'algebra-integral') {
          expect(found.least <= expected && expected <= found.most, what).toBe(true);
        } else expect([what, found.least, found.most]).toEqual([what, expected, expected]);
      }
    }
  }
});

async function logsOf(address: Address, fromBlock: bigint) {
  const toBlock = await reader.getBlockNumber({ cacheTime: 0 });
  const logs: EventLog[] = [];
  const blocks: bigint[] = [];
  for (let from = fromBlock; from <= toBlock; from += 50n) {
    const to = from + 49n < toBlock ? from + 49n : toBlock;
    for (const log of await reader.getLogs({ address, fromBlock: from, toBlock: to })) {
      logs.push(log);
      blocks.push(log.blockNumber);
    }
  }
  return { logs, blocks };
}
