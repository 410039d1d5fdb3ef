import { type Address, encodeFunctionData, parseAbi, parseEventLogs } from 'viem';
import { z } from 'zod';
import { decodeCall, decodeOrUndefined } from '../decode.ts';
import type { Query } from '../query.ts';
import { type BuyOrder, type ExchangeAdapter, onePool, type Pool, type TrialSale } from '../shapes/exchange-adapter.ts';
import {
  demandFunctions,
  exchangeContract,
  exchangeFields,
  firstDifference,
  isFirst,
  poolIn,
} from '../shapes/exchange-entry.ts';
import type { ExchangeShape } from '../shapes/exchange-shape.ts';
import type { PoolPoint } from '../shapes/pool-history.ts';

const factoryAbi = parseAbi(['function stallOf(address token) view returns (address)']);
const stallAbi = parseAbi(['function TOKENS_PER_HYPE() view returns (uint256)']);
export const toyRouterAbi = parseAbi([
  'function factory() view returns (address)',
  'function buy(address paid, address token, uint256 minimum, address to, uint256 deadline) payable',
  'function sell(address token, uint256 amount, address to)',
]);
export const toyEvents = parseAbi([
  'event Sold(address indexed token, address indexed wrapped, uint256 paid, uint256 tokens)',
]);

/** Schema of an entry; only this shape has a till contract. */
const toySchema = z.strictObject({ ...exchangeFields, kind: z.literal('toy'), till: exchangeContract });

/** An exchange of the toy shape. */
export type ToyExchange = z.infer<typeof toySchema>;

const stallQuery = ({ factory }: { factory: Address }, token: Address) => ({
  to: factory,
  data: encodeFunctionData({ abi: factoryAbi, functionName: 'stallOf', args: [token] }),
});

function stallPoint(price: bigint): PoolPoint {
  const point: PoolPoint = {
    completed: () => undefined,
    before: () => point,
    after: () => point,
    output: (amountIn) => ({ least: amountIn * price, most: amountIn * price }),
    reserve: () => undefined,
  };
  return point;
}

class ToyAdapter implements ExchangeAdapter {
  readonly exchange: ToyExchange;
  readonly typicalGas = 120_000n;
  readonly laterGas = 100_000n;

  constructor(exchange: ToyExchange) {
    this.exchange = exchange;
  }

  poolsOf(token: Address): Query<readonly Pool[]> {
    return onePool(this.exchange, token, stallQuery(this.exchange, token));
  }

  depthOf() {
    return { calls: [], decode: () => ({ liquidityWei: 10n ** 20n }) };
  }

  quoteBuy(pool: Pool, amountInWei: bigint): Query<bigint | undefined> {
    return this.atPrice(pool, (price) => price && amountInWei * price);
  }

  quoteSale(pool: Pool, amount: bigint): Query<bigint> {
    return this.atPrice(pool, (price) => (price ? amount / price : 0n));
  }

  buyTransaction({ pool, amountInWei, minimumTokensOut, recipient, deadlineSeconds }: BuyOrder) {
    const args = [this.exchange.wrappedNative, pool.token, minimumTokensOut, recipient, deadlineSeconds] as const;
    const data = encodeFunctionData({ abi: toyRouterAbi, functionName: 'buy', args });
    return { to: this.exchange.router, data, value: amountInWei, gasLimit: 200_000n };
  }

  saleCall({ pool, amount, recipient }: TrialSale) {
    const args = [pool.token, amount, recipient] as const;
    return { to: this.exchange.router, data: encodeFunctionData({ abi: toyRouterAbi, functionName: 'sell', args }) };
  }

  private atPrice<Value>({ address }: Pool, decode: (price: bigint | undefined) => Value): Query<Value> {
    return {
      calls: [{ to: address, data: encodeFunctionData({ abi: stallAbi }) }],
      decode: ([returned]) => decode(decodeOrUndefined(stallAbi, 'TOKENS_PER_HYPE', returned)),
    };
  }
}

/** A shape without a real exchange, added as `docs/recipes.md` describes. */
export const toyShape = {
  kind: 'toy',
  schema: toySchema,
  checks: {
    contractsOf: ({ factory, router, till }) => [
      { role: 'factory', address: factory, abis: [factoryAbi] },
      { role: 'router', address: router, abis: [toyRouterAbi] },
      { role: 'till', address: till, abis: [stallAbi] },
    ],
    judgeCode(entry, [factory, router, till]) {
      demandFunctions(entry, { role: 'factory', address: entry.factory }, factory, factoryAbi);
      demandFunctions(entry, { role: 'router', address: entry.router }, router, toyRouterAbi);
      demandFunctions(entry, { role: 'till', address: entry.till }, till, stallAbi);
      return entry;
    },
    answersOf: (exchange) => ({
      calls: [
        { to: exchange.router, data: encodeFunctionData({ abi: toyRouterAbi, functionName: 'factory' }) },
        stallQuery(exchange, exchange.wrappedNative),
      ],
      decode: ([factory]) => firstDifference(exchange, [['router.factory()', factory, exchange.factory]]) ?? exchange,
    }),
  },
  adapterOf: (exchange) => new ToyAdapter(exchange),
  proof: {
    readPurchase(input) {
      const call = decodeCall(toyRouterAbi, input);
      if (call?.functionName !== 'buy') return undefined;
      const [tokenIn, tokenOut, minimumTokens, recipient, deadlineSeconds] = call.args;
      return { tokenIn, tokenOut, recipient, minimumTokens, amountInWei: null, deadlineSeconds };
    },
    poolOf: (exchange, { tokenOut }) => ({
      calls: [stallQuery(exchange, tokenOut)],
      decode: ([returned]) => poolIn(returned),
    }),
    tradesIn: (logs) =>
      parseEventLogs({ abi: toyEvents, logs: logs as never }).map(
        ({ address, args: { token, wrapped, paid, tokens } }) =>
          isFirst(token, wrapped)
            ? { pool: address, amount0In: 0n, amount1In: paid, amount0Out: tokens, amount1Out: 0n }
            : { pool: address, amount0In: paid, amount1In: 0n, amount0Out: 0n, amount1Out: tokens },
      ),
  },
  history: {
    orderGas: { first: 120_000n, later: 100_000n },
    // A stall has one price for ever.
    weightOf: () => undefined,
    poolsOf: (exchange, token) => onePool(exchange, token, stallQuery(exchange, token)),
    newest: (_, { address }) => ({
      calls: [{ to: address, data: encodeFunctionData({ abi: stallAbi }) }],
      decode: ([returned]) => {
        const price = decodeOrUndefined(stallAbi, 'TOKENS_PER_HYPE', returned);
        return price === undefined ? undefined : stallPoint(price);
      },
    }),
  },
  tradeOf: () => undefined,
  shownAs: 'V2',
  describe: () => 'one price',
} as const satisfies ExchangeShape<'toy', ToyExchange>;
