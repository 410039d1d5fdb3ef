import type { Exchange } from '@maker/chain';
import { type Abi, type Address, erc20Abi, maxUint256 } from 'viem';
import type { Artifact, OwnArtifacts } from '../artifacts.ts';
import type { DeploymentBatch } from '../deployment-batch.ts';

/** A fee tier that Uniswap V3's factory knows from the start, in hundredths of a basis point. */
export type FeeTier = 500 | 3000;

/** What venues and their pools are deployed with. */
export interface Deployment {
  readonly batch: DeploymentBatch;
  /** Owner of factories and liquidity, who must hold the tokens of a pool. */
  readonly deployer: Address;
  readonly own: OwnArtifacts;
}

/** Addresses by their names in `stack.json`. */
export type Contracts<Name extends string = string> = Readonly<Record<Name | 'whype', Address>>;

/** What both sides of a new pool are. */
export interface PoolSides {
  readonly token: Address;
  /** In the token's smallest unit. */
  readonly tokens: bigint;
  /** Wei. */
  readonly hype: bigint;
  /** Of venues with fee tiers; 3000 unless told. */
  readonly fee?: FeeTier;
}

/** A token that is traded on one venue alone. */
export interface VenueToken<Key extends string> {
  /** Its key in `stack.json`. */
  readonly key: Key;
  /** For people, behind its address. */
  readonly what: string;
  readonly name: string;
  readonly symbol: string;
  /** Of its pool. */
  readonly fee?: FeeTier;
}

/** A venue of the local chain. @typeParam Name of its contracts @typeParam Key of its token */
export interface Venue<Name extends string = string, Key extends string = string> {
  readonly token: VenueToken<Key>;
  /** Where orders go. */
  readonly router: Name;
  /** @param earlier what venues before it in the list have deployed, and wrapped HYPE */
  deploy(deployment: Deployment, earlier: Contracts): Promise<Readonly<Record<Name, Address>>>;
  /** Its entry in `CHAIN_EXCHANGES_FILE`. */
  entry(contracts: Contracts<Name>): Exchange;
  /** Opens a pool of a token against wrapped HYPE. @returns its address where others need it */
  openPool(deployment: Deployment, contracts: Contracts<Name>, sides: PoolSides): Promise<Address | undefined>;
}

/** No block is as late. */
export const NO_DEADLINE = maxUint256;

/** Lets a contract take all of the deployer's tokens. */
export async function approve({ batch }: Deployment, token: Address, spender: Address): Promise<void> {
  await batch.call(`approve ${token}`, {
    to: token,
    artifact: { abi: erc20Abi as Abi },
    functionName: 'approve',
    args: [spender, maxUint256],
  });
}

/** Opens a pair through a router of Uniswap V2's way to add liquidity. */
export async function addToPair(
  deployment: Deployment,
  router: Address,
  artifact: Pick<Artifact, 'abi'>,
  { token, tokens, hype }: PoolSides,
): Promise<void> {
  await approve(deployment, token, router);
  await deployment.batch.call(`pair of ${token}`, {
    to: router,
    artifact,
    functionName: 'addLiquidityETH',
    args: [token, tokens, 0n, 0n, deployment.deployer, NO_DEADLINE],
    value: hype,
  });
}

/** Pools hold their two tokens in the order of the addresses. */
export function inOrder(one: Address, other: Address): readonly [Address, Address] {
  return BigInt(one) < BigInt(other) ? [one, other] : [other, one];
}
