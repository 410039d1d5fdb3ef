import { parseHype } from '@maker/rules';
import { type Address, encodeFunctionData, erc20Abi, maxUint256, parseAbi } from 'viem';
import type { Actor } from './actor.ts';
import type { Arena } from './arena.ts';
import type { Market } from './markets.ts';

/** Somebody who trades against a job, with full knowledge of its schedule. */
export interface HostileTrader {
  readonly does: string;
  /** What it costs to attack so. */
  readonly costs: string;
  /** Acts once the job has placed its first order. */
  act(arena: Arena, market: Market): Promise<void>;
}

const ROUTERS = parseAbi([
  'function swapExactETHForTokens(uint256,address[],address,uint256) payable returns (uint256[])',
  'function swapExactTokensForETH(uint256,uint256,address[],address,uint256) returns (uint256[])',
  'function removeLiquidityETH(address,uint256,uint256,uint256,address,uint256) returns (uint256,uint256)',
  'function exactInputSingle((address,address,uint24,address,uint256,uint256,uint256,uint160)) payable returns (uint256)',
  'function getPair(address,address) view returns (address)',
]);

const V3_FEE = 3000;

/** The pool or the token reverted a trade: an attack that came to nothing. */
export class TradeRefused extends Error {
  constructor(side: 'buy' | 'sell') {
    super(`a trader could not ${side}`);
    this.name = 'TradeRefused';
  }
}

/** Buys from the pool of a market. @param value wei */
export async function buy(arena: Arena, { token, shape }: Market, trader: Actor, value: bigint): Promise<void> {
  const { v2Router, v3Router, whype } = arena.stack.contracts;
  const to = trader.address;
  const receipt =
    shape === 'V2'
      ? await trader.send({
          to: v2Router,
          value,
          data: encodeFunctionData({
            abi: ROUTERS,
            functionName: 'swapExactETHForTokens',
            args: [0n, [whype, token], to, maxUint256],
          }),
        })
      : await trader.send({
          to: v3Router,
          value,
          data: encodeFunctionData({
            abi: ROUTERS,
            functionName: 'exactInputSingle',
            args: [[whype, token, V3_FEE, to, maxUint256, value, 0n, 0n]],
          }),
        });
  if (receipt.status === 'reverted') throw new TradeRefused('buy');
}

/** Sells all that a trader has of the token, for wrapped HYPE on V3. */
export async function sellAll(arena: Arena, market: Market, trader: Actor): Promise<void> {
  const { v2Router, v3Router, whype } = arena.stack.contracts;
  const { token, shape } = market;
  const amount = await arena.tokens(market, trader.address);
  const router = shape === 'V2' ? v2Router : v3Router;
  await trader.send({ to: token, data: approval(router) });
  const data =
    shape === 'V2'
      ? encodeFunctionData({
          abi: ROUTERS,
          functionName: 'swapExactTokensForETH',
          args: [amount, 0n, [token, whype], trader.address, maxUint256],
        })
      : encodeFunctionData({
          abi: ROUTERS,
          functionName: 'exactInputSingle',
          args: [[token, whype, V3_FEE, trader.address, maxUint256, amount, 0n, 0n]],
        });
  const receipt = await trader.send({ to: router, data });
  if (receipt.status === 'reverted') throw new TradeRefused('sell');
}

function approval(spender: Address) {
  return encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [spender, maxUint256] });
}

/** Sells tokens that the deployer never put into a pool. @param tokens smallest units */
async function dump(arena: Arena, market: Market, tokens: bigint): Promise<void> {
  const trader = await arena.somebody(parseHype('1'));
  await arena.owner.send({
    to: market.token,
    data: encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [trader.address, tokens] }),
  });
  await sellAll(arena, market, trader);
}

/** Traders that the arena is tried with; the pools are 40 HYPE deep. */
export const HOSTILE_TRADERS: readonly HostileTrader[] = [
  {
    does: 'pushes the price up by 30 %',
    costs: 'the fees of 6 HYPE bought, and what they lose when they are sold',
    act: async (arena, market) => buy(arena, market, await arena.somebody(parseHype('7')), parseHype('6')),
  },
  {
    does: 'pushes the price up by 30 % and takes it back a minute later',
    costs: 'the fees of 6 HYPE bought and sold',
    async act(arena, market) {
      const trader = await arena.somebody(parseHype('7'));
      await buy(arena, market, trader, parseHype('6'));
      await arena.product.control.mine(20);
      await sellAll(arena, market, trader);
    },
  },
  {
    does: 'pushes the price down by 30 %',
    costs: 'tokens sold a third below their price',
    act: (arena, market) => dump(arena, market, parseHype('8000')),
  },
  {
    does: 'holds the price above the band',
    costs: 'the fees of each purchase, and all that the price falls by afterwards',
    async act(arena, market) {
      const trader = await arena.somebody(parseHype('40'));
      for (let times = 0; times < 5; times++) {
        await buy(arena, market, trader, parseHype('3'));
        await arena.product.control.mine(5);
      }
    },
  },
  {
    does: 'buys and sells around the orders',
    costs: 'the fees of 4 HYPE bought and sold three times',
    async act(arena, market) {
      const trader = await arena.somebody(parseHype('10'));
      for (let times = 0; times < 3; times++) {
        await buy(arena, market, trader, parseHype('1'));
        await sellAll(arena, market, trader);
      }
    },
  },
  {
    does: 'empties the pool of its HYPE',
    costs: 'all tokens that were ever made',
    act: (arena, market) => dump(arena, market, parseHype('900000')),
  },
];
