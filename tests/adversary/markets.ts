import {
  ACCOUNT_INDEX,
  algebraVenue,
  camelotVenue,
  type DeploymentBatch,
  demoAccount,
  ownArtifacts,
  type StackDescription,
  uniswapV2Venue,
  uniswapV3Router02Venue,
  uniswapV3Venue,
} from '@maker/local-stack';
import { parseHype } from '@maker/rules';
import { type Address, encodeDeployData, encodeFunctionData, getContractAddress, type PublicClient } from 'viem';
import { Actor, type Sending } from './actor.ts';

/** The two kinds of pool on the EVM. */
export const POOL_SHAPES = ['V2', 'V3'] as const;

/** These kinds, and venues that have them in another shape. */
export type PoolShape = (typeof POOL_SHAPES)[number] | 'Camelot' | 'V3 with SwapRouter02' | 'Algebra';

/** A token with one pool. */
export interface Market {
  readonly token: Address;
  readonly shape: PoolShape;
}

/** The fee of a trade in a pool of either shape, in millionths. */
export const POOL_FEE = 3000;
export const MILLION = 1_000_000n;

const SUPPLY = parseHype('1000000000');
const DEPTH_WEI = parseHype('40');
const TOKENS_PER_HYPE = 1000n;

/** The deployer of the tokens and owner of the liquidity: the attacker, for a hostile token. */
export function deployer(stack: StackDescription): Actor {
  return new Actor(stack, demoAccount(ACCOUNT_INDEX.deployer).privateKey);
}

/**
 * Deploys tokens, each with a pool of one shape that only its own case trades in.
 * @param owner of all tokens outside the pools @param depthWei of the HYPE side
 */
export async function openMarkets(
  owner: Actor,
  stack: StackDescription,
  chain: Pick<PublicClient, 'getTransactionCount'>,
  shapes: readonly PoolShape[],
  depthWei = DEPTH_WEI,
): Promise<Market[]> {
  await owner.owns(depthWei * BigInt(shapes.length) + parseHype('1000'));
  const deployment = await startDeployment(owner, chain);
  const { batch, own } = deployment;
  const markets: Market[] = [];
  for (const [index, shape] of shapes.entries()) {
    const token = await batch.deploy(shape, own.DemoToken, [`Victim ${index}`, `VIC${index}`, SUPPLY]);
    await openPool(deployment, stack, { token, shape }, depthWei);
    markets.push({ token, shape });
  }
  await batch.mine();
  return markets;
}

/**
 * Opens one more pool of a token, of the other shape and at the arena's initial price.
 * @param owner of the tokens @param depthWei of the HYPE side
 */
export async function openOtherPool(
  owner: Actor,
  stack: StackDescription,
  chain: Pick<PublicClient, 'getTransactionCount'>,
  { token, shape }: Market,
  depthWei: bigint,
): Promise<Market> {
  const deployment = await startDeployment(owner, chain);
  const other: Market = { token, shape: shape === 'V2' ? 'V3' : 'V2' };
  await openPool(deployment, stack, other, depthWei);
  await deployment.batch.mine();
  return other;
}

/** Tokens for a pool of some depth at the arena's initial price. @returns smallest units */
export function tokensFor(depthWei: bigint): bigint {
  return depthWei * TOKENS_PER_HYPE;
}

const VENUES = {
  V2: uniswapV2Venue,
  V3: uniswapV3Venue,
  Camelot: camelotVenue,
  'V3 with SwapRouter02': uniswapV3Router02Venue,
  Algebra: algebraVenue,
} as const;

async function openPool(
  deployment: Awaited<ReturnType<typeof startDeployment>>,
  { contracts }: StackDescription,
  { token, shape }: Market,
  depthWei: bigint,
) {
  await VENUES[shape].openPool(deployment, contracts, { token, tokens: tokensFor(depthWei), hype: depthWei });
}

/** Collects deployments and calls of an actor, and sends them in big blocks. */
async function startDeployment(owner: Actor, chain: Pick<PublicClient, 'getTransactionCount'>) {
  const nonce = await chain.getTransactionCount({ address: owner.address });
  const sendings: Sending[] = [];
  const upcoming = (steps: number) =>
    getContractAddress({ from: owner.address, nonce: BigInt(nonce + sendings.length + steps) });
  const batch: DeploymentBatch = {
    upcoming,
    async deploy(_step, { abi, bytecode }, args = []) {
      const address = upcoming(0);
      sendings.push({ data: encodeDeployData({ abi, bytecode, args }) });
      return address;
    },
    async call(_step, { to, artifact, functionName, args, value = 0n }) {
      sendings.push({ to, value, data: encodeFunctionData({ abi: artifact.abi, functionName, args }) });
    },
    mine: () => owner.sendInBigBlocks(sendings),
  };
  return { batch, deployer: owner.address, own: await ownArtifacts() };
}
