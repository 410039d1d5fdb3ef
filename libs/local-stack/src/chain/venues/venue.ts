import type { Exchange } from '@maker/chain';
import { type Abi, type Address, erc20Abi, maxUint256 } from 'viem';
import type { Artifact, OwnArtifacts } from '../artifacts.ts';
import type { DeploymentBatch } from '../deployment-batch.ts';

/** A fee tier that Uniswap V3's factory has from its deployment on, in hundredths of a basis point. */
export type FeeTier = 500 | 3000;

/** What the deployments of venues and pools need. */
export interface Deployment {
  readonly batch: DeploymentBatch;
  /** Owner of factories and liquidity, who must hold the tokens of a pool. */
  readonly deployer: Address;
  readonly own: OwnArtifacts;
}

/** Addresses by their names in `stack.json`. */
export type Contracts<Name extends string = string> = Readonly<Record<Name | 'whype', Address>>;

/** Both sides of a new pool. */
export interface PoolSides {
  readonly token: Address;
  /** In the token's smallest unit. */
  readonly tokens: bigint;
  /** Wei. */
  readonly hype: bigint;
  /** Of venues with fee tiers; default 3000. */
  readonly fee?: FeeTier;
}

/** A token that is traded on one venue only. */
export interface VenueToken<Key extends string> {
  /** Its key in `stack.json`. */
  readonly key: Key;
  /** Description for people, shown after its address. */
  readonly what: string;
  readonly name: string;
  readonly symbol: string;
  /** Of its pool. */
  readonly fee?: FeeTier;
}

/** A venue of the local chain. @typeParam Name of its contracts @typeParam Key of its token */
export interface Venue<Name extends string = string, Key extends string = string> {
  readonly token: VenueToken<Key>;
  /** Name of the contract that executes orders. */
  readonly router: Name;
  /** @param earlier wrapped HYPE and the contracts of the venues before it in the list */
  deploy(deployment: Deployment, earlier: Contracts): Promise<Readonly<Record<Name, Address>>>;
  /** Its entry in `CHAIN_EXCHANGES_FILE`. */
  entry(contracts: Contracts<Name>): Exchange;
  /** Opens a pool of a token against wrapped HYPE. @returns its address if callers need it */
  openPool(deployment: Deployment, contracts: Contracts<Name>, sides: PoolSides): Promise<Address | undefined>;
}

/** Later than any block. */
export const NO_DEADLINE = maxUint256;

/** Allows a contract to spend all of the deployer's tokens. */
export async function approve({ batch }: Deployment, token: Address, spender: Address): Promise<void> {
  await batch.call(`approve ${token}`, {
    to: token,
    artifact: { abi: erc20Abi as Abi },
    functionName: 'approve',
    args: [spender, maxUint256],
  });
}

/** Opens a pair through a router with Uniswap V2's function to add liquidity. */
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

/** Sorts two tokens by address, the order in which pools hold them. */
export function inOrder(one: Address, other: Address): readonly [Address, Address] {
  return BigInt(one) < BigInt(other) ? [one, other] : [other, one];
}
