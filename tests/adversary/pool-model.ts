import { type Address, erc20Abi, getContract, parseAbi } from 'viem';
import type { Arena } from './arena.ts';
import { type Market, MILLION, POOL_FEE } from './markets.ts';

const FACTORIES = parseAbi([
  'function getPair(address,address) view returns (address)',
  'function getPool(address,address,uint24) view returns (address)',
]);
const V3_POOL = parseAbi([
  'function slot0() view returns (uint160,int24,uint16,uint16,uint16,uint8,bool)',
  'function liquidity() view returns (uint128)',
]);
const Q96 = 2n ** 96n;

/**
 * A model of a pool for an actor who knows all coming trades: two reserves with a constant product.
 * V2 keeps its fee in the reserves, V3 beside them; its liquidity here is over all prices.
 */
export class PoolModel {
  private constructor(
    private hype: bigint,
    private tokens: bigint,
    private readonly keepsFees: boolean,
  ) {}

  /** The state of a pool at the head. */
  static async read(arena: Arena, { token, shape }: Market): Promise<PoolModel> {
    const { chain } = arena.product;
    const { v2Factory, v3Factory, whype } = arena.stack.contracts;
    if (shape === 'V2') {
      const pair = await chain.readContract({
        address: v2Factory as Address,
        abi: FACTORIES,
        functionName: 'getPair',
        args: [token, whype as Address],
      });
      const held = (address: Address) =>
        chain.readContract({ address, abi: erc20Abi, functionName: 'balanceOf', args: [pair] });
      return new PoolModel(await held(whype as Address), await held(token), true);
    }
    const address = await chain.readContract({
      address: v3Factory as Address,
      abi: FACTORIES,
      functionName: 'getPool',
      args: [token, whype as Address, POOL_FEE],
    });
    const pool = getContract({ address, abi: V3_POOL, client: chain });
    const [[sqrtPriceX96], liquidity] = [await pool.read.slot0(), await pool.read.liquidity()];
    const first = (liquidity * Q96) / sqrtPriceX96;
    const second = (liquidity * sqrtPriceX96) / Q96;
    return BigInt(whype) < BigInt(token) ? new PoolModel(first, second, false) : new PoolModel(second, first, false);
  }

  copy(): PoolModel {
    return new PoolModel(this.hype, this.tokens, this.keepsFees);
  }

  /** HYPE in the pool, wei. */
  get depthWei(): bigint {
    return this.hype;
  }

  /** @param wei put into the pool @returns tokens paid out, smallest units */
  buy(wei: bigint): bigint {
    const taken = wei * (MILLION - BigInt(POOL_FEE));
    const out = (taken * this.tokens) / (this.hype * MILLION + taken);
    this.hype += this.keepsFees ? wei : taken / MILLION;
    this.tokens -= out;
    return out;
  }
}
