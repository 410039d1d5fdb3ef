import { type Address, parseEther } from 'viem';
import type { Artifact } from './artifacts.ts';
import { openStablePair } from './venues/camelot-venue.ts';
import { uniswapV2Venue } from './venues/uniswap-v2-venue.ts';
import { uniswapV3Venue } from './venues/uniswap-v3-venues.ts';
import type { Deployment, PoolSides, VenueToken } from './venues/venue.ts';
import { VENUES, type VenueContracts, type VenueTokenKey } from './venues/venues.ts';

/** Description of each demo token, except those of one venue. */
const SPECIAL_TOKENS = {
  both: 'deep pools on V2 and V3',
  thin: 'a pool under the minimum of 10 HYPE',
  taxed: 'takes a fee of 5 % from every transfer',
  unpaired: 'no pool at all',
  honeypot: 'can be bought, cannot be sold',
  stableOnly: 'a stable pair of the Camelot type alone',
  v2Closed: 'a small V2 pool that takes no sales, beside a deep pool on V3',
} as const;

/** Name of a demo token, as in `stack.json`. */
export type DemoToken = keyof typeof SPECIAL_TOKENS | VenueTokenKey;

/** The demo tokens, with the property that each of them demonstrates. */
export const DEMO_TOKENS = {
  ...SPECIAL_TOKENS,
  ...Object.fromEntries(VENUES.map(({ token }) => [token.key, token.what])),
} as Readonly<Record<DemoToken, string>>;

/** Addresses of the demo tokens. */
export type DemoTokens = Record<DemoToken, Address>;

const SUPPLY = parseEther('1000000000');
const TOKENS_PER_HYPE = 1_000n;
const DEEP = parseEther('3000');
const SMALL = parseEther('10');
const THIN = parseEther('4');

/** Deploys the demo tokens with their pools. The deployer owns all liquidity. */
export async function deployTokens(deployment: Deployment, contracts: VenueContracts): Promise<DemoTokens> {
  const { batch, own } = deployment;
  const token = (name: string, symbol: string, artifact: Artifact = own.DemoToken): Promise<Address> =>
    batch.deploy(symbol, artifact, [name, symbol, SUPPLY]);
  const of = (address: Address, hype = DEEP, perHype = TOKENS_PER_HYPE): PoolSides => ({
    token: address,
    tokens: hype * perHype,
    hype,
  });
  const onV2 = (sides: PoolSides) => uniswapV2Venue.openPool(deployment, contracts, sides);
  const onV3 = (sides: PoolSides) => uniswapV3Venue.openPool(deployment, contracts, sides);
  const closeMarket = (address: Address, pair: Address | undefined): Promise<void> =>
    batch.call(`close the market of ${address}`, {
      to: address,
      artifact: own.HoneypotToken,
      functionName: 'closeMarket',
      args: [pair],
    });

  const both = await token('Both Pools', 'BOTH');
  const thin = await token('Thin Pool', 'THIN');
  const taxed = await token('Taxed Transfers', 'TAXED', own.TaxedToken);
  const unpaired = await token('Unpaired', 'LONELY');
  const honeypot = await token('Honeypot', 'HONEY', own.HoneypotToken);
  const stableOnly = await token('Staked Coin', 'STAKED');
  const v2Closed = await token('Closed On V2', 'CLOSED', own.HoneypotToken);

  await onV2(of(both));
  await onV3(of(both));
  await onV2(of(thin, THIN));
  await onV2(of(taxed));
  await closeMarket(honeypot, await onV2(of(honeypot)));
  await openStablePair(deployment, contracts, of(stableOnly, DEEP, 1n));
  await closeMarket(v2Closed, await onV2(of(v2Closed, SMALL)));
  await onV3(of(v2Closed));
  const special = { both, thin, taxed, unpaired, honeypot, stableOnly, v2Closed };
  return { ...special, ...(await deployVenueTokens()) };

  async function deployVenueTokens(): Promise<Record<VenueTokenKey, Address>> {
    const deployed: Partial<Record<VenueTokenKey, Address>> = {};
    for (const venue of VENUES) {
      const { key, name, symbol, what: _, ...tier }: VenueToken<VenueTokenKey> = venue.token;
      const address = await token(name, symbol);
      await venue.openPool(deployment, contracts, { ...of(address), ...tier });
      deployed[key] = address;
    }
    return deployed as Record<VenueTokenKey, Address>;
  }
}
