import { type Address, parseEther } from 'viem';
import type { Artifact, OwnArtifact, OwnContract } from './artifacts.ts';
import type { ChainContracts, PoolMakers } from './deploy-exchanges.ts';
import type { DeploymentBatch } from './deployment-batch.ts';
import { PoolOpener, type PoolSides } from './open-pools.ts';

/** The demo tokens, by what is special about them. */
export const DEMO_TOKENS = {
  both: 'deep pools on V2 and V3',
  v2Only: 'a deep pool on V2 alone',
  v3Only: 'a deep pool on V3 alone',
  thin: 'a pool under the minimum of 10 HYPE',
  taxed: 'takes a fee of 5 % from every transfer',
  unpaired: 'no pool at all',
  honeypot: 'can be bought, cannot be sold',
  camelotOnly: 'a deep pool of the Camelot type alone',
  router02Only: 'a deep pool alone on the V3 that has SwapRouter02 and the first quoter',
  stableOnly: 'a stable pair of the Camelot type alone',
  v2Closed: 'a small V2 pool that takes no sales, beside a deep pool on V3',
} as const;

/** Name of a demo token, as in `stack.json`. */
export type DemoToken = keyof typeof DEMO_TOKENS;

/** Addresses of the demo tokens. */
export type DemoTokens = Record<DemoToken, Address>;

const SUPPLY = parseEther('1000000000');
const TOKENS_PER_HYPE = 1_000n;
const DEEP = parseEther('3000');
const SMALL = parseEther('10');
const THIN = parseEther('4');

/** Deploys the demo tokens with their pools. The deployer owns all of it. */
export async function deployTokens(
  batch: DeploymentBatch,
  deployer: Address,
  contracts: Omit<ChainContracts, 'multicall3'>,
  makers: PoolMakers,
  own: Record<OwnContract, OwnArtifact>,
): Promise<DemoTokens> {
  const open = new PoolOpener(batch, deployer, contracts, makers);
  const token = (name: string, symbol: string, artifact: Artifact = own.DemoToken): Promise<Address> =>
    batch.deploy(symbol, artifact, [name, symbol, SUPPLY]);
  const of = (address: Address, hype = DEEP, perHype = TOKENS_PER_HYPE): PoolSides => ({
    token: address,
    tokens: hype * perHype,
    hype,
  });
  const closeMarket = (address: Address, pair: Address): Promise<void> =>
    batch.call(`close the market of ${address}`, {
      to: address,
      artifact: own.HoneypotToken,
      functionName: 'closeMarket',
      args: [pair],
    });

  const both = await token('Both Pools', 'BOTH');
  const v2Only = await token('Only V2', 'VTWO');
  const v3Only = await token('Only V3', 'VTHREE');
  const thin = await token('Thin Pool', 'THIN');
  const taxed = await token('Taxed Transfers', 'TAXED', own.TaxedToken);
  const unpaired = await token('Unpaired', 'LONELY');
  const honeypot = await token('Honeypot', 'HONEY', own.HoneypotToken);
  const camelotOnly = await token('Only Camelot', 'CAMEL');
  const router02Only = await token('Only Router 02', 'ROUTER');
  const stableOnly = await token('Staked Coin', 'STAKED');
  const v2Closed = await token('Closed On V2', 'CLOSED', own.HoneypotToken);

  await open.v2(of(both));
  await open.v3(of(both), 3000, contracts.v3PositionManager);
  await open.v2(of(v2Only));
  await open.v3(of(v3Only), 500, contracts.v3PositionManager);
  await open.v2(of(thin, THIN));
  await open.v2(of(taxed));
  await closeMarket(honeypot, await open.v2(of(honeypot)));
  await open.camelot(of(camelotOnly));
  await open.v3(of(router02Only), 3000, contracts.router02V3PositionManager);
  await open.stable(of(stableOnly, DEEP, 1n));
  await closeMarket(v2Closed, await open.v2(of(v2Closed, SMALL)));
  await open.v3(of(v2Closed), 3000, contracts.v3PositionManager);
  return {
    both,
    v2Only,
    v3Only,
    thin,
    taxed,
    unpaired,
    honeypot,
    camelotOnly,
    router02Only,
    stableOnly,
    v2Closed,
  };
}
