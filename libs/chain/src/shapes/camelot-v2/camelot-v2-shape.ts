import { type Address, type Hex, parseAbi, zeroAddress } from 'viem';
import { z } from 'zod';
import { callEncoder, decodeCall, decodeOrUndefined, eventReader } from '../../decode.ts';
import type { Call, Query } from '../../query.ts';
import type { BuyOrder, ExchangeAdapter, Pool, PoolDepth, TrialSale } from '../exchange-adapter.ts';
import { exchangeFields, isFirst } from '../exchange-entry.ts';
import type { ExchangeShape } from '../exchange-shape.ts';
import { amountsOut, PairAdapter, pairChecks, pairRouterReadsAbi, pairsOf, routedAmount } from '../pair.ts';
import { PairPoint, type PairRules, pairWeight } from '../pair-history.ts';
import { pairProof, pairTradeOf } from '../pair-proof.ts';
import type { OrderGas } from '../pool-history.ts';
import { type CamelotDirection, camelotAmountOut } from './camelot-amount-out.ts';

/** The used part of a Camelot pair. Fees are of the token that is paid in, in thousandths of a percent. */
const pairAbi = parseAbi([
  'function getReserves() view returns (uint112 reserve0, uint112 reserve1, uint16 token0FeePercent, uint16 token1FeePercent)',
  'function stableSwap() view returns (bool)',
]);

/** The purchase of the Camelot shape's router. */
const buyAbi = parseAbi([
  'function swapExactETHForTokensSupportingFeeOnTransferTokens(uint256 amountOutMin, address[] path, address to, address referrer, uint256 deadline) payable',
]);

/** The sale, which only trials make. */
const saleAbi = parseAbi([
  'function swapExactTokensForETHSupportingFeeOnTransferTokens(uint256 amountIn, uint256 amountOutMin, address[] path, address to, address referrer, uint256 deadline)',
]);

/**
 * An exchange of the Camelot shape: pairs with a fee for each direction that their owner may change, some with a stable curve.
 * The router's read functions are those of Uniswap V2, its swap functions are not.
 */
const schema = z.strictObject({ ...exchangeFields, kind: z.literal('camelot-v2') });

type CamelotV2Exchange = z.infer<typeof schema>;

const reservesData = callEncoder(pairAbi, 'getReserves');
const stableSwapData = callEncoder(pairAbi, 'stableSwap');
const encodeBuy = callEncoder(buyAbi, 'swapExactETHForTokensSupportingFeeOnTransferTokens');
const encodeSale = callEncoder(saleAbi, 'swapExactTokensForETHSupportingFeeOnTransferTokens');

/** Changes of a pair's rules by its owner. */
const rulesIn = eventReader(
  parseAbi([
    'event FeePercentUpdated(uint16 token0FeePercent, uint16 token1FeePercent)',
    'event SetStableSwap(bool prevStableSwap, bool stableSwap)',
  ]),
);

/** Rules of a pair that its owner may change. */
export interface CamelotRules {
  readonly token0FeePercent: number;
  readonly token1FeePercent: number;
  /** A stable pair sells nothing to the product. */
  readonly stableSwap: boolean;
}

/** Before the first change of the searched blocks, no event shows the rules. */
const CHANGING_RULES: PairRules<CamelotRules> = {
  before: (rules, events) => (rulesIn(events).length > 0 ? undefined : rules),
  after: (rules, event) => {
    const [changed] = rulesIn([event]);
    return rules && changed ? { ...rules, ...changed.args } : rules;
  },
  output(amountIn, isFirstIn, direction, { token0FeePercent, token1FeePercent, stableSwap }) {
    if (stableSwap) return undefined;
    return camelotAmountOut(amountIn, { ...direction, feePercent: isFirstIn ? token0FeePercent : token1FeePercent });
  },
};

/** Our orders pay no referrer. */
const NO_REFERRER = zeroAddress;

/** The local chain's pair uses 114,000, measured; a first order on mainnet also pays out shares of its fee. */
const CAMELOT_GAS: OrderGas = { first: 140_000n, later: 114_000n };

/** Adapter for exchanges of the Camelot shape. It refuses stable pairs: two reserves do not give their quote. */
class CamelotV2Adapter extends PairAdapter<CamelotV2Exchange> {
  readonly typicalGas = CAMELOT_GAS.first;
  readonly laterGas = CAMELOT_GAS.later;
  /** Includes room for tokens with dearer transfers. */
  protected readonly buyGasLimit = 220_000n;

  depthOf(pool: Pool): Query<PoolDepth> {
    return {
      calls: pairReads(pool),
      decode: ([reserves, stable]) => ({
        liquidityWei: directionFrom(this.exchange.wrappedNative, pool.token, reserves)?.reserveIn ?? 0n,
        ...(isStable(stable) && { refusal: 'stable_pair' }),
      }),
    };
  }

  /**
   * The lower of the router's quote and the amount by the pair's reserves and the fee of this direction. A router that ignores
   * that fee would quote more than the pair pays.
   */
  quoteBuy(pool: Pool, amountInWei: bigint): Query<bigint | undefined> {
    const { wrappedNative } = this.exchange;
    return {
      calls: [...pairReads(pool), amountsOut(this.exchange, amountInWei, [wrappedNative, pool.token])],
      decode: ([reserves, stable, amounts]) => {
        if (isStable(stable)) return undefined;
        return (
          lower(amountInWei, directionFrom(wrappedNative, pool.token, reserves), routedAmount(amounts)) || undefined
        );
      },
    };
  }

  /** The lower of the same two amounts. */
  quoteSale(pool: Pool, amount: bigint): Query<bigint> {
    const { wrappedNative } = this.exchange;
    return {
      calls: [...pairReads(pool), amountsOut(this.exchange, amount, [pool.token, wrappedNative])],
      decode: ([reserves, , amounts]) =>
        lower(amount, directionFrom(pool.token, wrappedNative, reserves), routedAmount(amounts)),
    };
  }

  protected buyData({ minimumTokensOut, recipient, deadlineSeconds }: BuyOrder, path: readonly Address[]): Hex {
    return encodeBuy(minimumTokensOut, path, recipient, NO_REFERRER, deadlineSeconds);
  }

  protected saleData({ amount, recipient, deadlineSeconds }: TrialSale, path: readonly Address[]): Hex {
    return encodeSale(amount, 0n, path, recipient, NO_REFERRER, deadlineSeconds);
  }
}

/** The direction of a pair in which `paid` is the input. */
function directionFrom(paid: Address, bought: Address, returned: Hex | undefined): CamelotDirection | undefined {
  const pair = decodeOrUndefined(pairAbi, 'getReserves', returned);
  if (!pair) return undefined;
  const [reserve0, reserve1, token0FeePercent, token1FeePercent] = pair;
  return isFirst(paid, bought)
    ? { reserveIn: reserve0, reserveOut: reserve1, feePercent: token0FeePercent }
    : { reserveIn: reserve1, reserveOut: reserve0, feePercent: token1FeePercent };
}

/** @returns 0 where pair or router do not answer */
function lower(amount: bigint, direction: CamelotDirection | undefined, routed: bigint | undefined): bigint {
  if (!direction || routed === undefined) return 0n;
  const given = camelotAmountOut(amount, direction);
  return routed < given ? routed : given;
}

function pairReads({ address: to }: Pool): Call[] {
  return [
    { to, data: reservesData() },
    { to, data: stableSwapData() },
  ];
}

/** Whether a pair may be stable: true unless it answers that it is not. */
function isStable(returned: Hex | undefined): boolean {
  return decodeOrUndefined(pairAbi, 'stableSwap', returned) !== false;
}

/** Pairs of the Camelot type, such as HyperSwap V2. */
export const camelotV2Shape = {
  kind: 'camelot-v2',
  schema,
  checks: pairChecks([...pairRouterReadsAbi, ...buyAbi, ...saleAbi]),
  adapterOf: (exchange): ExchangeAdapter => new CamelotV2Adapter(exchange),
  /** Reports a referrer, who would get a share of the pool's fee. */
  proof: pairProof((input) => {
    const call = decodeCall(buyAbi, input);
    if (!call) return undefined;
    const [minimumTokens, path, recipient, referrer, deadlineSeconds] = call.args;
    const aside = referrer === zeroAddress ? undefined : `names ${referrer} as its referrer, who is paid for it`;
    return { minimumTokens, path, recipient, deadlineSeconds, ...(aside && { aside }) };
  }),
  history: {
    orderGas: CAMELOT_GAS,
    weightOf: (event) => pairWeight(event) ?? (rulesIn([event]).length > 0 ? 'change' : undefined),
    poolsOf: pairsOf,
    newest: (_, pool) => ({
      calls: pairReads(pool),
      decode: ([returned, stable]) => {
        const read = decodeOrUndefined(pairAbi, 'getReserves', returned);
        if (!read) return undefined;
        const [reserve0, reserve1, token0FeePercent, token1FeePercent] = read;
        const rules = { token0FeePercent, token1FeePercent, stableSwap: isStable(stable) };
        return new PairPoint(CHANGING_RULES, { reserve0, reserve1 }, rules);
      },
    }),
  },
  tradeOf: pairTradeOf,
  shownAs: 'V2',
  describe: () => 'as the registry says',
} as const satisfies ExchangeShape<'camelot-v2', CamelotV2Exchange>;
