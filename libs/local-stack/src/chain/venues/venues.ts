import type { Exchange } from '@maker/chain';
import type { Address } from 'viem';
import { publishedArtifact } from '../artifacts.ts';
import { algebraVenue } from './algebra-venue.ts';
import { camelotVenue } from './camelot-venue.ts';
import { uniswapV2Venue } from './uniswap-v2-venue.ts';
import { uniswapV3Router02Venue, uniswapV3Venue } from './uniswap-v3-venues.ts';
import type { Deployment, Venue } from './venue.ts';

/**
 * The venues of the local chain, one for each kind on mainnet: Uniswap V2, V3 with SwapRouter and the second quoter, Camelot,
 * V3 with SwapRouter02 and the first quoter, Algebra Integral. Source: design § 9, hyperevm § 2.
 */
export const VENUES = [uniswapV2Venue, uniswapV3Venue, camelotVenue, uniswapV3Router02Venue, algebraVenue] as const;

type NameIn<Each> = Each extends Venue<infer Name, infer _> ? Name : never;
type TokenIn<Each> = Each extends Venue<infer _, infer Key> ? Key : never;

/** Keys of the tokens that are traded on one venue only. */
export type VenueTokenKey = TokenIn<(typeof VENUES)[number]>;

/** Addresses of the local chain's contracts, as `stack.json` names them. */
export type ChainContracts = Readonly<Record<'whype' | 'multicall3' | NameIn<(typeof VENUES)[number]>, Address>>;

/** Contracts that venues deploy, with wrapped HYPE. */
export type VenueContracts = Omit<ChainContracts, 'multicall3'>;

/** Every router of the local chain that may receive orders. */
export function routersOf(contracts: VenueContracts): readonly Address[] {
  return VENUES.map(({ router }) => contracts[router]);
}

/** The exchanges as `CHAIN_EXCHANGES_FILE` lists them. */
export function exchangeRegistry(contracts: VenueContracts): readonly Exchange[] {
  return VENUES.map((venue) => venue.entry(contracts));
}

/** Deploys wrapped HYPE and every venue. */
export async function deployVenues(deployment: Deployment): Promise<VenueContracts> {
  const weth = await publishedArtifact('@uniswap/v2-periphery/build/WETH9.json');
  let contracts: { whype: Address } & Record<string, Address> = { whype: await deployment.batch.deploy('WHYPE', weth) };
  for (const venue of VENUES) contracts = { ...contracts, ...(await venue.deploy(deployment, contracts)) };
  return contracts as VenueContracts;
}
