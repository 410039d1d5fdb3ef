import {
  type ChainClient,
  ChainUnavailableError,
  Market,
  probeTrade,
  query,
  type TradeVerdict,
  tokenMetadata,
  type VerifiedExchange,
} from '@maker/chain';
import { STANDARD_ORDER_WEI } from '@maker/rules';
import { type Address, formatUnits } from 'viem';

/** Result of a trial with a token that is known to trade. */
export type Trial =
  | { readonly kind: 'no_token' }
  | { readonly kind: 'no_pool'; readonly symbol: string }
  | {
      readonly kind: 'tried';
      readonly symbol: string;
      readonly exchangeId: string;
      readonly tokensOut: string;
      readonly verdict: TradeVerdict;
    }
  | { readonly kind: 'unavailable'; readonly reason: string };

/** Plain tokens that are known to trade, by chain. Source: hyperevm § 2.4. */
const KNOWN_TOKENS: Readonly<Record<number, Address>> = { 999: '0xb88339CB7199b77E23DB6E890353E22632Ba630f' };

/** The gas price only affects the ranking of exchanges, and only slightly: the floor is accurate enough. */
const GAS_PRICE_WEI = 100_000_000n;

/** Quotes and tries a token like a visitor's: a simulated purchase, sale and transfer, which change nothing. */
export async function tryToken(
  client: ChainClient,
  exchanges: readonly VerifiedExchange[],
  chosen: Address | undefined,
): Promise<Trial> {
  const token = chosen ?? KNOWN_TOKENS[client.chain.id];
  if (!token) return { kind: 'no_token' };
  try {
    const metadata = await query(client, tokenMetadata(token));
    const symbol = metadata?.symbol || token;
    const market = new Market(client, exchanges);
    const [best] = market.ranked(await market.survey(token, STANDARD_ORDER_WEI), GAS_PRICE_WEI);
    if (!best || !metadata) return { kind: 'no_pool', symbol };
    const { pool, tokensOut } = best;
    const verdict = await probeTrade(client, market.exchangeOf(pool), pool, STANDARD_ORDER_WEI);
    const shown = Number(formatUnits(tokensOut, metadata.decimals)).toPrecision(4);
    return { kind: 'tried', symbol, exchangeId: pool.exchangeId, tokensOut: shown, verdict };
  } catch (error) {
    if (!(error instanceof ChainUnavailableError)) throw error;
    return { kind: 'unavailable', reason: error.message };
  }
}
