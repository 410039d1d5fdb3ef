import { larger } from '@maker/rules';
import { type Address, decodeFunctionData, type Hex, parseTransaction } from 'viem';
import type { Actor } from './actor.ts';
import type { Arena } from './arena.ts';
import { approval, purchase, ROUTERS, sale } from './hostile-traders.ts';
import type { Market } from './markets.ts';
import { PoolModel } from './pool-model.ts';

/** An order in the mempool, readable by anyone. */
interface WaitingOrder {
  readonly hash: Hex;
  readonly tradeWei: bigint;
  readonly minimumTokens: bigint;
  readonly tipWei: bigint;
}

/** Steps of the search for the largest purchase. */
const STEPS = 60;

/**
 * A trader who sees each order before it is in a block. Buys before it so much that it gets no more than its minimum, and
 * sells behind it in the same block.
 */
export class Sandwich {
  /** Attacked orders, each with its tokens without the attack; token units. */
  readonly around = new Map<Hex, bigint>();

  private constructor(
    private readonly arena: Arena,
    private readonly market: Market,
    private readonly trader: Actor,
  ) {}

  static async prepared(arena: Arena, market: Market, trader: Actor): Promise<Sandwich> {
    await trader.send({ to: market.token, data: approval(routerOf(arena, market)) });
    return new Sandwich(arena, market, trader);
  }

  /** Orders of a job's wallet that are in no block yet. */
  async waiting(wallet: Address): Promise<WaitingOrder[]> {
    const router = routerOf(this.arena, this.market).toLowerCase();
    const all = await this.arena.product.control.waiting();
    return all
      .filter(({ sender }) => sender.toLowerCase() === wallet.toLowerCase())
      .map(({ hash, raw }) => ({ hash, ...parseTransaction(raw) }))
      .filter(({ to }) => to?.toLowerCase() === router)
      .map(({ hash, value = 0n, data = '0x', maxPriorityFeePerGas = 0n }) => ({
        hash,
        tradeWei: value,
        minimumTokens: minimumOf(data),
        tipWei: maxPriorityFeePerGas,
      }));
  }

  /** Trades around waiting orders, mines the block, and pays. */
  async attack(orders: readonly WaitingOrder[]): Promise<void> {
    const pool = await PoolModel.read(this.arena, this.market);
    const value = largestBefore(pool, orders);
    if (value > 0n) {
      const bought = pool.copy().buy(value);
      const ahead = orders.reduce((most, { tipWei }) => larger(tipWei, most), 0n) + 1n;
      await this.trader.offer([
        { ...purchase(this.arena, this.market, this.trader.address, value), tipWei: ahead },
        { ...sale(this.arena, this.market, this.trader.address, bought), tipWei: 0n },
      ]);
      for (const { hash, tradeWei } of orders) this.around.set(hash, pool.buy(tradeWei));
    }
    await this.arena.product.control.mine();
    await this.trader.settle();
  }
}

function routerOf({ stack }: Arena, { shape }: Market): Address {
  return (shape === 'V2' ? stack.contracts.v2Router : stack.contracts.v3Router) as Address;
}

function minimumOf(data: Hex): bigint {
  const { functionName, args } = decodeFunctionData({ abi: ROUTERS, data });
  if (functionName === 'swapExactETHForTokensSupportingFeeOnTransferTokens') return args[0];
  if (functionName === 'exactInputSingle') return args[0][6];
  throw new Error(`an order calls ${functionName}`);
}

/** The largest purchase after which each order still gets its minimum, wei. */
function largestBefore(pool: PoolModel, orders: readonly WaitingOrder[]): bigint {
  const allFilled = (value: bigint) => {
    const after = pool.copy();
    after.buy(value);
    return orders.every(({ tradeWei, minimumTokens }) => after.buy(tradeWei) >= minimumTokens);
  };
  let [least, most] = [0n, pool.depthWei];
  for (let step = 0; step < STEPS; step++) {
    const middle = (least + most) / 2n;
    if (allFilled(middle)) least = middle;
    else most = middle;
  }
  return least;
}
