import { createPublicClient, custom, getAddress, type Hash, type Hex, numberToHex, pad, RpcRequestError } from 'viem';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  honestReceipt,
  PAYER,
  POOL,
  STRANGER,
  TOKEN,
  transferLog,
  VENUE,
  VENUES,
  WALLET,
  withTransaction,
} from '../honest-receipt.fixture.ts';
import type { ChainFacts } from './chain-facts.ts';
import { knownVenues, readFacts } from './read-facts.ts';

const honest = honestReceipt(4);
const { receipt, facts } = honest;
const [deposit] = receipt.deposits;
const [order] = receipt.orders;
if (!deposit?.transactionHash || !order) throw new Error('a deposit and an order');
const depositHash = deposit.transactionHash;
const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
const BALANCE_OF = '0x70a08231';
const DECIMALS = '0x313ce567';

/** Requests that the endpoint received. */
let asked: { method: string; params: readonly unknown[] }[];
/** The token's answer or error for each call. */
let answers: Record<string, Hex | Error>;
/** Transactions that the endpoint knows and that are in no block. */
let pending: Hash[];
/** The answer or error of the exchange's factory. */
let factory: Hex | Error;
let code: Hex;
let newest: number;
let movements: object[];

beforeEach(() => {
  asked = [];
  answers = { [BALANCE_OF]: pad('0x0'), [DECIMALS]: pad(numberToHex(18)) };
  pending = [];
  factory = pad(POOL);
  code = '0x';
  newest = 200;
  movements = [];
});

const failing = (errorCode: number, message: string) =>
  new RpcRequestError({ body: {}, url: 'http://node', error: { code: errorCode, message } });

/** Reads from a fake node with these facts. It writes addresses with capitals and rejects unexpected requests. */
function read(chain: ChainFacts, of = receipt, progress?: (read: number, all: number) => void): Promise<ChainFacts> {
  const block = (number: number) => ({ blockNumber: numberToHex(number), blockHash: pad(numberToHex(number)) });
  const node: Record<string, (...params: never[]) => unknown> = {
    eth_chainId: () => numberToHex(chain.chainId),
    eth_getTransactionByHash: (hash: Hash) => {
      if (typeof hash !== 'string') throw failing(-32_602, 'no hash');
      const fact = chain.transactions.get(hash);
      if (!fact) return null;
      return {
        hash,
        from: getAddress(fact.from),
        to: fact.to && getAddress(fact.to),
        nonce: numberToHex(fact.nonce),
        value: numberToHex(fact.valueWei),
        input: fact.input,
        type: '0x2',
        ...(pending.includes(hash) ? { blockNumber: null, blockHash: null } : block(fact.blockNumber)),
      };
    },
    eth_getTransactionReceipt: (hash: Hash) => {
      const fact = chain.transactions.get(hash);
      return (
        fact && {
          transactionHash: hash,
          transactionIndex: numberToHex(fact.transactionIndex),
          status: fact.succeeded ? '0x1' : '0x0',
          gasUsed: numberToHex(fact.gasWei / 1_000_000_000n),
          effectiveGasPrice: numberToHex(1_000_000_000),
          logs: fact.logs.map((log) => ({ ...log, address: getAddress(log.address) })),
          ...block(fact.blockNumber),
        }
      );
    },
    eth_getBlockByNumber: (number: Hex) => {
      const fact = [...chain.transactions.values()].find((one) => one.blockNumber === Number(number));
      return fact && { number, hash: pad(number), timestamp: numberToHex(fact.blockSeconds), transactions: [] };
    },
    eth_getCode: (address: Hex) => of.wallet === address && code,
    eth_getTransactionCount: (address: Hex, tag: string) =>
      of.wallet === address && tag === 'latest' && numberToHex(chain.wallet.nonce),
    eth_getBalance: (address: Hex) => of.wallet === address && numberToHex(chain.wallet.balanceWei),
    eth_call: ({ to, data }: { to: Hex; data: Hex }) => {
      if (to.toLowerCase() === VENUE.factory.toLowerCase()) {
        if (factory instanceof Error) throw factory;
        return factory;
      }
      if (to !== TOKEN || (data !== DECIMALS && data !== `${BALANCE_OF}${pad(of.wallet).slice(2)}`)) return undefined;
      const answer = answers[data.slice(0, 10)];
      if (answer instanceof Error) throw answer;
      return answer;
    },
    eth_blockNumber: () => numberToHex(newest),
    eth_getLogs: ({ address, topics }: { address: Hex; topics: readonly Hex[] }) => {
      if (address !== TOKEN || topics[0] !== TRANSFER || topics[1] !== pad(of.wallet)) return undefined;
      return movements.splice(0);
    },
  };
  const client = createPublicClient({
    transport: custom(
      {
        async request({ method, params = [] }) {
          asked.push({ method, params });
          const answer = node[method]?.(...(params as never[]));
          if (answer === undefined || answer === false) throw failing(-32_602, `${method}: unexpected parameters`);
          return answer;
        },
      },
      { retryCount: 0 },
    ),
  });
  return readFacts(client, of, progress, VENUES);
}

const askedFor = (method: string) => asked.filter((one) => one.method === method).map(({ params }) => params);

describe('readFacts (docs/receipt.md)', () => {
  it('reads each named transaction, block and wallet', async () => {
    const progress: number[][] = [];
    expect(await read(facts, receipt, (count, all) => progress.push([count, all]))).toEqual(facts);
    const all = facts.transactions.size;
    expect(progress).toEqual(Array.from({ length: all }, (_, index) => [index + 1, all]));
    expect(askedFor('eth_getLogs')).toEqual([]);
  });

  it('reads each transaction and block once', async () => {
    const feeHash = receipt.transfers[0]?.transactionHash ?? '0x';
    const { blockNumber = 0, blockSeconds = 0 } = facts.transactions.get(depositHash) ?? {};
    const chain = withTransaction(honest, feeHash, { blockNumber, blockSeconds });
    const untraced = { ...deposit, kind: 'untraced' as const, transactionHash: null };
    const of = { ...receipt, deposits: [...receipt.deposits, ...receipt.deposits, untraced] };
    const progress = new Set<number>();
    expect((await read(chain, of, (_, all) => progress.add(all))).transactions).toEqual(chain.transactions);
    expect([...progress]).toEqual([facts.transactions.size]);
    expect(askedFor('eth_getTransactionByHash')).toHaveLength(facts.transactions.size);
    expect(askedFor('eth_getBlockByNumber')).toHaveLength(facts.transactions.size - 1);
  });

  it('reads no transaction on another chain', async () => {
    const found = await read({ ...facts, chainId: 998 });
    expect(found).toMatchObject({ chainId: 998, asOfBlockHash: null, transactions: new Map() });
    expect(askedFor('eth_getTransactionByHash')).toEqual([]);
  });

  it('has no block hash for a receipt without blocks', async () => {
    expect((await read(facts, { ...receipt, asOf: null })).asOfBlockHash).toBeNull();
  });

  it('leaves out missing and unmined transactions', async () => {
    const transactions = new Map(facts.transactions);
    transactions.delete(order.transactionHash);
    pending = [depositHash];
    const found = await read({ ...facts, transactions });
    expect(found.transactions.has(order.transactionHash)).toBe(false);
    expect(found.transactions.has(depositHash)).toBe(false);
    expect(found.transactions.size).toBe(facts.transactions.size - 2);
  });

  it('fails if the endpoint fails', async () => {
    const transactions = {
      get: () => {
        throw failing(-32_005, 'limit exceeded');
      },
    };
    const chain = { ...facts, transactions: transactions as unknown as ChainFacts['transactions'] };
    await expect(read(chain)).rejects.toThrow('limit exceeded');
  });

  it('reports reverts and contract creations', async () => {
    const reverted = withTransaction(honest, order.transactionHash, { succeeded: false, to: null });
    expect((await read(reverted)).transactions.get(order.transactionHash)).toMatchObject({
      succeeded: false,
      to: null,
    });
  });

  it('reports whether the wallet is a contract', async () => {
    expect((await read(facts)).wallet.hasCode).toBe(false);
    code = '0x60';
    expect((await read(facts)).wallet.hasCode).toBe(true);
  });
});

describe('the pool of an order', () => {
  it('is the factory’s answer, requested once', async () => {
    const found = await read(facts);
    expect([...found.pools.values()]).toEqual([POOL]);
    expect(askedFor('eth_call').filter(([call]) => isToFactory(call))).toHaveLength(1);
  });

  it.each<[string, Hex | Error]>([
    ['names none', pad('0x0')],
    ['reverts', failing(3, 'execution reverted')],
    ['answers nothing', '0x'],
  ])('is null if the factory %s', async (_, answer) => {
    factory = answer;
    expect([...(await read(facts)).pools.values()]).toEqual([null]);
  });

  it('fails if the endpoint fails', async () => {
    factory = failing(-32_005, 'limit exceeded');
    await expect(read(facts)).rejects.toThrow('limit exceeded');
  });

  it('is skipped at an unknown router', async () => {
    const other = withTransaction(honest, order.transactionHash, { to: STRANGER });
    const only = { ...receipt, orders: [order] };
    expect((await read(other, only)).pools.size).toBe(0);
    expect(askedFor('eth_call').some(([call]) => isToFactory(call))).toBe(false);
  });

  it('is read from this build’s exchanges by default', () => {
    expect(knownVenues(999).map(({ id }) => id)).toContain('hyperswap-v3');
    expect(knownVenues(31337)).toEqual([]);
  });
});

function isToFactory(call: unknown): boolean {
  return (call as { to: Hex }).to.toLowerCase() === VENUE.factory.toLowerCase();
}

describe('a token (docs/receipt.md)', () => {
  it('gives the wallet’s balance and its decimals', async () => {
    answers = { [BALANCE_OF]: pad(numberToHex(7)), [DECIMALS]: pad(numberToHex(6)) };
    expect(await read(facts)).toMatchObject({ tokenDecimals: 6, wallet: { tokens: 7n } });
  });

  it.each<[string, Hex | Error]>([
    ['reverts', failing(3, 'execution reverted')],
    ['answers nothing', '0x'],
  ])('that %s gives neither', async (_, answer) => {
    answers = { [BALANCE_OF]: answer, [DECIMALS]: answer };
    expect(await read(facts)).toMatchObject({ tokenDecimals: null, wallet: { tokens: null } });
  });

  it('fails if the endpoint fails', async () => {
    answers[BALANCE_OF] = failing(-32_005, 'limit exceeded');
    await expect(read(facts)).rejects.toThrow('limit exceeded');
  });
});

describe('missing tokens', () => {
  const bought = BigInt(receipt.sums.boughtTokens);
  const missing = { ...receipt, sums: { ...receipt.sums, deliveredTokens: `${bought - 7n}` } };
  const log = (transactionHash: Hash, data: Hex) => ({
    ...transferLog(WALLET, STRANGER, 7n),
    data,
    transactionHash,
    blockNumber: numberToHex(order.blockNumber),
    logIndex: '0x0',
  });

  it('are searched from the first order, fifty blocks each', async () => {
    newest = order.blockNumber + 120;
    const hash: Hash = `0x${'7'.repeat(64)}`;
    const { data } = transferLog(WALLET, PAYER, 7n);
    // The second event has no amount.
    movements = [log(hash, data), log(hash, '0x')];
    expect((await read(facts, missing)).wallet.movedOut).toEqual([{ transactionHash: hash, amount: 7n }]);
    const ranges = askedFor('eth_getLogs').map(([filter]) => filter as { fromBlock: Hex; toBlock: Hex });
    expect(ranges.map(({ fromBlock, toBlock }) => [Number(fromBlock), Number(toBlock)])).toEqual([
      [order.blockNumber, order.blockNumber + 49],
      [order.blockNumber + 50, order.blockNumber + 99],
      [order.blockNumber + 100, order.blockNumber + 120],
    ]);
  });

  it('are searched up to the newest block', async () => {
    newest = order.blockNumber + 50;
    await read(facts, missing);
    expect(askedFor('eth_getLogs')).toHaveLength(2);
    asked = [];
    newest = order.blockNumber - 1;
    expect((await read(facts, missing)).wallet.movedOut).toEqual([]);
    expect(askedFor('eth_getLogs')).toEqual([]);
  });

  it('are not searched without an order', async () => {
    expect((await read(facts, { ...missing, orders: [] })).wallet.movedOut).toEqual([]);
    expect(askedFor('eth_blockNumber')).toEqual([]);
  });
});
