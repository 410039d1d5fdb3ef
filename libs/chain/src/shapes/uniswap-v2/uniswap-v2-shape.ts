import { type Address, parseAbi } from 'viem';
import { z } from 'zod';
import { callEncoder, decodeCall, decodeOrUndefined } from '../../decode.ts';
import type { Call, Query } from '../../query.ts';
import type { BuyOrder, BuyTransaction, ExchangeAdapter, Pool, PoolDepth, TrialSale } from '../exchange-adapter.ts';
import { exchangeFields } from '../exchange-entry.ts';
import type { ExchangeShape } from '../exchange-shape.ts';
import { amountsOut, isFirst, pairChecks, pairOf, pairRouterReadsAbi, routedAmount } from '../pair.ts';
import { pairProof, pairTradeOf } from '../pair-proof.ts';

/** Uniswap V2 pair, as far as it is used. */
const pairAbi = parseAbi([
  'function getReserves() view returns (uint112 reserve0, uint112 reserve1, uint32 blockTimestampLast)',
]);

const buyAbi = parseAbi([
  'function swapExactETHForTokensSupportingFeeOnTransferTokens(uint256 amountOutMin, address[] path, address to, uint256 deadline) payable',
]);

/** Made by trials only. */
const saleAbi = parseAbi([
  'function swapExactTokensForETHSupportingFeeOnTransferTokens(uint256 amountIn, uint256 amountOutMin, address[] path, address to, uint256 deadline)',
]);

/** An exchange of the Uniswap V2 shape: pairs, one fee, `getAmountsOut` on the router. */
const schema = z.strictObject({ ...exchangeFields, kind: z.literal('uniswap-v2') });

type UniswapV2Exchange = z.infer<typeof schema>;

const reservesData = callEncoder(pairAbi, 'getReserves');
const buyData = callEncoder(buyAbi, 'swapExactETHForTokensSupportingFeeOnTransferTokens');
const saleData = callEncoder(saleAbi, 'swapExactTokensForETHSupportingFeeOnTransferTokens');

/** The rest is for tokens with dearer transfers. */
const BUY_GAS_LIMIT = 190_000n;

class UniswapV2Adapter implements ExchangeAdapter {
  readonly exchange: UniswapV2Exchange;
  /** A first buy of a plain token, measured. */
  readonly typicalGas = 133_000n;
  /** A later one, measured: the mean of a job's thousands. */
  readonly laterGas = 95_000n;

  constructor(exchange: UniswapV2Exchange) {
    this.exchange = exchange;
  }

  poolsOf(token: Address): Query<readonly Pool[]> {
    return pairOf(this.exchange, token);
  }

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

  /** Through the swap that holds the minimum to what arrives, not to what the pair sends. */
  buyTransaction({ pool, amountInWei, minimumTokensOut, recipient, deadlineSeconds }: BuyOrder): BuyTransaction {
    const path = [this.exchange.wrappedNative, pool.token];
    return {
      to: this.exchange.router,
      data: buyData(minimumTokensOut, path, recipient, deadlineSeconds),
      value: amountInWei,
      gasLimit: BUY_GAS_LIMIT,
    };
  }

  quoteSale(pool: Pool, amount: bigint): Query<bigint> {
    return {
      calls: [amountsOut(this.exchange, amount, [pool.token, this.exchange.wrappedNative])],
      decode: ([returned]) => routedAmount(returned) ?? 0n,
    };
  }

  /** Through the variant that tolerates a fee, so that a taxed sale shows as less money and not as a revert. */
  saleCall({ pool, amount, recipient, deadlineSeconds }: TrialSale): Call {
    const path = [pool.token, this.exchange.wrappedNative];
    return {
      to: this.exchange.router,
      data: saleData(amount, 0n, path, recipient, deadlineSeconds),
    };
  }
}

/** Uniswap V2 and its plain forks. */
export const uniswapV2Shape = {
  kind: 'uniswap-v2',
  schema,
  checks: pairChecks([...pairRouterReadsAbi, ...buyAbi, ...saleAbi]),
  adapterOf: (exchange) => new UniswapV2Adapter(exchange),
  proof: pairProof((input) => {
    const call = decodeCall(buyAbi, input);
    if (!call) return undefined;
    const [minimumTokens, path, recipient, deadlineSeconds] = call.args;
    return { minimumTokens, path, recipient, deadlineSeconds };
  }),
  tradeOf: pairTradeOf,
  shownAs: 'V2',
  describe: () => 'as the registry says',
} as const satisfies ExchangeShape<'uniswap-v2', UniswapV2Exchange>;
