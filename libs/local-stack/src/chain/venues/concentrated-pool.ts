import { type Address, encodeFunctionData } from 'viem';
import type { Artifact } from '../artifacts.ts';
import { approve, type Deployment, type FeeTier, inOrder, NO_DEADLINE, type PoolSides } from './venue.ts';

/** V3's tick spacing by fee tier. */
const TICK_SPACING: Readonly<Record<FeeTier, number>> = { 500: 10, 3000: 60 };
const MAX_TICK = 887_272;

/** The contract that keeps positions, with the differences among venues. */
export interface PositionManager {
  /** Name of the venue, for the names of steps. */
  readonly name: string;
  readonly address: Address;
  readonly artifact: Artifact;
  /** Arguments that distinguish pools of the same two tokens. */
  readonly key: Readonly<Record<string, unknown>>;
  /** Arguments of a pool's creation after its price. */
  readonly creation: readonly unknown[];
  readonly refund: string;
}

/** Opens a pool with one position over all prices. @returns its tokens in the pool's order */
export async function openConcentratedPool(
  deployment: Deployment,
  manager: PositionManager,
  whype: Address,
  { token, tokens, hype, fee }: PoolSides & { readonly fee: FeeTier },
): Promise<readonly [Address, Address]> {
  await approve(deployment, token, manager.address);
  const { abi } = manager.artifact;
  const pair = inOrder(token, whype);
  const [token0, token1] = pair;
  const [amount0, amount1] = token0 === token ? [tokens, hype] : [hype, tokens];
  const create = encodeFunctionData({
    abi,
    functionName: 'createAndInitializePoolIfNecessary',
    args: [...pair, ...Object.values(manager.key), openingPrice(amount0, amount1), ...manager.creation],
  });
  const tickUpper = Math.floor(MAX_TICK / TICK_SPACING[fee]) * TICK_SPACING[fee];
  const position = {
    token0,
    token1,
    ...manager.key,
    tickLower: -tickUpper,
    tickUpper,
    amount0Desired: amount0,
    amount1Desired: amount1,
    amount0Min: 0n,
    amount1Min: 0n,
    recipient: deployment.deployer,
    deadline: NO_DEADLINE,
  };
  const mint = encodeFunctionData({ abi, functionName: 'mint', args: [position] });
  const refund = encodeFunctionData({ abi, functionName: manager.refund, args: [] });
  await deployment.batch.call(`${manager.name} pool of ${token}`, {
    to: manager.address,
    artifact: manager.artifact,
    functionName: 'multicall',
    args: [[create, mint, refund]],
    value: hype,
  });
  return pair;
}

function integerSquareRoot(value: bigint): bigint {
  if (value < 2n) return value;
  let root = 1n << BigInt(Math.ceil(value.toString(2).length / 2));
  for (;;) {
    const next = (root + value / root) / 2n;
    if (next >= root) return root;
    root = next;
  }
}

/** V3's price of token0 in token1 when a pool opens with these amounts: √(amount1 / amount0) · 2⁹⁶. */
function openingPrice(amount0: bigint, amount1: bigint): bigint {
  return integerSquareRoot((amount1 << 192n) / amount0);
}
