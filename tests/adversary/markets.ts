import {
  ACCOUNT_INDEX,
  type DeploymentBatch,
  demoAccount,
  ownArtifacts,
  PoolOpener,
  poolMakers,
  type StackDescription,
} from '@maker/local-stack';
import { parseHype } from '@maker/rules';
import { type Address, encodeDeployData, encodeFunctionData, getContractAddress, type PublicClient } from 'viem';
import { Actor, type Sending } from './actor.ts';

/** The two kinds of pool that there are on the EVM. */
export const POOL_SHAPES = ['V2', 'V3'] as const;

/** See {@link POOL_SHAPES}. */
export type PoolShape = (typeof POOL_SHAPES)[number];

/** A token with one pool. */
export interface Market {
  readonly token: Address;
  readonly shape: PoolShape;
}

const SUPPLY = parseHype('1000000000');
const DEPTH_WEI = parseHype('40');
const TOKENS_PER_HYPE = 1000n;

/** Who deploys the tokens, and whose liquidity it is: of a hostile token the one who means harm. */
export function deployer(stack: StackDescription): Actor {
  return new Actor(stack, demoAccount(ACCOUNT_INDEX.deployer).privateKey);
}

/**
 * Deploys tokens, each with a pool of one shape that nobody else trades in.
 * @param owner has all that is not in the pools @param depthWei of the HYPE side
 */
export async function openMarkets(
  owner: Actor,
  stack: StackDescription,
  chain: Pick<PublicClient, 'getTransactionCount'>,
  shapes: readonly PoolShape[],
  depthWei = DEPTH_WEI,
): Promise<Market[]> {
  await owner.owns(depthWei * BigInt(shapes.length) + parseHype('1000'));
  const own = await ownArtifacts();
  const nonce = await chain.getTransactionCount({ address: owner.address });
  const sendings: Sending[] = [];
  const batch: DeploymentBatch = {
    async deploy(_step, { abi, bytecode }, args = []) {
      sendings.push({ data: encodeDeployData({ abi, bytecode, args }) });
      return getContractAddress({ from: owner.address, nonce: BigInt(nonce + sendings.length - 1) });
    },
    async call(_step, { to, artifact, functionName, args, value = 0n }) {
      sendings.push({ to, value, data: encodeFunctionData({ abi: artifact.abi, functionName, args }) });
    },
    mine: () => owner.sendInBigBlocks(sendings),
  };
  const open = new PoolOpener(batch, owner.address, stack.contracts, await poolMakers(own));
  const markets: Market[] = [];
  for (const [index, shape] of shapes.entries()) {
    const token = await batch.deploy(shape, own.DemoToken, [`Victim ${index}`, `VIC${index}`, SUPPLY]);
    const sides = { token, tokens: depthWei * TOKENS_PER_HYPE, hype: depthWei };
    if (shape === 'V2') await open.v2(sides);
    else await open.v3(sides, 3000, stack.contracts.v3PositionManager);
    markets.push({ token, shape });
  }
  await batch.mine();
  return markets;
}
