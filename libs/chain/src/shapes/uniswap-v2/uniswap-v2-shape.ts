import { type Address, type Hex, parseAbi } from 'viem';
import { z } from 'zod';
import { callEncoder, decodeCall, decodeOrUndefined } from '../../decode.ts';
import type { Query } from '../../query.ts';
import type { BuyOrder, ExchangeAdapter, Pool, PoolDepth, TrialSale } from '../exchange-adapter.ts';
import { exchangeFields, isFirst } from '../exchange-entry.ts';
import type { ExchangeShape } from '../exchange-shape.ts';
import { amountsOut, PairAdapter, pairChecks, pairRouterReadsAbi, pairsOf, routedAmount } from '../pair.ts';
import { PairPoint, type PairRules, pairWeight } from '../pair-history.ts';
import { pairProof, pairTradeOf } from '../pair-proof.ts';
import type { OrderGas } from '../pool-history.ts';

/** The used part of a Uniswap V2 pair. */
const pairAbi = parseAbi([
  'function getReserves() view returns (uint112 reserve0, uint112 reserve1, uint32 blockTimestampLast)',
]);

const buyAbi = parseAbi([
  'function swapExactETHForTokensSupportingFeeOnTransferTokens(uint256 amountOutMin, address[] path, address to, uint256 deadline) payable',
]);

/** The sale, which only trials make. */
const saleAbi = parseAbi([
  'function swapExactTokensForETHSupportingFeeOnTransferTokens(uint256 amountIn, uint256 amountOutMin, address[] path, address to, uint256 deadline)',
]);

/** An exchange of the Uniswap V2 shape: pairs, one fee, `getAmountsOut` on the router. */
const schema = z.strictObject({ ...exchangeFields, kind: z.literal('uniswap-v2') });

type UniswapV2Exchange = z.infer<typeof schema>;

const reservesData = callEncoder(pairAbi, 'getReserves');
const encodeBuy = callEncoder(buyAbi, 'swapExactETHForTokensSupportingFeeOnTransferTokens');
const encodeSale = callEncoder(saleAbi, 'swapExactTokensForETHSupportingFeeOnTransferTokens');

/** What a pair keeps of an input, in thousandths: its fee is 0.3 %. */
const KEPT = 997n;
const WHOLE = 1000n;

/** A pair has one fee that never changes. */
const FIXED_FEE: PairRules<true> = {
  before: () => true,
  after: () => true,
  output(amountIn, _, { reserveIn, reserveOut }) {
    const kept = amountIn * KEPT;
    return reserveIn === 0n ? 0n : (kept * reserveOut) / (reserveIn * WHOLE + kept);
  },
};

/** Of a plain token, measured; later orders: the mean of a job's thousands. */
const V2_GAS: OrderGas = { first: 133_000n, later: 95_000n };

/** Adapter for exchanges of the Uniswap V2 shape. */
class UniswapV2Adapter extends PairAdapter<UniswapV2Exchange> {
  readonly typicalGas = V2_GAS.first;
  readonly laterGas = V2_GAS.later;
  /** Includes room for tokens with dearer transfers. */
  protected readonly buyGasLimit = 190_000n;

  depthOf(pool: Pool): Query<PoolDepth> {
    return {
      calls: [{ to: pool.address, data: reservesData() }],
      decode: ([returned]) => {
        const [reserve0, reserve1] = decodeOrUndefined(pairAbi, 'getReserves', returned) ?? [0n, 0n];
        return { liquidityWei: isFirst(this.exchange.wrappedNative, pool.token) ? reserve0 : reserve1 };
      },
    };
  }

  quoteBuy(pool: Pool, amountInWei: bigint): Query<bigint | undefined> {
    return {
      calls: [amountsOut(this.exchange, amountInWei, [this.exchange.wrappedNative, pool.token])],
      decode: ([returned]) => routedAmount(returned),
    };
  }

  quoteSale(pool: Pool, amount: bigint): Query<bigint> {
    return {
      calls: [amountsOut(this.exchange, amount, [pool.token, this.exchange.wrappedNative])],
      decode: ([returned]) => routedAmount(returned) ?? 0n,
    };
  }

  protected buyData({ minimumTokensOut, recipient, deadlineSeconds }: BuyOrder, path: readonly Address[]): Hex {
    return encodeBuy(minimumTokensOut, path, recipient, deadlineSeconds);
  }

  protected saleData({ amount, recipient, deadlineSeconds }: TrialSale, path: readonly Address[]): Hex {
    return encodeSale(amount, 0n, path, recipient, deadlineSeconds);
  }
}

/** Uniswap V2 and its plain forks. */
export const uniswapV2Shape = {
  kind: 'uniswap-v2',
  schema,
  checks: pairChecks([...pairRouterReadsAbi, ...buyAbi, ...saleAbi]),
  adapterOf: (exchange): ExchangeAdapter => new UniswapV2Adapter(exchange),
  proof: pairProof((input) => {
    const call = decodeCall(buyAbi, input);
    if (!call) return undefined;
    const [minimumTokens, path, recipient, deadlineSeconds] = call.args;
    return { minimumTokens, path, recipient, deadlineSeconds };
  }),
  history: {
    orderGas: V2_GAS,
    weightOf: pairWeight,
    poolsOf: pairsOf,
    newest: (_, pool) => ({
      calls: [{ to: pool.address, data: reservesData() }],
      decode: ([returned]) => {
        const reserves = decodeOrUndefined(pairAbi, 'getReserves', returned);
        return reserves && new PairPoint(FIXED_FEE, { reserve0: reserves[0], reserve1: reserves[1] }, true);
      },
    }),
  },
  tradeOf: pairTradeOf,
  shownAs: 'V2',
  describe: () => 'as the registry says',
} as const satisfies ExchangeShape<'uniswap-v2', UniswapV2Exchange>;
