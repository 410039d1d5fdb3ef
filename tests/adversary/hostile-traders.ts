import { parseHype } from '@maker/rules';
import {
  type Address,
  ContractFunctionExecutionError,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  maxUint256,
  parseAbi,
} from 'viem';
import { type Actor, DeploymentReverted, type Sending } from './actor.ts';
import type { Arena } from './arena.ts';
import { type End, UNHARMED } from './ends.ts';
import { type Market, MILLION, openOtherPool, POOL_FEE, tokensFor } from './markets.ts';

/** A trader against a job, with full knowledge of its schedule. */
export interface HostileTrader {
  readonly does: string;
  /** The cost of the attack. */
  readonly costs: string;
  /** The end of a job with this attacker only. */
  readonly end: End;
  /** Acts after the job's first order. @returns the attacker who paid */
  act(arena: Arena, market: Market): Promise<Actor>;
}

/** Functions of the routers of both shapes. */
export const ROUTERS = parseAbi([
  'function swapExactETHForTokens(uint256,address[],address,uint256) payable returns (uint256[])',
  'function swapExactETHForTokensSupportingFeeOnTransferTokens(uint256,address[],address,uint256) payable',
  'function swapExactTokensForETH(uint256,uint256,address[],address,uint256) returns (uint256[])',
  'function removeLiquidityETH(address,uint256,uint256,uint256,address,uint256) returns (uint256,uint256)',
  'function exactInputSingle((address,address,uint24,address,uint256,uint256,uint256,uint160)) payable returns (uint256)',
  'function getPair(address,address) view returns (address)',
]);

/** The fee of a trade in a pool of either shape. */
const poolFee = (wei: bigint): bigint => (wei * BigInt(POOL_FEE)) / MILLION;

/** The pool or the token refused a trade: the attack failed. */
export class TradeRefused extends Error {
  constructor(act: 'buy' | 'sell' | 'open a pool') {
    super(`a trader could not ${act}`);
    this.name = 'TradeRefused';
  }
}

/** A purchase from a market's pool, at any price. @param value wei */
export function purchase(
  { stack }: Pick<Arena, 'stack'>,
  { token, shape }: Market,
  buyer: Address,
  value: bigint,
): Sending {
  const { v2Router, v3Router, whype } = stack.contracts;
  return shape === 'V2'
    ? {
        to: v2Router,
        value,
        data: encodeFunctionData({
          abi: ROUTERS,
          functionName: 'swapExactETHForTokens',
          args: [0n, [whype, token], buyer, maxUint256],
        }),
      }
    : {
        to: v3Router,
        value,
        data: encodeFunctionData({
          abi: ROUTERS,
          functionName: 'exactInputSingle',
          args: [[whype, token, POOL_FEE, buyer, maxUint256, value, 0n, 0n]],
        }),
      };
}

/** A sale to a market's pool, at any price, for wrapped HYPE on V3. @param amount smallest units of the token */
export function sale({ stack }: Arena, { token, shape }: Market, seller: Address, amount: bigint): Sending {
  const { v2Router, v3Router, whype } = stack.contracts;
  return shape === 'V2'
    ? {
        to: v2Router,
        data: encodeFunctionData({
          abi: ROUTERS,
          functionName: 'swapExactTokensForETH',
          args: [amount, 0n, [token, whype], seller, maxUint256],
        }),
      }
    : {
        to: v3Router,
        data: encodeFunctionData({
          abi: ROUTERS,
          functionName: 'exactInputSingle',
          args: [[token, whype, POOL_FEE, seller, maxUint256, amount, 0n, 0n]],
        }),
      };
}

/** Calldata that approves a spender for all tokens. */
export function approval(spender: Address): Hex {
  return encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [spender, maxUint256] });
}

async function buy(arena: Arena, market: Market, trader: Actor, value: bigint): Promise<void> {
  const receipt = await trader.send(purchase(arena, market, trader.address, value));
  if (receipt.status === 'reverted') throw new TradeRefused('buy');
  trader.lostWei += poolFee(value);
}

async function sellAll(arena: Arena, market: Market, trader: Actor): Promise<void> {
  const { v2Router, v3Router } = arena.stack.contracts;
  const amount = await arena.tokens(market, trader.address).catch((error: unknown) => {
    // The token refuses to show a balance.
    throw error instanceof ContractFunctionExecutionError ? new TradeRefused('sell') : error;
  });
  await trader.send({ to: market.token, data: approval(market.shape === 'V2' ? v2Router : v3Router) });
  const receipt = await trader.send(sale(arena, market, trader.address, amount));
  if (receipt.status === 'reverted') throw new TradeRefused('sell');
}

/** Gives an actor tokens that the deployer kept out of the pools. @param tokens smallest units */
async function give(arena: Arena, { token }: Market, { address }: Actor, tokens: bigint): Promise<void> {
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [address, tokens] });
  await arena.owner.send({ to: token, data });
}

/** Buys until the price has risen by 30 %. */
async function pushUp(arena: Arena, market: Market): Promise<Actor> {
  const trader = await arena.newActor(parseHype('7'));
  await buy(arena, market, trader, parseHype('6'));
  return trader;
}

/** Sells tokens from outside the pools. @param tokens smallest units */
async function dump(arena: Arena, market: Market, tokens: bigint): Promise<Actor> {
  const trader = await arena.newActor(parseHype('1'));
  await give(arena, market, trader, tokens);
  await sellAll(arena, market, trader);
  return trader;
}

/** Traders of the arena; the pools are 40 HYPE deep. */
export const HOSTILE_TRADERS: readonly HostileTrader[] = [
  {
    does: 'pushes the price up by 30 %',
    costs: 'the fees of 6 HYPE bought, and the loss at their sale',
    end: UNHARMED,
    act: pushUp,
  },
  {
    does: 'pushes the price up by 30 % and takes it back a minute later',
    costs: 'the fees of 6 HYPE bought and sold',
    end: UNHARMED,
    async act(arena, market) {
      const trader = await pushUp(arena, market);
      await arena.product.control.mine(20);
      await sellAll(arena, market, trader);
      return trader;
    },
  },
  {
    does: 'pushes the price down by 30 %',
    costs: 'tokens sold a third below their price',
    end: UNHARMED,
    act: (arena, market) => dump(arena, market, parseHype('8000')),
  },
  {
    does: 'holds the price above the band',
    costs: 'the fees of each purchase, and all that the price falls by afterwards',
    end: UNHARMED,
    async act(arena, market) {
      const trader = await arena.newActor(parseHype('40'));
      for (let times = 0; times < 5; times++) {
        await buy(arena, market, trader, parseHype('3'));
        await arena.product.control.mine(5);
      }
      return trader;
    },
  },
  {
    does: 'buys and sells around the orders',
    costs: 'the fees of 4 HYPE bought and sold three times',
    end: UNHARMED,
    async act(arena, market) {
      const trader = await arena.newActor(parseHype('10'));
      for (let times = 0; times < 3; times++) {
        await buy(arena, market, trader, parseHype('1'));
        await sellAll(arena, market, trader);
      }
      return trader;
    },
  },
  {
    does: 'empties the pool of its HYPE',
    costs: 'all tokens that were ever made',
    end: 'failed_liquidity; tokens delivered; HYPE returned; because no pool had enough liquidity for too long',
    act: (arena, market) => dump(arena, market, parseHype('900000')),
  },
  {
    does: 'opens a pool four times as deep, and prices it away once the orders go there',
    costs: 'a pool, its depth while it is open, and a purchase from oneself',
    end: UNHARMED,
    async act(arena, market) {
      const depthWei = parseHype('160');
      const trader = await arena.newActor(parseHype('1000'));
      await give(arena, market, trader, tokensFor(depthWei));
      const opened = openOtherPool(trader, arena.stack, arena.product.chain, market, depthWei);
      const decoy = await opened.catch((error) => {
        throw error instanceof DeploymentReverted ? new TradeRefused('open a pool') : error;
      });
      await arena.product.control.mine(3);
      await buy(arena, decoy, trader, parseHype('500'));
      // The trader pays the purchase's fee to himself, as the owner of the liquidity.
      trader.lostWei = 0n;
      return trader;
    },
  },
];
